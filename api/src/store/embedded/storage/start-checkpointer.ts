import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FromCheckpointer } from './checkpointer.ts';
import { backlogOf, createProgress, inWalOf, tell } from './progress.ts';
import type { Scrubbed } from './scrub.ts';

/** Keeps the WAL of a data file short, beside whoever writes it. */
export interface Checkpointer {
  /** Pages of the WAL at its last look. */
  inWal(): number;
  /** Those of them that the data file did not have yet. */
  backlog(): number;
  /**
   * Overwrites what content that went elsewhere left in the file, but for what the WAL has behind what is returned; then folds nothing
   * back until `goOn`.
   */
  scrub(): Promise<Scrubbed>;
  goOn(): void;
  stop(): Promise<void>;
}

/** @param fd the file, open to read and to write */
export function startCheckpointer(file: string, fd: number): Checkpointer {
  const progress = createProgress();
  const worker = new Worker(new URL('./checkpointer.ts', import.meta.url), {
    workerData: { file, fd, progress },
  });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.on('error', (error) => {
    console.error(`The WAL is folded back by the writer alone: ${error.message}`);
    tell(progress, 0, 0);
  });
  return {
    inWal: () => inWalOf(progress),
    backlog: () => backlogOf(progress),
    async scrub() {
      worker.postMessage('scrub');
      const answer = await Promise.race([once(worker, 'message'), ended]);
      const [found] = (Array.isArray(answer) ? answer : [{ error: 'the thread ended' }]) as [
        FromCheckpointer,
      ];
      if ('error' in found) throw new Error(`The data file could not be scrubbed: ${found.error}`);
      return found.scrubbed;
    },
    goOn: () => worker.postMessage('go-on'),
    async stop() {
      worker.postMessage('stop');
      await ended;
      tell(progress, 0, 0);
    },
  };
}
