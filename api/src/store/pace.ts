import { setTimeout as delay } from 'node:timers/promises';

/** How long one slice of work at the store should take, in ms. Within it the store gives others their turn (both stores do). */
const aimMs = 60;
const least = 12;
const most = 256;
/** The pause behind a slice takes half its time, so much at most. In ms. */
const longestPauseMs = 50;

/** Cuts long work at the store into slices that others hardly notice, whatever the machine and the things. */
export interface Pace {
  /** Things to do in the next slice. */
  readonly size: number;
  /** Does a slice of `count` things when it is its turn, learns from it, and leaves room for others. */
  slice<T>(count: number, work: () => Promise<T>): Promise<T>;
}

/** All paces made by one such function take turns: one slice at a time. */
export function createPaces(): () => Pace {
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  }

  return () => {
    let size = 16;
    return {
      get size() {
        return size;
      },
      slice: (count, work) =>
        inTurn(async () => {
          const began = performance.now();
          const result = await work();
          const took = performance.now() - began;
          if (took > aimMs) size = Math.max(least, Math.floor(size / 2));
          else if (took < aimMs / 2 && count >= size) size = Math.min(most, Math.ceil(size * 1.5));
          await delay(Math.min(took / 2, longestPauseMs));
          return result;
        }),
    };
  };
}
