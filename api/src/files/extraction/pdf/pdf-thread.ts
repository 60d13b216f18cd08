import { Worker } from 'node:worker_threads';
import { tooLarge } from '../file-to-read.ts';
import type { Limits } from '../limits.ts';
import type { PdfJob, PdfReply, PdfResults } from './pdf-messages.ts';

/** The page was abandoned at its time limit. */
export class PageTooSlow extends Error {
  override readonly name = 'PageTooSlow';
}

/** PDF.js threw an exception with this name. */
export class PdfFailure extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`PDF.js failed: ${reason}`);
    this.reason = reason;
  }
}

export type PdfThread = Awaited<ReturnType<typeof openPdf>>;

/** Interval of comparing time and limit, in ms. */
const interval = 250;
/** A page may take this multiple of its limit while the machine is too busy to work on it. */
const busyFactor = 6;

/** The thread of the previous PDF: starting one takes longer than reading a small file. */
let idle: Worker | null = null;

/**
 * Opens a PDF with PDF.js in a thread of its own, which is ended and replaced when a page takes too long: PDF.js
 * may follow a cycle in the file without ever returning to the event loop. @throws PdfFailure
 */
export async function openPdf(
  bytes: Uint8Array,
  {
    maxPixels,
    pageTime,
    maxHeapMb,
    maxMemoryMb,
  }: Pick<Limits, 'maxPixels' | 'pageTime' | 'maxHeapMb' | 'maxMemoryMb'>,
) {
  const open = { kind: 'open', bytes, maxImageSize: maxPixels } as const;
  let worker = idle ?? startThread(maxHeapMb);
  idle = worker;
  const info = await run(worker, open);
  let isOpen = true;

  /** @throws PageTooSlow, PdfFailure */
  async function ofPage<K extends 'page' | 'rules' | 'images'>(
    kind: K,
    number: number,
  ): Promise<PdfResults[K]> {
    if (!isOpen) {
      worker = startThread(maxHeapMb);
      idle = worker;
      await run(worker, open);
      isOpen = true;
    }
    try {
      return await run(worker, { kind, number } as PdfJob & { kind: K }, pageTime);
    } catch (error) {
      if (error instanceof PdfFailure) throw error;
      idle = null;
      isOpen = false;
      await worker.terminate();
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw tooLarge('memory', maxMemoryMb);
      throw error;
    }
  }

  return {
    ...info,
    page: (number: number) => ofPage('page', number),
    rules: (number: number) => ofPage('rules', number),
    images: (number: number) => ofPage('images', number),
  };
}

function startThread(maxHeapMb: number): Worker {
  const worker = new Worker(new URL('./pdf-document.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  // A thread may run out of memory while it is being terminated: without a listener, this error would end the reader process.
  worker.on('error', () => undefined);
  return worker;
}

function run<J extends PdfJob>(worker: Worker, job: J, limit?: number): Promise<PdfResults[J['kind']]> {
  const result = Promise.withResolvers<PdfResults[J['kind']]>();
  const onReply = (reply: PdfReply) => {
    if ('error' in reply) result.reject(new PdfFailure(reply.error));
    else result.resolve(reply.value as PdfResults[J['kind']]);
  };
  const onExit = () => result.reject(new Error('the thread of a PDF ended'));
  worker.once('message', onReply);
  worker.once('error', result.reject);
  worker.once('exit', onExit);
  const timer =
    limit === undefined ? undefined : watch(worker, limit, () => result.reject(new PageTooSlow()));
  worker.postMessage(job);
  return result.promise.finally(() => {
    clearInterval(timer);
    worker.off('message', onReply);
    worker.off('error', result.reject);
    worker.off('exit', onExit);
  });
}

/**
 * Calls `onEnd` once the thread has worked or been idle for `limit` ms. Time in which it waited for a processor
 * does not count, up to `busyFactor` times the limit.
 */
function watch(worker: Worker, limit: number, onEnd: () => void): NodeJS.Timeout {
  const start = performance.now();
  const before = timeOf(worker);
  return setInterval(async () => {
    const time = performance.now() - start;
    if (time < limit) return;
    const used = (await timeOf(worker)) - (await before);
    if (used >= limit || time > limit * busyFactor) onEnd();
  }, interval);
}

/** Processor time and idle time of a thread in ms; all of its time if Node does not provide the processor time. */
async function timeOf(worker: Worker): Promise<number> {
  const { idle, active } = worker.performance.eventLoopUtilization();
  const used = await worker.cpuUsage?.().catch(() => null);
  return idle + (used ? (used.user + used.system) / 1000 : active);
}
