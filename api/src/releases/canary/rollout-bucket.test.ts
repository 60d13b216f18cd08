import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bucketOf, isInShare, newSeed, readSeed } from './open-canaries.ts';

const composition = fc.stringMatching(/^[0-9a-f]{64}$/);
const seed = fc.stringMatching(/^[\w-]{22}$/);
const share = fc.double({ min: 0, max: 100, noNaN: true });
/** Seeds that are as similar as possible: if these are spread evenly, random ones are too. */
const seeds = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => String(first + at).padStart(22, '0'));

/** Chi-square statistic against a uniform distribution; `counts.length - 1` on average. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

test('visitors are distributed evenly from 0 to 100 for any composition', () => {
  fc.assert(
    fc.property(composition, fc.nat(1e9), (id, first) => {
      const counts = new Array<number>(20).fill(0);
      for (const one of seeds(first, 2000)) counts[Math.floor(bucketOf(one, id) / 5)]! += 1;
      // With 19 degrees of freedom a value above 80 has a probability of about 10⁻⁸.
      expect(chiSquare(counts)).toBeLessThan(80);
    }),
    { numRuns: 50 },
  );
});

test('positions are finer than a thousandth of a percent', () => {
  const id = 'c'.repeat(64);
  const places = new Set(seeds(0, 20_000).map((one) => bucketOf(one, id)));
  expect(places.size).toBe(20_000);
});

test('positions for one canary are independent of positions for another', () => {
  fc.assert(
    fc.property(composition, composition, fc.nat(1e9), (one, other, first) => {
      fc.pre(one !== other);
      const counts = new Array<number>(100).fill(0);
      for (const visitor of seeds(first, 4000)) {
        const row = Math.floor(bucketOf(visitor, one) / 10);
        counts[row * 10 + Math.floor(bucketOf(visitor, other) / 10)]! += 1;
      }
      // 99 on average; a value above 200 has a probability of about 10⁻⁸.
      expect(chiSquare(counts)).toBeLessThan(200);
    }),
    { numRuns: 30 },
  );
});

test('a visitor always has the same position', () => {
  fc.assert(
    fc.property(seed, composition, (visitor, id) => {
      const place = bucketOf(visitor, id);
      expect(place).toBeGreaterThanOrEqual(0);
      expect(place).toBeLessThan(100);
      expect(bucketOf(visitor, id)).toBe(place);
    }),
  );
});

test('a larger share keeps everyone already included; 0 includes nobody and 100 everybody', () => {
  fc.assert(
    fc.property(seed, composition, share, share, (visitor, id, a, b) => {
      const [less, more] = a < b ? [a, b] : [b, a];
      if (isInShare(visitor, id, less)) expect(isInShare(visitor, id, more)).toBe(true);
      expect(isInShare(visitor, id, 0)).toBe(false);
      expect(isInShare(visitor, id, 100)).toBe(true);
    }),
  );
});

test('a new seed is accepted when read back, and nothing else is', () => {
  const made = Array.from({ length: 1000 }, newSeed);
  expect(new Set(made).size).toBe(1000);
  for (const one of made) expect(readSeed(one)).toBe(one);
  for (const other of [undefined, '', 'x', `${made[0]}x`, `${made[0]!.slice(1)}.`])
    expect(readSeed(other)).toBeUndefined();
});
