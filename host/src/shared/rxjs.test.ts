import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { timer as original, take } from 'rxjs';
import { timer } from './rxjs.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test.each([
  ['once', (one: typeof timer) => one(50)],
  ['once at a time', (one: typeof timer) => one(new Date(Date.now() + 50))],
  ['repeatedly', (one: typeof timer) => one(20, 30)],
  ['until it is no longer subscribed to', (one: typeof timer) => one(20, 30).pipe(take(2))],
])('a timer emits %s, like that of rxjs', (_, start) => {
  const seenWith = (one: typeof timer) => {
    const from = Date.now();
    const seen: string[] = [];
    const subscription = start(one).subscribe({
      next: (value) => seen.push(`${value} after ${Date.now() - from}`),
      complete: () => seen.push(`complete after ${Date.now() - from}`),
    });
    jest.advanceTimersByTime(100);
    subscription.unsubscribe();
    expect(jest.getTimerCount()).toBe(0);
    return seen;
  };
  const seen = seenWith(timer);
  expect(seen.length).toBeGreaterThan(1);
  expect(seen).toEqual(seenWith(original as typeof timer));
});
