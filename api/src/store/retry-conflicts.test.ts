import { expect, test } from '@jest/globals';
import { retryConflicts } from './retry-conflicts.ts';

test('a write that conflicts with others is retried, and its first success is returned', async () => {
  let attempts = 0;
  const result = await retryConflicts(async () => {
    attempts += 1;
    return attempts === 3 ? 'written' : null;
  });
  expect([result, attempts]).toEqual(['written', 3]);
});

test('a write that always conflicts fails as unavailable', async () => {
  let attempts = 0;
  const endless = retryConflicts(async () => {
    attempts += 1;
    return null;
  });
  await expect(endless).rejects.toMatchObject({ status: 503, error: 'unavailable' });
  expect(attempts).toBe(20);
});
