import { unavailable } from '../errors.ts';

/** Lets so much work be done at once, and so much wait. */
export interface ReportQueue {
  /**
   * Does `work` when it is its turn.
   *
   * @throws unavailable when too much waits; AbortError.
   */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Seconds until a refused caller should ask again: a large report takes some. */
const retryAfter = 10;

export function createReportQueue({ most, mostWaiting }: { most: number; mostWaiting: number }): ReportQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function turn(signal: AbortSignal): Promise<void> {
    if (running < most) {
      running += 1;
      return;
    }
    if (waiting.length >= mostWaiting) throw unavailable(retryAfter);
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(signal.reason);
      };
      waiting.push(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
  /** A place is handed on, never free in between. */
  function handOn(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return {
    async run(signal, work) {
      signal.throwIfAborted();
      await turn(signal);
      try {
        return await work();
      } finally {
        handOn();
      }
    },
  };
}
