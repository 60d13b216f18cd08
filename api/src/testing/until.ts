import { setTimeout as delay } from 'node:timers/promises';

/** Intervals of checks, in ms: the first one, the longest one, and their growth. Many checks are HTTP requests, which delay what they wait for. */
const [firstMs, maxMs, growth] = [5, 100, 1.3];
/** Ends what hangs, a little before the time limit of the test: a busy machine may take fifty times as long as an idle one. */
const endsAfterMs = 150_000;

/**
 * Polls until `read` returns something truthy, and returns it. @throws Error after `withinMs`, so that a failing test
 * does not go on sending requests beside those after it.
 */
export async function until<T>(
  read: () => T | Promise<T>,
  withinMs = endsAfterMs,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const end = Date.now() + withinMs;
  for (let ms = firstMs; ; ms = Math.min(ms * growth, maxMs)) {
    const found = await read();
    if (found) return found as Exclude<T, false | null | undefined | 0 | ''>;
    if (Date.now() > end) throw new Error(`expected it within ${withinMs / 1000} s: ${read}`);
    await delay(ms);
  }
}
