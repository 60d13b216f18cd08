import type { Logger } from 'pino';

/** Runs work soon after each of many events, at most once every `ms` milliseconds. */
export function createThrottle(
  ms: number,
  work: () => Promise<void>,
  { log, failed }: { log: Pick<Logger, 'warn'>; failed: string },
) {
  let timer: NodeJS.Timeout | null = null;
  let working: Promise<void> = Promise.resolve();
  let doneAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  return {
    soon(): void {
      if (isStopped || timer) return;
      const wait = Math.max(0, doneAt + ms - performance.now());
      timer = setTimeout(() => {
        timer = null;
        doneAt = performance.now();
        working = working.then(work).catch((cause: unknown) => log.warn({ err: cause }, failed));
      }, wait).unref();
    },
    /** Waits for running work; nothing starts afterwards. */
    async stop(): Promise<void> {
      isStopped = true;
      if (timer) clearTimeout(timer);
      await working;
    },
  };
}
