import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { watchLive } from './watch-live.ts';

let state: DocumentVisibilityState;
let isOnline: boolean;
let answers: string[];
let requests: number;
const stops: (() => void)[] = [];

beforeEach(() => {
  jest.useFakeTimers();
  state = 'visible';
  isOnline = true;
  requests = 0;
  answers = [];
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline });
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  jest.useRealTimers();
});

const watch = () => {
  const created = watchLive({
    page: window,
    own: 'one',
    fetchLive: async () => {
      requests++;
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined) throw new Error('no answer');
      return answer;
    },
    everyMs: 1000,
    gapMs: 100,
  });
  stops.push(created.stop);
  return created;
};
const focus = async () => {
  window.dispatchEvent(new Event('focus'));
  await jest.advanceTimersByTimeAsync(0);
};

test('asks when the page becomes visible and emits the live composition', async () => {
  answers = ['one', 'two', 'one'];
  const { next$ } = watch();
  expect(requests).toBe(0);
  await focus();
  expect(next$.value).toBe('');
  await focus();
  expect(requests).toBe(1); // too soon
  await jest.advanceTimersByTimeAsync(150);
  await focus();
  expect(next$.value).toBe('two');
  await jest.advanceTimersByTimeAsync(150);
  await focus();
  expect(next$.value).toBe(''); // rolled back
});

test('polls, but not while the page is hidden or offline', async () => {
  answers = ['one'];
  watch();
  await jest.advanceTimersByTimeAsync(1300);
  expect(requests).toBe(1);
  state = 'hidden';
  document.dispatchEvent(new Event('visibilitychange'));
  await jest.advanceTimersByTimeAsync(10_000);
  expect(requests).toBe(1);
  state = 'visible';
  isOnline = false;
  document.dispatchEvent(new Event('visibilitychange'));
  await jest.advanceTimersByTimeAsync(10_000);
  expect(requests).toBe(1);
  isOnline = true;
  window.dispatchEvent(new Event('online'));
  await jest.advanceTimersByTimeAsync(0);
  expect(requests).toBe(2);
});

test('ignores a failed request', async () => {
  const { next$ } = watch();
  await focus();
  expect(requests).toBe(1);
  expect(next$.value).toBe('');
});

test('stops checking', async () => {
  answers = ['two'];
  const { next$, stop } = watch();
  stop();
  await focus();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(requests).toBe(0);
  expect(next$.value).toBe('');
});
