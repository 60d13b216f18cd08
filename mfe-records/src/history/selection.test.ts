import { expect, test } from '@jest/globals';
import { ALL, countTicked, idsBetween, isTicked, NOTHING, tick } from './selection.ts';

const list = ['e', 'd', 'c', 'b', 'a'].map((id) => ({ id }));

test('selects and deselects single records', () => {
  const two = tick(NOTHING, ['a', 'c'], true);
  expect([countTicked(two, 5), isTicked(two, 'a'), isTicked(two, 'b')]).toEqual([2, true, false]);
  expect(countTicked(tick(two, ['a', 'b'], false), 5)).toBe(1);
});

test('counts all matching records, loaded or not, except deselected ones', () => {
  const most = tick(ALL, ['c'], false);
  expect([countTicked(most, 12_000), isTicked(most, 'c'), isTicked(most, 'never read')]).toEqual([
    11_999,
    false,
    true,
  ]);
  expect(countTicked(tick(most, ['c'], true), 12_000)).toBe(12_000);
});

test('selects a range in either direction, or the record alone if its start is missing', () => {
  expect(idsBetween(list, 'd', 'b')).toEqual(['d', 'c', 'b']);
  expect(idsBetween(list, 'b', 'd')).toEqual(['d', 'c', 'b']);
  expect(idsBetween(list, 'gone', 'b')).toEqual(['b']);
});
