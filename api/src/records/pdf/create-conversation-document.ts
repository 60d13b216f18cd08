import { jsPDF } from 'jspdf';
import type { Handover } from '../../contract/handover.ts';
import { createSay } from '../../i18n/texts-of.ts';
import { createCanvas } from './canvas.ts';
import { addOutline, type Bookmark, setProperties, writeProperties } from './document-info.ts';
import { createEmbeddedFont } from './embedded-font.ts';
import { createFlow, type Piece } from './flow.ts';
import type { FontFile } from './font-file.ts';
import { createLocalTime } from './local-time.ts';
import type { MadeReport, ReportJob, ReportSlice } from './report-job.ts';
import { createReportText } from './report-text.ts';
import { look } from './rich-text.ts';
import { setRecord } from './set-record.ts';
import { setSpace, setText, wholeWidth } from './set-text.ts';
import { bodyWidth, page, type } from './theme.ts';
import { useNativeDeflate } from './use-native-deflate.ts';

/**
 * Creates a PDF of one conversation with A4 pages: its title, then the records by day, without ratings.
 * Synchronous and slow: run it in a worker thread.
 */
export function createConversationDocument(job: ReportJob, font: FontFile) {
  useNativeDeflate();
  const say = createSay('report', job.language);
  const time = createLocalTime(job.tz, job.language);
  const doc = new jsPDF({ unit: 'pt', format: 'a4', compress: true, putOnlyUsedFonts: true });
  const face = createEmbeddedFont(font);
  const canvas = createCanvas(doc, face);
  const write = createReportText(canvas, face);
  let pages = 0;
  const flow = createFlow(() => {
    pages += 1;
    // A new document has one page.
    return pages === 1 ? 1 : doc.addPage().getNumberOfPages();
  });
  const days: Bookmark[] = [];
  let records = 0;
  let day = '';

  const made = time.of(job.madeAt);
  const setting = wholeWidth(write);
  addAll(setText(write.plain(job.title, look('ink', { isBold: true })), setting, { type: type.title }));
  const exported = `${say('exported', { at: `${made.day} ${made.time}` })}  ·  ${job.tz}`;
  addAll(setText(write.plain(exported, look('ink3')), setting, { type: type.small, isKept: true }));

  function addAll(pieces: readonly Piece[]): void {
    for (const piece of pieces) flow.add(piece);
  }

  function setDay(title: string): Piece[] {
    const bookmark: Bookmark = { title, pageNumber: 1, y: 0, children: [] };
    days.push(bookmark);
    const lines = setText(write.plain(title, look('accent', { isBold: true })), setting, {
      type: type.day,
      isKept: true,
    });
    const onPlaced = (pageNumber: number, y: number) =>
      Object.assign(bookmark, { pageNumber, y: Math.max(0, y - 12) });
    return [setSpace(18), ...lines.map((line, index) => (index === 0 ? { ...line, onPlaced } : line))];
  }

  /** The messages of a request for a person. */
  function setHandover({ question, createdAt, messages }: Handover): void {
    const asked = time.of(createdAt);
    addAll(setDay(`${say('person')} · ${time.nameOf(asked.day)}`));
    const all = [{ from: 'visitor', name: '', text: question, createdAt }, ...messages] as const;
    for (const { from, name, text, createdAt: sentAt } of all) {
      const at = time.of(sentAt);
      const by = `${from === 'agent' ? name : say('visitor')}  ·  ${at.day} ${at.time}`;
      addAll([setSpace(12)]);
      addAll(setText(write.plain(by, look('ink3')), setting, { type: type.small, isKept: true }));
      addAll([setSpace(2)]);
      addAll(setText(write.plain(text, look('ink')), setting, { type: type.body }));
    }
  }

  function drawFrames(): void {
    const total = doc.getNumberOfPages();
    const style = { size: 8, ink: 'ink3' } as const;
    for (let number = 1; number <= total; number += 1) {
      doc.setPage(number);
      const foot = say('pageOf', { page: number, total });
      const x = page.left + bodyWidth - write.widthOf(foot, style.size);
      write.fit(foot, x, page.height - 34, bodyWidth, style);
      if (number === 1) continue;
      write.fit(job.title, page.left, 44, bodyWidth, style);
      canvas.rect(page.left, 52, bodyWidth, 0.5, 'line');
    }
  }

  return {
    /** Lays out more records, oldest first. */
    add(slice: ReportSlice): void {
      for (const record of slice.records) {
        records += 1;
        const at = time.of(record.createdAt);
        if (at.day !== day) addAll(setDay(time.nameOf(at.day)));
        day = at.day;
        const shown = { ...record, feedback: null };
        const part = { record: shown, number: records, time: at.time, pictures: slice.pictures };
        addAll(setRecord(part, write, say));
      }
    },
    end(): MadeReport {
      if (records === 0)
        addAll(setText(write.plain(say('empty'), look('ink2')), setting, { type: type.body }));
      for (const handover of job.people ?? []) setHandover(handover);
      if (write.hasMissed())
        addAll(setText(write.plain(say('missing'), look('ink3')), setting, { type: type.small }));
      flow.end();
      drawFrames();
      const brand = say('brand');
      const properties = { title: job.title, subject: exported, author: brand, keywords: '', creator: brand };
      setProperties(doc, properties);
      doc.setCreationDate(new Date(job.madeAt));
      doc.viewerPreferences({ DisplayDocTitle: true });
      doc.setLanguage(say('languageTag') as Parameters<jsPDF['setLanguage']>[0]);
      addOutline(doc, days, page.height);
      face.embed(doc);
      const bytes = Uint8Array.from(Buffer.from(writeProperties(doc.output(), properties), 'latin1'));
      return { title: job.title, pages: doc.getNumberOfPages(), records, digest: '', bytes };
    },
  };
}
