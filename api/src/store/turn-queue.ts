import { rateLimited, unavailable } from '../errors/errors.ts';

/**
 * Lets so much work be done at once, and so much wait. Callers take turns: whoever has much work waiting delays the next one by one turn,
 * not by all of it.
 */
export interface TurnQueue {
  /**
   * Does `work` when it is its turn. Work of one `caller` keeps its order; without one all work is of the same caller.
   *
   * @throws unavailable when too much waits, rateLimited when too much of `caller` waits; the reason of `signal` when it aborts before
   * the turn comes, `work` is not begun then.
   */
  run<T>(signal: AbortSignal, work: () => Promise<T>, caller?: string): Promise<T>;
}

export interface TurnQueueOptions {
  /** Work that is done at once. */
  most: number;
  /** Of one caller; without it as much as of all. */
  mostOfCaller?: number;
  /** Work that may wait; without it any amount. */
  mostWaiting?: number;
  /** Of one caller; without it as much as of all. */
  mostWaitingOfCaller?: number;
  /** Seconds until a refused caller should ask again. */
  retryAfter?: number;
}

/** One caller with work that runs or waits. */
interface Line {
  running: number;
  waiting: Set<() => void>;
}

export function createTurnQueue({
  most,
  mostOfCaller = most,
  mostWaiting = Number.POSITIVE_INFINITY,
  mostWaitingOfCaller = mostWaiting,
  retryAfter = 2,
}: TurnQueueOptions): TurnQueue {
  /** In the order of their next turns. */
  const lines = new Map<string, Line>();
  let running = 0;
  let waiting = 0;

  function lineOf(caller: string): Line {
    const line = lines.get(caller) ?? { running: 0, waiting: new Set() };
    lines.set(caller, line);
    return line;
  }

  async function turn(signal: AbortSignal, caller: string): Promise<void> {
    const line = lineOf(caller);
    if (running < most && line.running < mostOfCaller) {
      running += 1;
      line.running += 1;
      return;
    }
    if (waiting >= mostWaiting) throw unavailable(retryAfter);
    if (line.waiting.size >= mostWaitingOfCaller) throw rateLimited(retryAfter);
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        line.waiting.delete(start);
        waiting -= 1;
        forgetIdle(caller, line);
        reject(signal.reason);
      };
      line.waiting.add(start);
      waiting += 1;
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** The free place goes to the caller whose turn it is; then that caller is the last one. */
  function startNext(): void {
    for (const [caller, line] of lines) {
      const [start] = line.waiting;
      if (!start || line.running >= mostOfCaller) continue;
      line.waiting.delete(start);
      waiting -= 1;
      line.running += 1;
      running += 1;
      lines.delete(caller);
      lines.set(caller, line);
      start();
      return;
    }
  }

  function forgetIdle(caller: string, line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) lines.delete(caller);
  }

  return {
    async run(signal, work, caller = '') {
      signal.throwIfAborted();
      await turn(signal, caller);
      try {
        return await work();
      } finally {
        const line = lineOf(caller);
        running -= 1;
        line.running -= 1;
        startNext();
        forgetIdle(caller, line);
      }
    },
  };
}
