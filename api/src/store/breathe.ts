import { setImmediate } from 'node:timers/promises';

/** Work goes on for this long without a pause, in ms. */
const longestStretch = 10;

/** Lets other calls in between, in work that would take the thread for long. To be awaited at every step. */
export function createBreather(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < longestStretch) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
