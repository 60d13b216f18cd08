import { setImmediate } from 'node:timers/promises';

/** Maximum time without a pause, in ms. */
const maxStretchMs = 10;

/** Lets other work run during long synchronous work. To be awaited at every step. */
export function createYielder(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < maxStretchMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
