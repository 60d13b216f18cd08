import { expect, test } from '@jest/globals';
import type { Conversation } from 'api/contract/records';
import { groupByDay } from './group-by-day.ts';

const NOW = new Date(2026, 10, 21, 0, 30);
const at = (id: string, ...time: [number, number, number, number, number]): Conversation => ({
  id,
  title: id,
  contact: null,
  recordCount: 1,
  createdAt: new Date(...time).toISOString(),
  updatedAt: new Date(...time).toISOString(),
});

test('groups by local days in the given order', () => {
  const groups = groupByDay(
    [
      at('just now', 2026, 10, 21, 0, 29),
      at('midnight', 2026, 10, 21, 0, 0),
      at('before midnight', 2026, 10, 20, 23, 59),
      at('start of yesterday', 2026, 10, 20, 0, 0),
      at('long ago', 2026, 10, 19, 23, 59),
    ],
    NOW,
  );
  expect(groups.map(({ day, conversations }) => [day, conversations.map(({ id }) => id)])).toEqual([
    ['today', ['just now', 'midnight']],
    ['yesterday', ['before midnight', 'start of yesterday']],
    ['earlier', ['long ago']],
  ]);
});

test('leaves out empty days', () => {
  expect(groupByDay([at('old', 2020, 0, 1, 0, 0)], NOW).map(({ day }) => day)).toEqual(['earlier']);
});
