import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../errors/errors.ts';

/** Attempts before a conflicting write fails. */
const maxAttempts = 20;
/** Maximum pause between two attempts, in ms. */
const maxPauseMs = 200;

/** Pauses grow, at random. @throws unavailable after 20 attempts, and what `attempt` throws */
export async function retryConflicts<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    const result = await attempt();
    if (result !== null) return result;
    if (attempts >= maxAttempts) throw new ApiError('unavailable');
    if (attempts > 1) await delay(Math.random() * Math.min(2 ** attempts, maxPauseMs));
  }
}
