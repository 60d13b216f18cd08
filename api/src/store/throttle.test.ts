import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createThrottle } from './throttle.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const settle = async () => {
  for (let count = 0; count < 5; count += 1) await Promise.resolve();
};
const pass = async (ms: number) => {
  jest.advanceTimersByTime(ms);
  await settle();
};

function start(work: () => Promise<void> = async () => undefined) {
  let times = 0;
  const warnings: unknown[] = [];
  const log = { warn: (fields: unknown) => void warnings.push(fields) };
  const throttle = createThrottle(
    1000,
    async () => {
      times += 1;
      await work();
    },
    { log, failed: 'failed' },
  );
  return { ...throttle, timesSoFar: () => times, warnings };
}

test('many events cause one run, and the next one follows after the interval', async () => {
  const { soon, timesSoFar } = start();
  for (let count = 0; count < 10; count += 1) soon();
  await pass(0);
  expect(timesSoFar()).toBe(1);
  for (let count = 0; count < 10; count += 1) soon();
  await pass(999);
  expect(timesSoFar()).toBe(1);
  await pass(1);
  expect(timesSoFar()).toBe(2);
  await pass(10_000);
  expect(timesSoFar()).toBe(2);
  soon();
  await pass(0);
  expect(timesSoFar()).toBe(3);
});

test('a failure is logged, and does not prevent the next run', async () => {
  const { soon, timesSoFar, warnings } = start(() => Promise.reject(new Error('broken')));
  soon();
  await pass(0);
  soon();
  await pass(1000);
  expect([timesSoFar(), warnings.length]).toEqual([2, 2]);
});

test('stopping waits for a run, cancels the next one, and nothing starts afterwards', async () => {
  const work = Promise.withResolvers<void>();
  const { soon, stop, timesSoFar } = start(() => work.promise);
  soon();
  await pass(0);
  soon();
  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  await settle();
  expect(isStopped).toBe(false);
  work.resolve();
  await stopping;
  soon();
  await pass(10_000);
  expect(timesSoFar()).toBe(1);
  expect(jest.getTimerCount()).toBe(0);
});

test('nothing starts after a stop without any run before', async () => {
  const { soon, stop, timesSoFar } = start();
  await stop();
  soon();
  await pass(10_000);
  expect(timesSoFar()).toBe(0);
});
