import { randomUUID } from 'node:crypto';
import { createTurnQueue } from '../../store/turn-queue.ts';
import type { Extractor } from './extractor.ts';
import { type Limits, usualLimits } from './limits.ts';
import { type Reader, startReader } from './start-reader.ts';

export interface ExtractorOptions {
  /** Overrides of the default limits; `maxPages` comes from the configuration. */
  limits?: Partial<Limits>;
  /** Maximum number of files read concurrently. */
  max?: number;
  /** Maximum number of waiting files; more are refused. */
  maxWaiting?: number;
  /** Time in ms after which an idle reader process ends. */
  idleTime?: number;
}

/** Retry-After of a refused request, in seconds. */
const retryAfter = 5;
/** A reader process is replaced after this many files, so that leaks and damage in it do not last. */
const filesPerReader = 50;

/** Reads files in separate processes, which are started on demand and end when idle. */
export function createExtractor({
  limits: given = {},
  max = 2,
  maxWaiting = 64,
  idleTime = 20_000,
}: ExtractorOptions = {}): Extractor {
  const limits: Limits = { ...usualLimits, ...given };
  const idle = new Set<Reader>();
  const all = new Set<Reader>();
  const queue = createTurnQueue({
    max,
    maxOfCaller: Math.max(1, max - 1),
    maxWaiting,
    maxWaitingOfCaller: Math.ceil(maxWaiting / 4),
    retryAfter,
  });
  const closed = new AbortController();
  const timers = new Map<Reader, NodeJS.Timeout>();

  function take(): Reader {
    const [reader = startReader(limits)] = idle;
    idle.delete(reader);
    clearTimeout(timers.get(reader));
    all.add(reader);
    return reader;
  }

  /** Returns an intact reader to the pool. */
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
    async extract(path, name, { signal: given, onProgress = () => undefined, caller = randomUUID() }) {
      const signal = given ? AbortSignal.any([given, closed.signal]) : closed.signal;
      const read = async () => {
        const reader = take();
        try {
          return await reader.read({ path, name, limits }, signal, onProgress);
        } finally {
          giveBack(reader);
        }
      };
      return queue.run(signal, read, caller);
    },
    async close() {
      closed.abort();
      await Promise.all([...all].map((reader) => reader.end()));
    },
  };
}
