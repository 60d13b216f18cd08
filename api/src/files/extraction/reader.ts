import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { FileFailure } from './file-to-read.ts';
import { readFileText } from './read-file-text.ts';
import type { Failure, FromReader, ReadJob } from './reader-messages.ts';

const send = (message: FromReader) =>
  new Promise<void>((resolve) => {
    if (!process.send) return resolve();
    process.send(message, () => resolve());
  });

/** UTF-16 units per message. */
const partSize = 256 * 1024;

// Lower priority than serving requests.
setPriority(5);
watchMemory(Number(process.argv[2]));

process.on('message', (job: ReadJob) => {
  void read(job);
});
process.on('disconnect', () => process.exit());
// An exception outside the call stack of a library call: caused by the file.
process.on('uncaughtException', endBroken);
process.on('unhandledRejection', endBroken);

async function read(job: ReadJob): Promise<void> {
  try {
    await send({ kind: 'started' });
    const { text, ...extracted } = await readFileText(
      job,
      (progress) => send({ kind: 'progress', progress }),
      (extracted) => send({ kind: 'seen', extracted }),
    );
    for (let at = 0; at < text.length; at += partSize) {
      await send({ kind: 'text', part: text.slice(at, at + partSize) });
    }
    await send({ kind: 'done', extracted });
  } catch (error) {
    await send({ kind: 'failed', failure: failureOf(error) });
  }
}

/** Exceptions other than FileFailure come from libraries, for example a stack overflow. */
function failureOf(error: unknown): Failure {
  return error instanceof FileFailure ? error.failure : { kind: 'unreadable', reason: 'damaged' };
}

async function endBroken(error: unknown): Promise<void> {
  await send({ kind: 'broken', failure: failureOf(error) });
  process.exit();
}

/**
 * Ends this process if it exceeds `maxMb` of memory of any kind, or if its parent process has ended. Runs in
 * a thread, since the main thread may be blocked by the file that uses the memory.
 */
function watchMemory(maxMb: number): void {
  new Worker(new URL('./memory-watcher.ts', import.meta.url), {
    workerData: { maxMb, parent: process.ppid },
  });
}
