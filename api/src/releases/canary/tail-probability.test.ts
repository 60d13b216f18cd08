import { expect, test } from '@jest/globals';
import { betaBinomialTail, binomialTail } from './canary-analysis.ts';

test.each([
  // Summed exactly, term by term.
  [5, 20, 0.01, 1.3678e-6],
  [10, 10, 0.5, 9.765625e-4],
  [40, 100, 0.25, 6.8659e-4],
])('probability of at least %d of %d at rate %d: %d', (k, n, p, expected) => {
  expect(binomialTail(k, n, p) / expected).toBeCloseTo(1, 4);
});

test('a count at or below the expected value is never rare', () => {
  expect(binomialTail(5, 100, 0.05)).toBe(1);
  expect(betaBinomialTail(1, 100, 5, 495)).toBe(1);
});

test('with a well-known rate both tails agree', () => {
  for (const k of [4, 8, 20])
    expect(betaBinomialTail(k, 100, 1e7, 99e7) / binomialTail(k, 100, 0.01)).toBeCloseTo(1, 3);
});

test('the beta-binomial tail equals the exact sum of its terms', () => {
  // With a = 1 and b = 1 all of 0…n are equally likely.
  expect(betaBinomialTail(8, 9, 1, 1)).toBeCloseTo(0.2, 10);
  // 2 before and 3 after, n = 2: P(2) = B(4,3)/B(2,3) = (3!2!/6!)/(1!2!/4!) = 1/5.
  expect(betaBinomialTail(2, 2, 2, 3)).toBeCloseTo(0.2, 10);
});

test('the less data there is on the base rate, the less unlikely the same failures are considered', () => {
  expect(betaBinomialTail(5, 20, 0.5, 49.5)).toBeGreaterThan(betaBinomialTail(5, 20, 5, 495));
  expect(betaBinomialTail(5, 20, 5, 495)).toBeGreaterThan(betaBinomialTail(5, 20, 50, 4950));
});
