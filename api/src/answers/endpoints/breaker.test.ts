import { expect, test } from '@jest/globals';
import { createBreaker } from './breaker.ts';
import { defaultPatience } from './patience.ts';

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

test('opens after failures in a row, not if there was a success in between', () => {
  const { breaker, fail } = breakerOfTwo();
  fail();
  breaker.enter()!.succeeded();
  fail();
  expect(breaker.isAvailable).toBe(true);
  fail();
  expect(breaker.isAvailable).toBe(false);
  expect(breaker.enter()).toBeNull();
});

test('permits one request after its time, and opens for twice as long if that fails', () => {
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

test('a dropped request permits the next one', () => {
  const { breaker, fail, pass } = breakerOfTwo();
  fail();
  fail();
  pass(100);
  breaker.enter()!.dropped();
  expect(breaker.enter()).not.toBeNull();
});

test('requests from before it opened do not close it, and are reported once', () => {
  const { breaker, fail } = breakerOfTwo();
  const early = breaker.enter()!;
  fail();
  fail();
  early.succeeded();
  early.failed();
  expect(breaker.isAvailable).toBe(false);
});

test('a request is reported once', () => {
  const { breaker } = breakerOfTwo();
  const trial = breaker.enter()!;
  trial.failed();
  trial.failed();
  expect(breaker.isAvailable).toBe(true);
});

test('a pause that the endpoint requests is kept, at most an hour', () => {
  const { breaker, pass } = breakerOfTwo();
  breaker.enter()!.failed(1000);
  pass(999);
  expect(breaker.isAvailable).toBe(false);
  pass(1);
  breaker.enter()!.failed(86_400_000);
  pass(3_599_999);
  expect(breaker.isAvailable).toBe(false);
  pass(1);
  expect(breaker.isAvailable).toBe(true);
});
