import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { type Progress, setProgress } from './progress.ts';
import { createScrubber, pagesInWal, type Scrubbed } from './scrub.ts';

/**
 * A thread that checkpoints the WAL into the data file, on a connection of its own. A checkpoint writes and syncs megabytes, which would block
 * all commands in the thread of the store; a passive checkpoint waits for no lock and blocks no one. `progress` shows how far it
 * is, so that commands with many writes can wait for it.
 * On request the thread scrubs the file, and makes no checkpoints until `resume`.
 */
type ToCheckpointer = 'stop' | 'scrub' | 'resume';
/** The reply to `scrub`. */
export type FromCheckpointer = { error: string } | { scrubbed: Scrubbed };

const EVERY_MS = 50;

const port = parentPort;
if (!port) throw new Error('checkpointer.ts runs as a worker thread');

const { file, fd, progress } = workerData as { file: string; fd: number; progress: Progress };
const sqlite = new DatabaseSync(file);
const checkpoint = sqlite.prepare('PRAGMA wal_checkpoint(PASSIVE)');

/** @returns how many frames of the WAL are in the data file now */
function runCheckpoint(): number {
  try {
    const { log, checkpointed } = checkpoint.get() ?? {};
    setProgress(progress, Number(log), Number(checkpointed));
    return Math.max(0, Number(checkpointed));
  } catch {
    // For example a full disk, which commands that write report. They must not wait for progress now.
    setProgress(progress, 0, 0);
    return 0;
  }
}
let isPaused = false;
const timer = setInterval(() => {
  if (!isPaused) runCheckpoint();
}, EVERY_MS);

/** With fewer pages left, the store's own thread scrubs the rest. */
const FEW = 100;
const MAX_ROUNDS = 50;

/** Scrubs the whole file, then the pages that were written meanwhile, until only a few are left. The file is synced afterwards. */
function scrub(): Scrubbed {
  const reader = new DatabaseSync(file);
  const scrubber = createScrubber(fd);
  let scrubbed: Scrubbed | undefined;
  try {
    runCheckpoint();
    scrubber.all();
    for (let round = 0; round < MAX_ROUNDS; round++) {
      // An open reader limits the checkpoint to the frames that existed when it began, so the listed pages include all checkpointed ones.
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM sqlite_schema').get();
      const { wal, pages } = pagesInWal(file, scrubbed);
      scrubbed = { wal, frames: runCheckpoint() };
      scrubber.pages(pages);
      reader.exec('COMMIT');
      // Syncing here does not block commands.
      scrubber.sync();
      if (pages.size < FEW) break;
    }
  } finally {
    reader.close();
  }
  return scrubbed ?? { wal: '', frames: 0 };
}

function scrubReply(): FromCheckpointer {
  try {
    return { scrubbed: scrub() };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

port.on('message', (message: ToCheckpointer) => {
  isPaused = message === 'scrub';
  if (isPaused) port.postMessage(scrubReply());
  if (message !== 'stop') return;
  clearInterval(timer);
  sqlite.close();
  port.close();
});
