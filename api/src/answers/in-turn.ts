import { createTurnQueue } from '../services/turn-queue.ts';

/**
 * Does `work` when it is its turn: in the order in which it was asked for, so many at once.
 *
 * @returns null where `signal` aborts before the turn comes; `work` is not begun then.
 */
export type InTurn = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T | null>;

/** @param most how many at once. */
export function createInTurn(most: number): InTurn {
  const queue = createTurnQueue({ most });
  return async (work, signal) => {
    let isBegun = false;
    try {
      return await queue.run(signal, () => {
        isBegun = true;
        return work();
      });
    } catch (cause) {
      // To leave the queue is no failure.
      if (!isBegun && signal.aborted) return null;
      throw cause;
    }
  };
}
