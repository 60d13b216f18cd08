import { join } from 'node:path';
import type { Doc } from './bson/values.ts';
import { createCursors } from './commands/cursors.ts';
import type { Engine } from './commands/run-command.ts';
import { deleteMatching } from './commands/write.ts';
import { type DataDirLock, lockDataDir } from './lock-data-dir.ts';
import { openStore, type Store } from './storage/store.ts';

export interface OpenEngine extends Engine {
  /** The data file. */
  file: string;
  /** Refuses further commands; call `close` when the connections have ended. */
  refuseCommands(): void;
  close(): Promise<void>;
}

const DATA_FILE = 'store.sqlite';
const SWEEP_MS = 60_000;

/** Opens the data file and starts the periodic deletion of expired documents and cursors. */
export function openEngine(dataDir: string): OpenEngine {
  const lock = lockDataDir(dataDir);
  const file = join(dataDir, DATA_FILE);
  const store = openLocked(file, lock);
  const cursors = createCursors();
  let closing = false;
  let sweeping: Promise<void> = Promise.resolve();
  const sweep = () => {
    cursors.endIdle(Date.now());
    sweeping = sweeping
      .then(() => sweepExpired(store, () => closing))
      .catch(() => {
        // For example a full disk: the next sweep retries.
      });
  };
  sweep();
  const timer = setInterval(sweep, SWEEP_MS).unref();

  return {
    file,
    store,
    cursors,
    closing: () => closing,
    refuseCommands: () => {
      closing = true;
      clearInterval(timer);
    },
    async close() {
      await sweeping;
      await store.db.committed();
      store.db.close();
      lock.release();
    },
  };
}

function openLocked(file: string, lock: DataDirLock): Store {
  try {
    return openStore(file);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Deletes the documents that have expired by TTL indexes, in steps. */
async function sweepExpired(store: Store, isClosing: () => boolean): Promise<void> {
  for (const collection of store.catalogue.all()) {
    for (const { fields, expireAfterSeconds, ready } of [...collection.indexes]) {
      const [field] = fields;
      if (expireAfterSeconds === undefined || !field || !ready) continue;
      const before = new Date(Date.now() - expireAfterSeconds * 1000);
      const filter = { [field.path]: { $lte: before } } as Doc;
      const steps = deleteMatching(store, collection, filter, 0);
      while (!steps.next().done && !isClosing()) {
        await store.db.committed();
        await store.db.room();
      }
    }
  }
}
