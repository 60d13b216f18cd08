import { setTimeout as delay } from 'node:timers/promises';

/** Interval of checks, in ms. */
const everyMs = 10;

/**
 * Polls until `read` returns something truthy, and returns it. @throws Error after `withinMs`, so that a failing test
 * does not go on sending requests beside those after it.
 */
export async function until<T>(
  read: () => T | Promise<T>,
  withinMs = 25_000,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  for (const end = Date.now() + withinMs; ; await delay(everyMs)) {
    const found = await read();
    if (found) return found as Exclude<T, false | null | undefined | 0 | ''>;
    if (Date.now() > end) throw new Error(`expected it within ${withinMs / 1000} s: ${read}`);
  }
}
