import { expect, test } from '@jest/globals';
import { rankOf } from './measure-set.ts';
import { meanOf, rankingFigures, separation } from './ranking-figures.ts';

test('ranks become shares and a mean of reciprocals', () => {
  const { first, five, reciprocal } = rankingFigures([1, 2, 5, 6, 0]);
  expect(first.value).toBeCloseTo(0.2);
  expect(five.value).toBeCloseTo(0.6);
  expect(reciprocal.value).toBeCloseTo((1 + 1 / 2 + 1 / 5 + 1 / 6) / 5);
});

test('an interval holds the mean, is narrower with more values, and is always the same', () => {
  const few = meanOf([0, 1, 1, 1]);
  const many = meanOf(Array.from({ length: 400 }, (_, at) => (at % 4 === 0 ? 0 : 1)));
  expect(few.low).toBeLessThanOrEqual(few.value);
  expect(few.high).toBeGreaterThanOrEqual(few.value);
  expect(many.high - many.low).toBeLessThan(few.high - few.low);
  expect(many.low).toBeGreaterThan(0.69);
  expect(many.high).toBeLessThan(0.81);
  expect(meanOf([0, 1, 1, 1])).toEqual(few);
});

test('scores that tell apart separate all pairs, equal ones half', () => {
  expect(separation([3, 4], [1, 2])).toBe(1);
  expect(separation([1], [1])).toBe(0.5);
});

test('the rank is that of the first passage that answers', () => {
  const found = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  expect(rankOf(found, new Set(['c', 'b']))).toBe(2);
  expect(rankOf(found, new Set(['d']))).toBe(0);
});
