import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { backlogOf, createProgress, inWalOf, tell } from './progress.ts';

/** Keeps the WAL of a data file short, beside whoever writes it. */
export interface Checkpointer {
  /** Pages of the WAL at its last look. */
  inWal(): number;
  /** Those of them that the data file did not have yet. */
  backlog(): number;
  /** Overwrites what content that went elsewhere left in the file, but for what the WAL has; then folds nothing back until `goOn`. */
  scrub(): Promise<void>;
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
      const [{ error }] = (Array.isArray(answer) ? answer : [{ error: 'the thread ended' }]) as [
        { error?: string },
      ];
      if (error !== undefined) throw new Error(`The data file could not be scrubbed: ${error}`);
    },
    goOn: () => worker.postMessage('go-on'),
    async stop() {
      worker.postMessage('stop');
      await ended;
      tell(progress, 0, 0);
    },
  };
}
