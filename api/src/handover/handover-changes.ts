import { databaseNow } from '../store/database-clock.ts';
import type { HandoverDocument, HandoverModel } from './handover.ts';

/** Age of the changes that are read again, in ms: a store that does not answer delays the next read. */
const lookBackMs = 60_000;

interface Reader {
  owner: string | null;
  changed: Set<string>;
  wake(): void;
}

export type HandoverChanges = ReturnType<typeof createHandoverChanges>;

/** Reports changed handovers to the readers of this process, also if another process changed them. */
export function createHandoverChanges(handovers: HandoverModel) {
  const readers = new Set<Reader>();
  /** Revisions of the handovers changed lately, by id. */
  let reported = new Map<string, number>();
  let isStopping = false;

  function notify(id: string, owner: string): void {
    for (const reader of readers) {
      if (reader.owner !== null && reader.owner !== owner) continue;
      reader.changed.add(id);
      reader.wake();
    }
  }

  async function readLatest(): Promise<void> {
    const since = new Date(databaseNow() - lookBackMs);
    const lately = await handovers.find({ updatedAt: { $gt: since } }, { owner: 1, revision: 1 }).lean();
    const before = reported;
    reported = new Map(lately.map(({ _id, revision }) => [_id.toHexString(), revision]));
    for (const { _id, owner, revision } of lately) {
      const id = _id.toHexString();
      if (before.get(id) !== revision) notify(id, owner);
    }
  }

  function remove(reader: Reader): void {
    readers.delete(reader);
    reader.wake();
  }

  /** Waits for changes. Ends when the reader was removed. */
  async function next(reader: Reader): Promise<IteratorResult<string[], undefined>> {
    if (readers.has(reader) && reader.changed.size === 0)
      await new Promise<void>((resolve) => {
        reader.wake = resolve;
      });
    if (!readers.has(reader)) return { done: true, value: undefined };
    const value = [...reader.changed];
    reader.changed.clear();
    return { done: false, value };
  }

  return {
    /** Reports a change by this process immediately. */
    report({ _id, owner, revision }: Pick<HandoverDocument, '_id' | 'owner' | 'revision'>): void {
      reported.set(_id.toHexString(), revision);
      notify(_id.toHexString(), owner);
    },

    /** Reports changes by other processes. One query serves all readers; without readers there is none. */
    async refresh(): Promise<void> {
      if (readers.size > 0) await readLatest();
    },

    /**
     * Registers a reader and yields the ids of changed handovers of `owner`, or of all if null, until `signal`
     * aborts or the process stops. An id may be repeated. Not a generator, which takes more memory while it waits.
     */
    follow(owner: string | null, signal: AbortSignal): AsyncIterableIterator<string[], undefined> {
      const reader: Reader = { owner, changed: new Set(), wake: () => undefined };
      if (!signal.aborted && !isStopping) {
        readers.add(reader);
        signal.addEventListener('abort', () => remove(reader), { once: true });
      }
      return {
        next: () => next(reader),
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },

    stop(): void {
      isStopping = true;
      for (const reader of readers) remove(reader);
    },
  };
}
