import { expect, test } from '@jest/globals';
import type { Conversation } from 'api/contract/records';
import { formatClock, formatDay } from '../messages/format-time.ts';
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

test('formats Chinese dates with spaces, and the year only if it is not the current one', () => {
  const summer = new Date(2026, 6, 15, 12).toISOString();
  expect(formatDay(summer, 'zh-CN', NOW)).toBe('7 月 15 日');
  expect(formatDay(new Date(2025, 11, 3, 12).toISOString(), 'zh-CN', NOW)).toBe('2025 年 12 月 3 日');
  expect(formatDay(summer, 'en', NOW)).toBe('Jul 15');
});

test('shows the time in 24-hour format', () => {
  expect(formatClock(new Date(2026, 6, 15, 0, 5).toISOString(), 'zh-CN')).toBe('00:05');
  expect(formatClock(new Date(2026, 6, 15, 16, 4).toISOString(), 'en')).toBe('16:04');
});
