import { once } from 'node:events';
import { createThreadPool } from '../thread-pool.ts';
import type { FromCheckpointer, ToCheckpointer } from './checkpointer.ts';
import { backlogOf, createProgress, inWalOf, setProgress } from './progress.ts';
import type { Scrubbed } from './scrub.ts';

export type Checkpointer = ReturnType<typeof startCheckpointer>;

const threads = createThreadPool(new URL('./checkpointer.ts', import.meta.url));

/** The thread that checkpoints the WAL of a data file. @param fd open for reading and writing */
export function startCheckpointer(file: string, fd: number) {
  const progress = createProgress();
  const worker = threads.take();
  const send = (message: ToCheckpointer) => worker.postMessage(message);
  let hasFailed = false;
  const fail = (error: Error) => {
    hasFailed = true;
    console.error(
      `The thread that checkpoints the WAL has failed; the store's own thread does it now: ${error.message}`,
    );
    setProgress(progress, 0, 0);
  };
  worker.on('error', fail);
  const ended = Promise.withResolvers<unknown>();
  worker.on('exit', ended.resolve);
  send({ file, fd, progress });
  return {
    /** Pages in the WAL at its last checkpoint. */
    inWal: (): number => inWalOf(progress),
    /** Those of them that were not checkpointed. */
    backlog: (): number => backlogOf(progress),
    /** Overwrites free space except in pages of the WAL after the result. No checkpoints until `resume`. */
    async scrub(): Promise<Scrubbed> {
      send('scrub');
      const answer = await Promise.race([once(worker, 'message'), ended.promise]);
      const [found] = (Array.isArray(answer) ? answer : [{ error: 'the thread ended' }]) as [
        Exclude<FromCheckpointer, 'stopped'>,
      ];
      if ('error' in found) throw new Error(`The data file could not be scrubbed: ${found.error}`);
      return found.scrubbed;
    },
    resume: (): void => send('resume'),
    async stop(): Promise<void> {
      // All commands have ended, so this is not the answer to `scrub`.
      const stopped = once(worker, 'message').catch(() => undefined);
      if (!hasFailed) {
        send('stop');
        await Promise.race([stopped, ended.promise]);
      }
      worker.off('error', fail).off('exit', ended.resolve);
      if (!hasFailed) threads.putBack(worker);
      setProgress(progress, 0, 0);
    },
  };
}
