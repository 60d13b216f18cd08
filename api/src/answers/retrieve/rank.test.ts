import { expect, test } from '@jest/globals';
import { orderBySum } from './rank.ts';

test('passages are ordered by the sum of standardised scores, by how much one is better', () => {
  const passages = [
    { id: 'words', words: 9, cosine: 0.8 },
    { id: 'meaning', words: 0, cosine: 0.9 },
    { id: 'both', words: 8, cosine: 0.89 },
    { id: 'neither', words: 1, cosine: 0.79 },
  ];
  const ordered = orderBySum(passages, [({ words }) => words, ({ cosine }) => cosine]);
  expect(ordered.map(({ one }) => one.id)).toEqual(['both', 'words', 'meaning', 'neither']);
});

test('a missing score counts as the mean, equal passages remain in their order', () => {
  const scores = new Map([
    ['low', 1],
    ['high', 3],
  ]);
  const byScore = (ids: readonly string[]) => orderBySum(ids, [(id) => scores.get(id)]).map(({ one }) => one);
  expect(byScore(['low', 'missing', 'high'])).toEqual(['high', 'missing', 'low']);
  expect(byScore(['b', 'a'])).toEqual(['b', 'a']);
  expect(byScore([])).toEqual([]);
});
