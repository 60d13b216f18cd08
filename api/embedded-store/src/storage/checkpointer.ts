import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { type Progress, setProgress } from './progress.ts';
import { createScrubber, pagesInWal, type Scrubbed } from './scrub.ts';

/**
 * A thread that checkpoints the WAL into the data file, on a connection of its own. A checkpoint writes and syncs megabytes, which would block
 * all commands in the thread of the store; a passive checkpoint waits for no lock and blocks no one. `progress` shows how far it
 * is, so that commands with many writes can wait for it.
 * On request the thread scrubs the file, and makes no checkpoints until `resume`. Between `stop` and the next file it does nothing.
 */
export type ToCheckpointer = DataFile | 'stop' | 'scrub' | 'resume';
/** The reply to `scrub`, and to `stop`. */
export type FromCheckpointer = { error: string } | { scrubbed: Scrubbed } | 'stopped';

interface DataFile {
  file: string;
  /** Open for reading and writing. */
  fd: number;
  progress: Progress;
}

const EVERY_MS = 50;
/** With fewer pages left, the store's own thread scrubs the rest. */
const FEW = 100;
const MAX_ROUNDS = 50;

const port = parentPort;
if (!port) throw new Error('checkpointer.ts runs as a worker thread');

function open({ file, fd, progress }: DataFile) {
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

  return {
    scrub(): FromCheckpointer {
      isPaused = true;
      try {
        return { scrubbed: scrub() };
      } catch (error) {
        return { error: (error as Error).message };
      }
    },
    resume(): void {
      isPaused = false;
    },
    close(): void {
      clearInterval(timer);
      sqlite.close();
    },
  };
}

let current: ReturnType<typeof open> | undefined;

port.on('message', (message: ToCheckpointer) => {
  if (message === 'scrub') port.postMessage(current?.scrub());
  else if (message === 'resume') current?.resume();
  else if (message === 'stop') {
    current?.close();
    current = undefined;
    port.postMessage('stopped');
  } else current = open(message);
});
