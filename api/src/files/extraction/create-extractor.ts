import { randomUUID } from 'node:crypto';
import { createTurnQueue } from '../../store/turn-queue.ts';
import type { Extracted, ExtractionProgress } from './extractor.ts';
import { type Limits, usualLimits } from './limits.ts';
import { type Reader, startReader } from './start-reader.ts';

export interface ExtractorOptions {
  /** Overrides of the default limits; `maxPages` comes from the configuration. */
  limits?: Partial<Limits>;
  /** Maximum number of files read concurrently; the same number again of files that take longer than `turnTime`. */
  max?: number;
  /** Time in ms, from the start of reading, after which the next file no longer waits for this one. */
  turnTime?: number;
  /** Maximum number of waiting files; more are refused. */
  maxWaiting?: number;
  /** Time in ms after which an idle reader process ends. */
  idleTime?: number;
}

/** Retry-After of a refused request, in seconds. */
const retryAfter = 5;
/** A reader process is replaced after this many files, so that leaks and damage in it do not last. */
const filesPerReader = 50;

export type Extractor = ReturnType<typeof createExtractor>;

/**
 * Extracts text from files. The format is detected from the content; the name is used for messages and to distinguish
 * Markdown, CSV and plain text. Reads in separate processes with limited time, memory and number, so that no file can
 * harm the server; they are started on demand and end when idle. A file that takes longer than its turn leaves the
 * queue and continues if there is room, otherwise it is read again later, so that it delays no other caller.
 */
export function createExtractor({
  limits: given = {},
  max = 2,
  turnTime = 5000,
  maxWaiting = 64,
  idleTime = 20_000,
}: ExtractorOptions = {}) {
  const limits: Limits = { ...usualLimits, ...given };
  const idle = new Set<Reader>();
  const all = new Set<Reader>();
  const lane = {
    max,
    maxOfCaller: Math.max(1, max - 1),
    maxWaiting,
    maxWaitingOfCaller: Math.ceil(maxWaiting / 4),
    retryAfter,
  };
  const queue = createTurnQueue(lane);
  /** For files that take longer than a turn: no other file waits for them. */
  const longQueue = createTurnQueue(lane);
  const closed = new AbortController();
  const timers = new Map<Reader, NodeJS.Timeout>();

  function take(): Reader {
    const [reader = startReader(limits)] = idle;
    idle.delete(reader);
    clearTimeout(timers.get(reader));
    all.add(reader);
    return reader;
  }

  function giveBack(reader: Reader): void {
    const isWornOut = reader.files >= filesPerReader;
    if (!reader.isUsable || isWornOut || closed.signal.aborted) {
      end(reader);
      return;
    }
    idle.add(reader);
    timers.set(reader, setTimeout(() => end(reader), idleTime).unref());
  }

  function end(reader: Reader): void {
    clearTimeout(timers.get(reader));
    timers.delete(reader);
    idle.delete(reader);
    void reader.end().then(() => all.delete(reader));
  }

  return {
    /**
     * @param path a local file, which is only read.
     * @param caller queues are served round-robin by caller, so that one caller's files do not delay others for long. A
     * call without one counts as its own caller.
     * @throws unsupported_type (415), too_large (413: pages, or unpacked size), unreadableFile (422: encrypted, truncated,
     * damaged, too slow), unavailable if too many files are waiting, rate_limited if too many of `caller` are; an
     * AbortError when `signal` aborts.
     */
    async extract(
      path: string,
      name: string,
      {
        signal: given,
        onProgress = () => undefined,
        caller = randomUUID(),
      }: { signal?: AbortSignal; onProgress?: (progress: ExtractionProgress) => void; caller?: string },
    ): Promise<Extracted> {
      const signal = given ? AbortSignal.any([given, closed.signal]) : closed.signal;
      let reader: Reader | undefined;
      const read = async (until: AbortSignal, onStart?: () => void) => {
        reader = take();
        try {
          return await reader.read({ path, name, limits }, until, onProgress, onStart);
        } finally {
          giveBack(reader);
        }
      };
      const readLong = () => {
        const reading = read(signal);
        reader?.yieldToOthers();
        return reading;
      };
      const turn = async (): Promise<{ rest: () => Promise<Extracted> }> => {
        const stop = new AbortController();
        const started = Promise.withResolvers<void>();
        const reading = read(AbortSignal.any([signal, stop.signal]), started.resolve);
        await Promise.race([started.promise, reading.catch(() => undefined)]);
        if (await isOver(reading, turnTime)) return { rest: () => reading };
        if (longQueue.isFree(caller)) {
          reader?.yieldToOthers();
          const rest = longQueue.run(signal, () => reading, caller);
          return { rest: () => rest };
        }
        stop.abort();
        await reading.catch(() => undefined);
        return { rest: () => longQueue.run(signal, readLong, caller) };
      };
      const { rest } = await queue.run(signal, turn, caller);
      return rest();
    },
    /** Aborts all reading and ends the processes. */
    async close(): Promise<void> {
      closed.abort();
      await Promise.all([...all].map((reader) => reader.end()));
    },
  };
}

/** Whether `work` ends within `ms`, successfully or not. */
async function isOver(work: Promise<unknown>, ms: number): Promise<boolean> {
  const time = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => time.resolve(false), ms);
  const over = work.then(
    () => true,
    () => true,
  );
  return Promise.race([over, time.promise]).finally(() => clearTimeout(timer));
}
