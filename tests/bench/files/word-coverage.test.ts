import { expect, test } from '@jest/globals';
import { coverageOf, figuresOf, wordsOf } from './word-coverage.ts';

test('splits words, and Chinese into characters', () => {
  expect(wordsOf('Fee: 12 €, 请假ab ﬁne')).toEqual(['Fee', '12', '请', '假', 'ab', 'fine']);
});

test('counts repeated words as often as they are found', () => {
  expect(coverageOf(['a', 'a', 'b', 'c'], ['a', 'b', 'x'])).toBe(0.5);
  expect(coverageOf(['a'], [])).toBe(0);
  expect(coverageOf([], ['a'])).toBeNull();
});

test('counts files below each limit, refusals by reason, and losses without a notice', () => {
  const read = { refused: null, hasNotice: false };
  const figures = figuresOf([
    { ...read, coverage: 1 },
    { ...read, coverage: 0.95 },
    { ...read, coverage: 0.25 },
    { ...read, coverage: 0.4, hasNotice: true },
    { ...read, coverage: null },
    { refused: 'unreadable_file', hasNotice: false, coverage: null },
  ]);
  expect(figures).toEqual({
    files: 6,
    measured: 4,
    mean: 0.65,
    below50: 2,
    below90: 2,
    below99: 3,
    silentBelow50: 1,
    refused: { unreadable_file: 1 },
  });
});
