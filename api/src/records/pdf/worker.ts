import { parentPort, workerData } from 'node:worker_threads';
import type { Handover } from '../../contract/handover.ts';
import { createReport } from './create-report.ts';
import { createFlow, type Piece, setSpace } from './flow.ts';
import { type FontFile, readNotoSansSc } from './font-file.ts';
import { openDocument } from './open-document.ts';
import type { MadeReport, ReportJob, ReportSlice } from './report-job.ts';
import { type } from './rich-text.ts';
import { createRecordLayout } from './set-record.ts';

/** `end` follows the last slice. */
export type ToPdfWorker = { kind: 'slice'; slice: ReportSlice } | { kind: 'end' };
/** `more` requests a slice, once at the start and once after each. */
export type FromPdfWorker = { kind: 'more' } | { kind: 'made'; report: MadeReport };

const port = parentPort;
if (!port) throw new Error('worker.ts runs as a worker thread');
const send = (message: FromPdfWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

const job = workerData as ReportJob;
const create = job.isConversation ? createConversationDocument : createReport;
const report = create(job, readNotoSansSc());
port.on('message', (message: ToPdfWorker) => {
  if (message.kind === 'slice') {
    report.add(message.slice);
    return send({ kind: 'more' });
  }
  const made = report.end();
  send({ kind: 'made', report: made }, [made.bytes.buffer]);
  port.close();
});
send({ kind: 'more' });

/** A4: the title, then the records by day, without ratings. Slow: run it in a worker thread. */
function createConversationDocument(job: ReportJob, font: FontFile) {
  const { doc, say, time, write, setDay, drawFrames, end } = openDocument(job, font);
  let pages = 0;
  const flow = createFlow(() => {
    pages += 1;
    // A new document has one page.
    return pages === 1 ? 1 : doc.addPage().getNumberOfPages();
  });
  let records = 0;
  let day = '';

  const made = time.of(job.madeAt);
  const setRecord = createRecordLayout(write, say);
  addAll(write.set(job.title, 'ink', type.title, { isBold: true }));
  const exported = `${say('exported', { at: `${made.day} ${made.time}` })}  ·  ${job.tz}`;
  addAll(write.set(exported, 'ink3', type.small, { isKept: true }));

  function addAll(pieces: readonly Piece[]): void {
    for (const piece of pieces) flow.add(piece);
  }

  function setHandover({ question, createdAt, messages }: Handover): void {
    const asked = time.of(createdAt);
    addAll(setDay(`${say('person')} · ${time.nameOf(asked.day)}`));
    const all = [{ from: 'visitor', name: '', text: question, createdAt }, ...messages] as const;
    for (const { from, name, text, createdAt: sentAt } of all) {
      const at = time.of(sentAt);
      const by = `${from === 'agent' ? name : say('visitor')}  ·  ${at.day} ${at.time}`;
      addAll([setSpace(12), ...write.set(by, 'ink3', type.small, { isKept: true })]);
      addAll([setSpace(2), ...write.set(text, 'ink', type.body)]);
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
        addAll(setRecord({ record: shown, number: records, time: at.time, pictures: slice.pictures }));
      }
    },
    end(): MadeReport {
      if (records === 0) addAll(write.set(say('empty'), 'ink2', type.body));
      for (const handover of job.people ?? []) setHandover(handover);
      if (write.hasMissed()) addAll(write.set(say('missing'), 'ink3', type.small));
      flow.end();
      drawFrames(job.title);
      const bytes = end({ title: job.title, subject: exported, keywords: '' });
      return { title: job.title, pages: doc.getNumberOfPages(), records, digest: '', bytes };
    },
  };
}
