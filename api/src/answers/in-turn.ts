/**
 * Does `work` when it is its turn: in the order in which it was asked for, so many at once.
 *
 * @returns null where `signal` aborts before the turn comes; `work` is not begun then.
 */
export type InTurn = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T | null>;

/** @param most how many at once. */
export function createInTurn(most: number): InTurn {
  const waiting = new Set<() => void>();
  let running = 0;

  function turn(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (running < most) {
      running += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = () => {
        waiting.delete(begin);
        resolve(false);
      };
      waiting.add(begin);
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

  return async (work, signal) => {
    if (!(await turn(signal))) return null;
    try {
      return await work();
    } finally {
      handOn();
    }
  };
}
