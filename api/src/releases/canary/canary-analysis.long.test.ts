import { expect, test } from '@jest/globals';
import { falsely, simulateHalts, usual } from '../../testing/simulate-canary.ts';

test('of 1,000 healthy canaries with 10,000 pages at most five are halted', () => {
  expect(falsely(simulateHalts(1000, { canary: usual, share: 80 }))).toBeLessThanOrEqual(5);
});

test('of 200 healthy canaries with a high base rate of failures and errors at most one is halted', () => {
  const rough = { failing: 0.03, erring: 0.1, lcp: null };
  expect(falsely(simulateHalts(200, { canary: rough, live: rough }))).toBeLessThanOrEqual(1);
});

test('of 50 healthy canaries with widely varying vitals none is halted', () => {
  const slow = { failing: 0, erring: 0, lcp: 2600 };
  expect(falsely(simulateHalts(50, { canary: slow, live: slow, pages: 2000 }))).toBe(0);
});

test.each([
  ['fails always', { ...usual, failing: 1 }, 10],
  ['fails in one page of four', { ...usual, failing: 0.25 }, 80],
  ['fails in one page of ten', { ...usual, failing: 0.1 }, 300],
  ['fails in one page of twenty', { ...usual, failing: 0.05 }, 1000],
  ['errs in one page of five', { ...usual, erring: 0.2 }, 300],
])('each of 50 canaries that %s is halted', (_, canary, within) => {
  expect(simulateHalts(50, { canary, share: 20 }).at(-1)).toBeLessThanOrEqual(within);
});

test('each of 20 canaries that are twice as slow is halted', () => {
  const live = { failing: 0, erring: 0, lcp: 1800 };
  const all = simulateHalts(20, { canary: { ...live, lcp: 3600 }, live, pages: 2000 });
  expect(all.at(-1)).toBeLessThanOrEqual(1000);
});
