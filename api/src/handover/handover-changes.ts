import type { Logger } from 'pino';
import { repeat } from '../store/repeat.ts';
import type { HandoverDocument, HandoverModel } from './handover.ts';

/** Reports changed handovers to the readers of this process, also those that other processes have changed. */
export interface HandoverChanges {
  /** Reports a change by this process immediately. */
  report(changed: Pick<HandoverDocument, '_id' | 'owner' | 'revision'>): void;
  /**
   * Registers a reader and yields the ids of changed handovers of `owner`, or of all if null, until `signal`
   * aborts or the process stops. Yields none after 15 s without changes. An id may be repeated.
   */
  follow(owner: string | null, signal: AbortSignal): AsyncGenerator<string[]>;
  /** Ends all readers. */
  stop(): Promise<void>;
}

/** Interval of reading the changes of other processes, in ms. */
const pollEveryMs = 1000;
/** Maximum difference between the clocks of processes, in ms. */
const clockSkewMs = 60_000;
/** Time without changes after which a reader gets an empty list, in ms. */
const idleMs = 15_000;

interface Reader {
  owner: string | null;
  changed: Set<string>;
  wake(): void;
}

/** One query per interval serves all readers; without readers there is none. */
export function createHandoverChanges(handovers: HandoverModel, log: Logger): HandoverChanges {
  const readers = new Set<Reader>();
  /** Revisions of the handovers changed lately, by id. */
  let reported = new Map<string, number>();
  let polling: ReturnType<typeof repeat> | null = null;
  let isStopping = false;

  function notify(id: string, owner: string): void {
    for (const reader of readers) {
      if (reader.owner !== null && reader.owner !== owner) continue;
      reader.changed.add(id);
      reader.wake();
    }
  }

  async function poll(): Promise<void> {
    const since = new Date(Date.now() - clockSkewMs);
    const lately = await handovers.find({ updatedAt: { $gt: since } }, { owner: 1, revision: 1 }).lean();
    const before = reported;
    reported = new Map(lately.map(({ _id, revision }) => [_id.toHexString(), revision]));
    for (const { _id, owner, revision } of lately) {
      const id = _id.toHexString();
      if (before.get(id) !== revision) notify(id, owner);
    }
  }

  async function remove(reader: Reader): Promise<void> {
    readers.delete(reader);
    reader.wake();
    if (readers.size > 0) return;
    const ended = polling;
    polling = null;
    await ended?.stop();
  }

  async function* read(reader: Reader): AsyncGenerator<string[]> {
    while (readers.has(reader)) {
      if (reader.changed.size === 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        reader.wake = resolve;
        const timer = setTimeout(resolve, idleMs);
        await promise;
        clearTimeout(timer);
      }
      const ids = [...reader.changed];
      reader.changed.clear();
      if (readers.has(reader)) yield ids;
    }
  }

  return {
    report({ _id, owner, revision }) {
      reported.set(_id.toHexString(), revision);
      notify(_id.toHexString(), owner);
    },

    follow(owner, signal) {
      const reader: Reader = { owner, changed: new Set(), wake: () => undefined };
      if (!signal.aborted && !isStopping) {
        readers.add(reader);
        polling ??= repeat(pollEveryMs, log, poll);
        signal.addEventListener('abort', () => void remove(reader), { once: true });
      }
      return read(reader);
    },

    async stop() {
      isStopping = true;
      await Promise.all(Array.from(readers, remove));
    },
  };
}
