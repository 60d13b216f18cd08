import { Worker } from 'node:worker_threads';
import type { MadeReport, ReportJob, ReportSlice } from './report-job.ts';
import type { FromPdfWorker, ToPdfWorker } from './worker.ts';

/** Memory limit of the worker in MB: 5,000 ordinary records need less than half. */
const memoryMb = 1024;

/**
 * Creates a report in a worker thread of its own. The thread requests the next slice after laying out the
 * previous one, so that at most one is waiting. Ends immediately when `signal` aborts.
 * @throws AbortError; Error if the thread dies, for example because of the memory limit; whatever `slices`
 * throws.
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
  const send = (message: ToPdfWorker) => worker.postMessage(message);
  let onAbort: () => void = () => undefined;
  try {
    return await new Promise<MadeReport>((resolve, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      worker.on('error', reject);
      worker.on('exit', (code) => reject(new Error(`the worker thread of a report ended with ${code}`)));
      worker.on('message', (message: FromPdfWorker) => {
        if (message.kind === 'made') return resolve(message.report);
        source.next().then(({ done, value }) => {
          send(done ? { kind: 'end' } : { kind: 'slice', slice: value });
        }, reject);
      });
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
    await Promise.all([worker.terminate(), source.return?.()]);
  }
}
