import { expect, test } from '@jest/globals';
import { fitLogistic, oddsBy, type Sample } from './logistic-regression.ts';

const sample = (values: number[], outcome: 0 | 1, importance = 1): Sample => ({
  values,
  outcome,
  importance,
});
const told = [0.1, 0.2, 0.4, 0.6, 0.8, 0.9];

test('what goes with the outcome weighs, what does not weighs nothing', () => {
  const samples = told.flatMap((value, at) => [
    sample([value, 5], at > 2 ? 1 : 0),
    sample([value, -5], at > 2 ? 1 : 0),
  ]);
  const fitted = fitLogistic(samples, 1);
  expect(fitted.weights[0]).toBeGreaterThan(1);
  expect(fitted.weights[1]).toBeCloseTo(0, 6);
  expect(oddsBy(fitted, [0.9, 0])).toBeGreaterThan(0);
  expect(oddsBy(fitted, [0.1, 0])).toBeLessThan(0);
});

test('where nothing tells, the odds are those of the outcomes by their importance', () => {
  const fitted = fitLogistic([sample([1], 1, 3), sample([1], 0, 1)], 1);
  expect(oddsBy(fitted, [1])).toBeCloseTo(Math.log(3), 3);
});

test('a greater penalty makes smaller weights', () => {
  const samples = told.map((value, at) => sample([value], at > 2 ? 1 : 0));
  const [loose, tight] = [fitLogistic(samples, 0.1), fitLogistic(samples, 10)];
  expect(tight.weights[0]!).toBeLessThan(loose.weights[0]!);
});
