import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A thread that folds the WAL back into the data file, by a connection of its own. That takes writing and
 * syncing of whole megabytes, which would stall every command; a passive checkpoint waits for nobody and
 * nobody waits for it. What it has not done when the WAL is full, the writer does itself.
 */
const EVERY_MS = 200;

const port = parentPort;
if (!port) throw new Error('checkpointer.ts runs as a worker thread');

const sqlite = new DatabaseSync((workerData as { file: string }).file);
const checkpoint = sqlite.prepare('PRAGMA wal_checkpoint(PASSIVE)');
const timer = setInterval(() => {
  try {
    checkpoint.get();
  } catch {
    // A full disk, say: the commands report that to those it concerns.
  }
}, EVERY_MS);

port.once('message', () => {
  clearInterval(timer);
  sqlite.close();
  port.close();
});
