import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Contact, DeskRecord } from '../../contract/records.ts';
import type { Say } from '../../i18n/texts-of.ts';
import { createTally } from '../statistics/stats.ts';
import { drawTitlePage } from './draw-title-page.ts';
import { createFlow, type Piece, setSpace } from './flow.ts';
import type { FontFile } from './font-file.ts';
import { maskContact, maskWithin } from './mask-contact.ts';
import { marked, openDocument } from './open-document.ts';
import type { MadeReport, ReportJob, ReportSlice } from './report-job.ts';
import { spacedId } from './report-text.ts';
import { type } from './rich-text.ts';
import { createRecordLayout } from './set-record.ts';

const maxBookmarkLength = 40;

/**
 * Creates a PDF report with A4 pages: a title page with filters and totals, the records by day, and a page
 * for verification. Synchronous and slow: run it in a worker thread.
 *
 * The report can be verified by a digest: SHA-256 of UTF-8 lines, each ended by a line feed:
 * - every record of the report, in its order (newest first), as canonical JSON of its API representation
 * (`DeskRecord`);
 * - then the filters as canonical JSON, `{"contact":…,"from":…,…,"mask":…,"tz":…}`, as on the last page.
 * With `mask`, the digest covers the masked contact: from the digest of a full number its four hidden digits
 * could be guessed.
 */
export function createReport(job: ReportJob, font: FontFile) {
  const { doc, say, time, write, days, setDay, drawFrames, end } = openDocument(job, font);
  // The title page is the first page and drawn last.
  const flow = createFlow(() => doc.addPage().getNumberOfPages());
  const setRecord = createRecordLayout(write, say);
  const tally = createTally(job.tz);
  let records = 0;
  const contacts = new Map<string, Contact>();
  const noteContact = (contact: Contact) => contacts.set(`${contact.id}\n${contact.name}`, contact);
  const filterContact = job.filter?.contact;
  if (filterContact) noteContact({ id: filterContact, name: '' });
  for (const { contact } of job.totals?.byContact ?? []) if (contact) noteContact(contact);
  const hidden = (text: string) => (job.mask ? maskWithin(text, contacts.values()) : text);
  const digest = createHash('sha256');
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
    digest.update(`${canonicalize(shown)}\n`);
    const at = time.of(record.createdAt);
    tally.add(withDates(record));
    records += 1;
    if (at.day !== day) {
      day = at.day;
      for (const piece of setDay(time.nameOf(day))) flow.add(piece);
    }
    const part = { record: shown, number: records, time: at.time, pictures };
    const pieces = setRecord(part, job.questionsOnly);
    const title = `${records}  ${shortened(shown.question)}`;
    const first = pieces.findIndex(({ isSpace }) => !isSpace);
    pieces[first] = marked(pieces[first]!, days.at(-1)!.children, title);
    for (const piece of pieces) flow.add(piece);
  }

  /** The page for verification. `conditions` is the last line of the digest. */
  function setLastPage(sum: string, conditions: string): Piece[] {
    const { set, clean, hasMissed } = write;
    clean(conditions);
    const says = (text: string) => set(text, 'ink2', type.body);
    const named = (name: string, value: string) => [
      setSpace(12),
      ...set(name, 'ink3', type.small, { isKept: true }),
      ...set(value, 'ink', type.body),
    ];
    return [
      ...set(say('check'), 'ink', type.day, { isBold: true, isKept: true }),
      setSpace(6),
      ...says(say('checkIntro')),
      ...(job.mask ? [setSpace(5), ...says(say('checkMasked'))] : []),
      ...(hasMissed() ? [setSpace(5), ...says(say('checkMissing'))] : []),
      ...named(say('count'), String(records)),
      ...named(say('digest'), sum),
      ...named(say('filter'), conditions),
    ];
  }

  return {
    /** Lays out more records, newest first. */
    add({ records, pictures }: ReportSlice): void {
      for (const record of records) add(record, pictures);
    },
    end(): MadeReport {
      if (!job.totals) flow.breakPage();
      const shown = shownJob();
      const { filter, mask, tz } = shown;
      const conditions = canonicalize({ ...(filter ?? { chosen: true }), mask, tz }) as string;
      const sum = digest.update(`${conditions}\n`).digest('hex');
      const title = hidden(job.title.trim() || say('title'));
      // The last page states whether characters are missing, and is laid out before the title.
      write.clean(title);
      if (!job.totals) for (const piece of setLastPage(sum, conditions)) flow.add(piece);
      flow.end();
      drawFrames(title, say('brand'), job.totals ? '…' : undefined);
      doc.setPage(1);
      const made = time.of(job.madeAt);
      const described = describeFilter(shown, say);
      const madeAt = `${made.day} ${made.time}`;
      const totals = job.totals ?? tally.result();
      drawTitlePage(write, say, { title, madeAt, conditions: described, totals });
      const subject = described.map(([label, value]) => `${label}: ${value}`).join('; ');
      const bytes = end({ title, subject, keywords: `sha256:${sum} ${conditions}` });
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
function describeFilter({ filter, mask, tz }: ReportJob, say: Say<'report'>) {
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
