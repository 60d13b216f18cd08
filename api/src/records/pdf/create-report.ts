import type { Contact, DeskRecord } from '../../contract/records.ts';
import type { Say } from '../../i18n/texts-of.ts';
import { createTally } from '../statistics/stats.ts';
import { drawTitlePage } from './draw-title-page.ts';
import { createFlow } from './flow.ts';
import type { FontFile } from './font-file.ts';
import { maskContact, maskWithin } from './mask-contact.ts';
import { marked, openDocument } from './open-document.ts';
import { createReportDigest } from './report-digest.ts';
import type { MadeReport, ReportJob, ReportSlice } from './report-job.ts';
import { setLastPage } from './set-last-page.ts';
import { setRecord, setRecordQuestion } from './set-record.ts';
import { spacedId } from './spaced-id.ts';

const maxBookmarkLength = 40;

/**
 * Creates a PDF report with A4 pages: a title page with filters and totals, the records by day, and a page
 * for verification. Synchronous and slow: run it in a worker thread.
 */
export function createReport(job: ReportJob, font: FontFile) {
  const { doc, say, time, write, days, setDay, drawFrames, end } = openDocument(job, font);
  // The title page is the first page and drawn last.
  const flow = createFlow(() => doc.addPage().getNumberOfPages());
  const tally = createTally(job.tz);
  let records = 0;
  const contacts = new Map<string, Contact>();
  const noteContact = (contact: Contact) => contacts.set(`${contact.id}\n${contact.name}`, contact);
  const filterContact = job.filter?.contact;
  if (filterContact) noteContact({ id: filterContact, name: '' });
  for (const { contact } of job.totals?.byContact ?? []) if (contact) noteContact(contact);
  const hidden = (text: string) => (job.mask ? maskWithin(text, contacts.values()) : text);
  const digest = createReportDigest();
  let day = '';

  /** The job as shown in the report: the contacts to mask are known only after all records have passed. */
  function shownJob(): ReportJob {
    if (!job.mask || !job.filter) return job;
    const { contact, text } = job.filter;
    const masked = {
      ...(contact ? { contact: maskContact({ id: contact, name: '' }).id } : {}),
      ...(text ? { text: hidden(text) } : {}),
    };
    return { ...job, filter: { ...job.filter, ...masked } };
  }

  function add(record: DeskRecord, pictures: ReadonlyMap<string, Uint8Array>): void {
    if (record.contact) noteContact(record.contact);
    const shown = job.mask && record.contact ? { ...record, contact: maskContact(record.contact) } : record;
    digest.add(shown);
    const at = time.of(record.createdAt);
    tally.add(withDates(record));
    records += 1;
    if (at.day !== day) {
      day = at.day;
      for (const piece of setDay(time.nameOf(day))) flow.add(piece);
    }
    const part = { record: shown, number: records, time: at.time, pictures };
    const pieces = (job.questionsOnly ? setRecordQuestion : setRecord)(part, write, say);
    const title = `${records}  ${shortened(shown.question)}`;
    const first = pieces.findIndex(({ isSpace }) => !isSpace);
    pieces[first] = marked(pieces[first]!, days.at(-1)!.children, title);
    for (const piece of pieces) flow.add(piece);
  }

  return {
    /** Lays out more records, newest first. */
    add({ records, pictures }: ReportSlice): void {
      for (const record of records) add(record, pictures);
    },
    end(): MadeReport {
      if (!job.totals) flow.breakPage();
      const shown = shownJob();
      const { conditions, sum } = digest.end(shown);
      const title = hidden(job.title.trim() || say('title'));
      // The last page states whether characters are missing, and is laid out before the title.
      write.clean(title);
      if (!job.totals)
        for (const piece of setLastPage({ records, digest: sum, conditions, mask: job.mask }, write, say))
          flow.add(piece);
      flow.end();
      drawFrames(title, say('brand'), job.totals ? '…' : undefined);
      doc.setPage(1);
      const made = time.of(job.madeAt);
      const described = describeFilter(shown, say);
      drawTitlePage(write, say, {
        title,
        madeAt: `${made.day} ${made.time}`,
        conditions: described,
        totals: job.totals ?? tally.result(),
      });
      const bytes = end({
        title,
        subject: described.map(([label, value]) => `${label}: ${value}`).join('; '),
        keywords: `sha256:${sum} ${conditions}`,
      });
      return { title, pages: doc.getNumberOfPages(), records, digest: sum, bytes };
    },
  };
}

function withDates({ createdAt, answerStartedAt, answeredAt, ...record }: DeskRecord) {
  return {
    ...record,
    createdAt: new Date(createdAt),
    answerStartedAt: answerStartedAt === undefined ? null : new Date(answerStartedAt),
    answeredAt: answeredAt === null ? null : new Date(answeredAt),
  };
}

function shortened(question: string): string {
  const line = question.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = [...line.slice(0, 2 * maxBookmarkLength)];
  return characters.length > maxBookmarkLength ? `${characters.slice(0, maxBookmarkLength).join('')}…` : line;
}

/** Describes the filters of a report: name and value of each. */
function describeFilter(
  { filter, mask, tz }: ReportJob,
  say: Say<'report'>,
): [label: string, value: string][] {
  const rows: [string, string][] = [];
  if (!filter) rows.push([say('records'), say('chosen')]);
  else {
    const { contact, from, to, source, outcome, feedback, text } = filter;
    rows.push([
      say('contact'),
      contact === undefined ? say('anyone') : contact === '' ? say('oneself') : spacedId(contact),
    ]);
    rows.push([say('period'), period(from, to, say)]);
    if (source) rows.push([say('source'), say(`source_${source}`)]);
    if (outcome) rows.push([say('outcome'), say(`outcome_${outcome}`)]);
    if (feedback) {
      const ratings = { up: say('helpful'), down: say('unhelpful'), none: say('unrated') };
      rows.push([say('feedback'), ratings[feedback]]);
    }
    if (text) rows.push([say('text'), text]);
  }
  rows.push([say('tz'), tz]);
  if (mask) rows.push([say('privacy'), say('masked')]);
  return rows;
}

function period(from: string | undefined, to: string | undefined, say: Say<'report'>): string {
  if (from !== undefined && to !== undefined) return from === to ? from : say('between', { from, to });
  if (from !== undefined) return say('since', { day: from });
  return to === undefined ? say('anyTime') : say('until', { day: to });
}
