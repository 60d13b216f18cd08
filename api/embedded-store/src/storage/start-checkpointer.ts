import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FromCheckpointer } from './checkpointer.ts';
import { backlogOf, createProgress, inWalOf, setProgress } from './progress.ts';
import type { Scrubbed } from './scrub.ts';

export type Checkpointer = ReturnType<typeof startCheckpointer>;

/**
 * The thread that checkpoints the WAL of a data file.
 * @param fd the data file, open for reading and writing
 */
export function startCheckpointer(file: string, fd: number) {
  const progress = createProgress();
  const worker = new Worker(new URL('./checkpointer.ts', import.meta.url), {
    workerData: { file, fd, progress },
  });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.on('error', (error) => {
    console.error(
      `The thread that checkpoints the WAL has failed; the store's own thread does it now: ${error.message}`,
    );
    setProgress(progress, 0, 0);
  });
  return {
    /** Pages in the WAL at its last checkpoint. */
    inWal: (): number => inWalOf(progress),
    /** Those of them that were not checkpointed. */
    backlog: (): number => backlogOf(progress),
    /**
     * Overwrites unallocated space in the data file, except in pages that the WAL has after the returned position. Then makes no checkpoints
     * until `resume`.
     */
    async scrub(): Promise<Scrubbed> {
      worker.postMessage('scrub');
      const answer = await Promise.race([once(worker, 'message'), ended]);
      const [found] = (Array.isArray(answer) ? answer : [{ error: 'the thread ended' }]) as [
        FromCheckpointer,
      ];
      if ('error' in found) throw new Error(`The data file could not be scrubbed: ${found.error}`);
      return found.scrubbed;
    },
    resume: (): void => worker.postMessage('resume'),
    async stop(): Promise<void> {
      worker.postMessage('stop');
      await ended;
      setProgress(progress, 0, 0);
    },
  };
}
