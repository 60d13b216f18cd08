import { Worker } from 'node:worker_threads';
import type { MadeReport, ReportJob, ReportSlice } from './report-job.ts';
import type { FromPdfWorker, ToPdfWorker } from './worker.ts';

/** MB of JavaScript that one report may take: 5,000 records of everyday length take less than half. */
const memoryMb = 1024;

/**
 * Makes a report in a thread of its own, which ends with it. The thread asks for the next slice when it has laid out the one before,
 * so that no more than one waits. Ends at once when `signal` aborts.
 *
 * @throws AbortError; Error when the thread dies, of too much memory for one; whatever `slices` throws.
 */
export async function makeInWorker(
  job: ReportJob,
  slices: AsyncIterable<ReportSlice>,
  signal: AbortSignal,
  maxMemoryMb = memoryMb,
): Promise<MadeReport> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
  const source = slices[Symbol.asyncIterator]();
  const tell = (message: ToPdfWorker) => worker.postMessage(message);
  let onAbort: () => void = () => undefined;
  try {
    return await new Promise<MadeReport>((resolve, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      worker.on('error', reject);
      worker.on('exit', (code) => reject(new Error(`the thread that makes a report ended with ${code}`)));
      worker.on('message', (message: FromPdfWorker) => {
        if (message.kind === 'made') return resolve(message.report);
        source.next().then(({ done, value }) => {
          tell(done ? { kind: 'end' } : { kind: 'slice', slice: value });
        }, reject);
      });
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
    await Promise.all([worker.terminate(), source.return?.()]);
  }
}
