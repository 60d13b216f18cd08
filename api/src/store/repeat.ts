import type { Logger } from 'pino';

/** Does `work` now and every `ms`, never twice at a time. What it throws is logged, and tried again next time. */
export function repeat(ms: number, log: Logger, work: () => Promise<unknown>): { stop(): Promise<void> } {
  let current: Promise<void> | null = null;
  const run = () => {
    current ??= work()
      .then(() => undefined)
      .catch((cause: unknown) => log.warn({ err: cause }, 'work in the background failed'))
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
