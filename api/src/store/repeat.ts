import type { Logger } from 'pino';

/** Now and every `ms`, never concurrently. Exceptions are logged, and it continues. */
export function repeat(ms: number, log: Logger, work: () => Promise<unknown>): { stop(): Promise<void> } {
  let current: Promise<void> | null = null;
  const run = () => {
    current ??= work()
      .then(() => undefined)
      .catch((cause: unknown) => log.warn({ err: cause }, 'background work failed'))
      .finally(() => {
        current = null;
      });
  };
  const timer = setInterval(run, ms);
  timer.unref();
  run();
  return {
    async stop() {
      clearInterval(timer);
      await current;
    },
  };
}
