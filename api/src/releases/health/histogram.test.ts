import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { VitalName } from '../../contract/reports.ts';
import { added, countFrom, p75, stepOf } from './histogram.ts';

const counted = (name: VitalName, values: readonly number[]) =>
  added(values.map((value) => ({ [stepOf(name, value)]: 1 })));

test.each<[VitalName, number, number, number]>([
  ['LCP', 100, 30_000, 0.13],
  ['INP', 8, 10_000, 0.21],
  ['CLS', 0.1, 5, 0.21],
])('the p75 of %s is within one bucket of the true value', (name, least, most, step) => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: least, max: most, noNaN: true }), { minLength: 4, maxLength: 200 }),
      (values) => {
        const sorted = values.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(values.length * 0.75) - 1]!;
        const found = p75(name, counted(name, values))!;
        expect(found.count).toBe(values.length);
        expect(Math.abs(found.value - exact)).toBeLessThanOrEqual(exact * step + 0.01);
      },
    ),
  );
});

test('no measurements give no percentile; values above the last bound count as that bound', () => {
  expect(p75('LCP', {})).toBeNull();
  expect(p75('LCP', counted('LCP', [1e9]))!.value).toBeGreaterThan(50_000);
  expect(p75('CLS', counted('CLS', [0, 0, 0, 0]))!.value).toBeLessThan(0.01);
});

test('counts only buckets entirely above a value', () => {
  const counts = counted('CLS', [0, 0.055, 0.105, 0.2, 0.205]);
  expect(countFrom('CLS', counts, 0.1)).toBe(3);
  expect(countFrom('CLS', counts, 0)).toBe(5);
});
