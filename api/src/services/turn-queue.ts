import { unavailable } from '../errors.ts';

/** Lets so much work be done at once, and so much wait, in the order in which it came. */
export interface TurnQueue {
  /**
   * Does `work` when it is its turn.
   *
   * @throws unavailable when too much waits; the reason of `signal` when it aborts before the turn comes, `work` is not begun then.
   */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export interface TurnQueueOptions {
  /** How many at once. */
  most: number;
  /** How many may wait; without it any number. */
  mostWaiting?: number;
  /** Seconds until who was refused should ask again. */
  retryAfter?: number;
}

export function createTurnQueue({
  most,
  mostWaiting = Number.POSITIVE_INFINITY,
  retryAfter,
}: TurnQueueOptions): TurnQueue {
  const waiting = new Set<() => void>();
  let running = 0;

  async function turn(signal: AbortSignal): Promise<void> {
    if (running < most) {
      running += 1;
      return;
    }
    if (waiting.size >= mostWaiting) throw unavailable(retryAfter);
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(start);
        reject(signal.reason);
      };
      waiting.add(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** A place is handed on, never free in between. */
  function handOn(): void {
    const [next] = waiting;
    if (!next) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
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
