import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The lock of a data folder, until `release` or the end of this process. */
export interface DataDirLock {
  release(): void;
}

const LOCK_FILE = 'store.lock';
const OWNER_FILE = 'store.owner';

/**
 * Locks a data folder for this process, by an open exclusive transaction on a small SQLite file. The operating system releases the lock
 * when the process ends, and unlike a file with a process id it cannot be mistaken for the lock of another process with the same
 * id (in containers always 1). The owner's file is only for the error message.
 *
 * Nothing else in this process may open and close the lock file: POSIX releases all locks of a process on a file when the process closes
 * any descriptor of it.
 *
 * @throws Error when another process has the lock
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const lock = new DatabaseSync(join(dataDir, LOCK_FILE));
  try {
    lock.exec('PRAGMA busy_timeout = 0');
    lock.exec('PRAGMA journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new Error(inUse(dataDir)) : error;
  }
  writeFileSync(join(dataDir, OWNER_FILE), ownName(), { mode: 0o600 });
  return {
    release() {
      lock.exec('ROLLBACK');
      lock.close();
    },
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
