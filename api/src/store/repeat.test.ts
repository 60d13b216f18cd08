import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { repeat } from './repeat.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const quiet = pino({ level: 'silent' });
/** Lets promises continue. */
const settle = async () => {
  for (let count = 0; count < 5; count += 1) await Promise.resolve();
};

test('work begins at once and is repeated, never concurrently', async () => {
  const begun: PromiseWithResolvers<void>[] = [];
  const repeated = repeat(1000, quiet, () => {
    const work = Promise.withResolvers<void>();
    begun.push(work);
    return work.promise;
  });
  expect(begun).toHaveLength(1);
  jest.advanceTimersByTime(5000);
  expect(begun).toHaveLength(1);
  begun[0]!.resolve();
  await settle();
  jest.advanceTimersByTime(999);
  expect(begun).toHaveLength(1);
  jest.advanceTimersByTime(1);
  expect(begun).toHaveLength(2);
  begun[1]!.resolve();
  await repeated.stop();
});

test('work that failed is logged and repeated', async () => {
  let times = 0;
  const warned: unknown[] = [];
  const log = { warn: (fields: unknown) => void warned.push(fields) };
  const repeated = repeat(1000, log as never, () => {
    times += 1;
    return Promise.reject(new Error('broken'));
  });
  await settle();
  jest.advanceTimersByTime(1000);
  await settle();
  expect([times, warned.length]).toEqual([2, 2]);
  await repeated.stop();
});

test('stopping waits for running work, and nothing begins afterwards', async () => {
  let times = 0;
  const work = Promise.withResolvers<void>();
  const repeated = repeat(1000, quiet, () => {
    times += 1;
    return work.promise;
  });
  let isStopped = false;
  const stopping = repeated.stop().then(() => {
    isStopped = true;
  });
  await settle();
  expect(isStopped).toBe(false);
  work.resolve();
  await stopping;
  jest.advanceTimersByTime(10_000);
  expect(times).toBe(1);
  expect(jest.getTimerCount()).toBe(0);
});
