import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Doc } from './bson/values.ts';
import { createCursors } from './commands/cursors.ts';
import { deleteMatching } from './commands/write.ts';
import { openStore, type Store } from './storage/store.ts';

export type OpenEngine = ReturnType<typeof openEngine>;

const DATA_FILE = 'store.sqlite';
const SWEEP_MS = 60_000;

/** Opens the data file and starts the periodic deletion of expired documents and cursors. */
export function openEngine(dataDir: string) {
  const unlock = lockDataDir(dataDir);
  const file = join(dataDir, DATA_FILE);
  const store = openLocked(file, unlock);
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
    /** Refuses further commands; call `close` when the connections have ended. */
    refuseCommands: () => {
      closing = true;
      clearInterval(timer);
    },
    async close(): Promise<void> {
      await sweeping;
      await store.db.committed();
      store.db.close();
      unlock();
    },
  };
}

function openLocked(file: string, unlock: () => void): Store {
  try {
    return openStore(file);
  } catch (error) {
    unlock();
    throw error;
  }
}

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

const LOCK_FILE = 'store.lock';
const OWNER_FILE = 'store.owner';

/**
 * Locks a data folder for this process until the returned function is called, by an open exclusive transaction on a small SQLite
 * file. The operating system releases the lock when the process ends. A file with a process id would not do: in containers, all
 * processes may have the id 1. The owner's file is only for the error message.
 *
 * Nothing else in this process may open and close the lock file: POSIX releases all locks of a process on a file when the process
 * closes any descriptor of it.
 *
 * @throws Error if another process has the lock
 */
function lockDataDir(dataDir: string): () => void {
  const lock = new DatabaseSync(join(dataDir, LOCK_FILE));
  try {
    lock.exec('PRAGMA busy_timeout = 0');
    lock.exec('PRAGMA journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    chmodSync(join(dataDir, LOCK_FILE), 0o600);
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new Error(inUse(dataDir)) : error;
  }
  writeFileSync(join(dataDir, OWNER_FILE), ownName(), { mode: 0o600 });
  return () => {
    lock.exec('ROLLBACK');
    lock.close();
  };
}

const SQLITE_BUSY = 5;
const isBusy = (error: unknown) => ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY;

const ownName = () => `process ${process.pid} on ${hostname()}`;

function inUse(dataDir: string): string {
  return `${dataDir} is in use by ${readOwner(dataDir)}. Stop that process, or set DATA_DIR to another folder.`;
}

function readOwner(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, OWNER_FILE), 'utf8');
  } catch {
    return 'another process';
  }
}
