import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A folder that is ours until `release`, or until this process ends. */
export interface DataDirLock {
  release(): void;
}

const LOCK_FILE = 'store.lock';
const OWNER_FILE = 'store.owner';

/**
 * Takes a data folder for this process. What holds it is an exclusive lock of the operating system, by an
 * open transaction on a small SQLite file: it falls with the process, so a dead one's is simply taken over,
 * and a number that another process has now (in containers always 1) misleads nobody. The owner's file only
 * tells whom the message should name.
 *
 * Nothing else in this process may open and close the lock file: POSIX drops a process's locks with any of
 * its descriptors of the file.
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
  return `${dataDir} is in use by ${readOwner(dataDir)}. Stop that one, or give this one another folder by DATA_DIR.`;
}

function readOwner(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, OWNER_FILE), 'utf8');
  } catch {
    return 'another process';
  }
}
