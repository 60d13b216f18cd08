import { ApiError } from '../errors/errors.ts';

interface TurnQueueOptions {
  /** Maximum concurrent work. */
  max: number;
  /** Maximum per caller; default `max`. */
  maxOfCaller?: number;
  /** Maximum waiting work; default unlimited. */
  maxWaiting?: number;
  /** Maximum per caller; default `maxWaiting`. */
  maxWaitingOfCaller?: number;
  /** Retry-After of a refused request, in seconds. */
  retryAfter?: number;
}

/** One caller with running or waiting work. */
interface Line {
  running: number;
  waiting: Set<() => void>;
}

/** Limits concurrent and waiting work. Callers take turns: much work of one delays others by one turn. */
export function createTurnQueue({
  max,
  maxOfCaller = max,
  maxWaiting = Number.POSITIVE_INFINITY,
  maxWaitingOfCaller = maxWaiting,
  retryAfter = 2,
}: TurnQueueOptions) {
  /** In the order of their next turns. */
  const lines = new Map<string, Line>();
  let running = 0;
  let waiting = 0;

  function lineOf(caller: string): Line {
    const line = lines.get(caller) ?? { running: 0, waiting: new Set() };
    lines.set(caller, line);
    return line;
  }

  const mayStart = (line: Line) => running < max && line.running < maxOfCaller;

  async function turn(signal: AbortSignal, caller: string): Promise<void> {
    const line = lineOf(caller);
    if (mayStart(line)) {
      running += 1;
      line.running += 1;
      return;
    }
    if (waiting >= maxWaiting) throw new ApiError('unavailable', { retryAfter });
    if (line.waiting.size >= maxWaitingOfCaller) throw new ApiError('rate_limited', { retryAfter });
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

  /** Gives the free slot to the caller whose turn it is, and moves that caller to the end. */
  function startNext(): void {
    for (const [caller, line] of lines) {
      const [start] = line.waiting;
      if (!start || line.running >= maxOfCaller) continue;
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
    /** Whether work of `caller` would start immediately. */
    isFree: (caller: string): boolean => mayStart(lines.get(caller) ?? { running: 0, waiting: new Set() }),

    /**
     * Runs `work` when it is its turn, in order per `caller`; without one all work has the same caller.
     * @throws unavailable if too much is waiting, rate_limited if too much of `caller` is; the reason of
     * `signal` if it aborts before the turn, in which case `work` is not started.
     */
    async run<T>(signal: AbortSignal, work: () => Promise<T>, caller = ''): Promise<T> {
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
