import { parentPort, workerData } from 'node:worker_threads';
import { createConversationDocument } from './create-conversation-document.ts';
import { createReport } from './create-report.ts';
import { readNotoSansSc } from './font-file.ts';
import type { MadeReport, ReportJob, ReportSlice } from './report-job.ts';

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
