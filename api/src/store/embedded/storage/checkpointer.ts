import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { type Progress, tell } from './progress.ts';
import { createScrubber, pagesInWal, type Scrubbed } from './scrub.ts';

/**
 * A thread that folds the WAL back into the data file, by a connection of its own. That takes writing and
 * syncing of whole megabytes, which would stall every command; a passive checkpoint waits for nobody and
 * nobody waits for it. How far it has come is in `progress`: who writes much lets it catch up.
 * It also scrubs the file, on demand, and leaves the WAL as it is from then on until it is told to go on.
 */
export type ToCheckpointer = 'stop' | 'scrub' | 'go-on';
/** The answer to `scrub`. */
export type FromCheckpointer = { error: string } | { scrubbed: Scrubbed };

const EVERY_MS = 50;

const port = parentPort;
if (!port) throw new Error('checkpointer.ts runs as a worker thread');

const { file, fd, progress } = workerData as { file: string; fd: number; progress: Progress };
const sqlite = new DatabaseSync(file);
const checkpoint = sqlite.prepare('PRAGMA wal_checkpoint(PASSIVE)');

/** Returns how many frames of the WAL the file has now. */
function fold(): number {
  try {
    const { log, checkpointed } = checkpoint.get() ?? {};
    tell(progress, Number(log), Number(checkpointed));
    return Math.max(0, Number(checkpointed));
  } catch {
    // A full disk, say: the commands report that to those it concerns, and nobody waits for what does not come.
    tell(progress, 0, 0);
    return 0;
  }
}
let isHeld = false;
const timer = setInterval(() => {
  if (!isHeld) fold();
}, EVERY_MS);

/** So few pages that the writer does the rest at once. */
const FEW = 100;
const MOST_ROUNDS = 50;

/** Everything that is in the file, then what the WAL has meanwhile brought, until that is little. All of it is on the disk then. */
function scrub(): Scrubbed {
  const reader = new DatabaseSync(file);
  const scrubber = createScrubber(fd);
  let scrubbed: Scrubbed | undefined;
  try {
    fold();
    scrubber.all();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      // A reader keeps the WAL from being folded beyond what it sees: so what is folded is among the pages that are listed.
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM sqlite_schema').get();
      const { wal, pages } = pagesInWal(file, scrubbed);
      scrubbed = { wal, frames: fold() };
      scrubber.pages(pages);
      reader.exec('COMMIT');
      // Here it keeps nobody waiting.
      scrubber.sync();
      if (pages.size < FEW) break;
    }
  } finally {
    reader.close();
  }
  return scrubbed ?? { wal: '', frames: 0 };
}

function answered(): FromCheckpointer {
  try {
    return { scrubbed: scrub() };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

port.on('message', (message: ToCheckpointer) => {
  isHeld = message === 'scrub';
  if (isHeld) port.postMessage(answered());
  if (message !== 'stop') return;
  clearInterval(timer);
  sqlite.close();
  port.close();
});
