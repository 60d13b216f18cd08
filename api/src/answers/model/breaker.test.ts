import { expect, test } from '@jest/globals';
import { createBreaker } from './breaker.ts';
import { defaultPatience } from './model-settings.ts';

function breakerOfTwo() {
  let time = 0;
  const settings = { ...defaultPatience, failuresToOpen: 2, openMs: 100, maxOpenMs: 300 };
  const breaker = createBreaker(settings, () => time);
  return {
    breaker,
    pass(ms: number) {
      time += ms;
    },
    fail() {
      breaker.enter()?.failed();
    },
  };
}

test('opens after failures in a row, not after as many with a success between', () => {
  const { breaker, fail } = breakerOfTwo();
  fail();
  breaker.enter()!.succeeded();
  fail();
  expect(breaker.isAvailable).toBe(true);
  fail();
  expect(breaker.isAvailable).toBe(false);
  expect(breaker.enter()).toBeNull();
});

test('lets one question try it when its time is over, and waits twice as long when that one fails', () => {
  const { breaker, fail, pass } = breakerOfTwo();
  fail();
  fail();
  pass(100);
  expect(breaker.isAvailable).toBe(true);
  const probe = breaker.enter()!;
  expect(breaker.isAvailable).toBe(false);
  expect(breaker.enter()).toBeNull();
  probe.failed();
  pass(199);
  expect(breaker.enter()).toBeNull();
  pass(1);
  fail();
  pass(300);
  breaker.enter()!.succeeded();
  expect(breaker.isAvailable).toBe(true);
  fail();
  expect(breaker.isAvailable).toBe(true);
});

test('a trial that was dropped makes way for the next', () => {
  const { breaker, fail, pass } = breakerOfTwo();
  fail();
  fail();
  pass(100);
  breaker.enter()!.dropped();
  expect(breaker.enter()).not.toBeNull();
});

test('what began before it opened does not close it, and is told once alone', () => {
  const { breaker, fail } = breakerOfTwo();
  const early = breaker.enter()!;
  fail();
  fail();
  early.succeeded();
  early.failed();
  expect(breaker.isAvailable).toBe(false);
});
