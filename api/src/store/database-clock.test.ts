import { afterEach, expect, jest, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { createDatabaseClock, databaseNow } from './database-clock.ts';

const { now } = performance;

/** A database whose clock is ahead of this machine's by `aheadMs`. */
const databaseAhead = (aheadMs: number) =>
  ({ db: { command: async () => ({ localTime: new Date(Date.now() + aheadMs) }) } }) as unknown as Connection;

const difference = () => databaseNow() - Date.now();

afterEach(async () => {
  jest.restoreAllMocks();
  await createDatabaseClock(databaseAhead(0));
});

test('the difference of the clocks is measured', async () => {
  await createDatabaseClock(databaseAhead(90_000));
  expect(Math.abs(difference() - 90_000)).toBeLessThan(1000);
});

test.each([1, 2])('a pause of this process at reading %i of its clock is no difference', async (paused) => {
  let readings = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => {
    const at = now.call(performance);
    readings += 1;
    while (readings === paused && now.call(performance) < at + 30);
    return at;
  });
  await createDatabaseClock(databaseAhead(0));
  expect(difference()).toBe(0);
});
