import { expect, test } from '@jest/globals';
import { type Choice, fitChoices, scoreOf } from './conditional-logit.ts';

/** Of three alternatives mostly the one with the largest first value is right; the second value is noise. */
const choices: Choice[] = Array.from({ length: 40 }, (_, at) => ({
  alternatives: [
    [0.9, at % 3],
    [0.5, (at + 1) % 3],
    [0.1, (at + 2) % 3],
  ],
  right: [at % 10 === 0 ? 1 : 0],
}));

test('what right alternatives have more of weighs, what does not weighs nothing', () => {
  const [first, second] = fitChoices(choices, 0.01);
  expect(first).toBeGreaterThan(1);
  expect(Math.abs(second!)).toBeLessThan(0.3);
});

test('the chances that the weights give are the shares of the right ones', () => {
  const two: Choice[] = Array.from({ length: 8 }, (_, at) => ({
    alternatives: [[1], [0]],
    right: [at % 4 === 0 ? 1 : 0],
  }));
  expect(fitChoices(two, 0)[0]).toBeCloseTo(Math.log(3), 6);
});

test('several right alternatives share the choice, and a penalty makes smaller weights', () => {
  const both: Choice[] = [{ alternatives: [[1], [1], [0]], right: [0, 1] }];
  const [loose, tight] = [fitChoices(both, 0.1), fitChoices(both, 1)];
  expect(scoreOf(loose, [1])).toBeGreaterThan(scoreOf(tight, [1]));
  expect(scoreOf(tight, [1])).toBeGreaterThan(0);
});
