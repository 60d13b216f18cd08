import { setTimeout as delay } from 'node:timers/promises';

/** Interval of checks, in ms. */
const everyMs = 10;
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
  for (const end = Date.now() + withinMs; ; await delay(everyMs)) {
    const found = await read();
    if (found) return found as Exclude<T, false | null | undefined | 0 | ''>;
    if (Date.now() > end) throw new Error(`expected it within ${withinMs / 1000} s: ${read}`);
  }
}
