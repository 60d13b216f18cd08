import { setTimeout as delay } from 'node:timers/promises';

/**
 * Target duration of one slice of work in the store, in ms. Other requests are served in between by both
 * stores.
 */
const aimMs = 60;
const minSize = 12;
const maxSize = 256;
/** Maximum pause after a slice, in ms; a pause takes half the time of the slice. */
const maxPauseMs = 50;

export type Pace = ReturnType<ReturnType<typeof createPaces>>;

/**
 * Paces split long work in the store into slices that hardly affect other requests, adapting to the speed of the
 * machine and the size of the items. All of one such function take turns: one slice at a time.
 */
export function createPaces() {
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  }

  return () => {
    let size = 16;
    return {
      /** Number of items in the next slice. */
      get size() {
        return size;
      },
      /** Runs a slice of `count` items when it is its turn, adapts the size, and pauses. */
      slice: <T>(count: number, work: () => Promise<T>): Promise<T> =>
        inTurn(async () => {
          const began = performance.now();
          const result = await work();
          const took = performance.now() - began;
          if (took > aimMs) size = Math.max(minSize, Math.floor(size / 2));
          else if (took < aimMs / 2 && count >= size) size = Math.min(maxSize, Math.ceil(size * 1.5));
          await delay(Math.min(took / 2, maxPauseMs));
          return result;
        }),
    };
  };
}
