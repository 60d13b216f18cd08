import { expect, test } from '@jest/globals';
import { createDateFormats, formatClock, formatDay, formatTime } from './format-date.ts';

const now = new Date(2026, 10, 21, 12);
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();

test('formats a time, with the year only if it is not the current one', () => {
  expect(formatTime(at(2026, 6, 5, 9, 8), 'zh-CN', now)).toBe('7 月 5 日 09:08');
  expect(formatTime(at(2025, 11, 31, 23, 59), 'zh-CN', now)).toBe('2025 年 12 月 31 日 23:59');
  expect(formatTime(at(2026, 0, 1, 0, 30), 'zh-CN', now)).toBe('1 月 1 日 00:30');
  expect(formatTime(at(2026, 6, 5, 0, 8), 'en', now)).toBe('Jul 5, 00:08');
  expect(formatTime(at(2025, 6, 5, 9, 8), 'en', now)).toBe('Jul 5, 2025, 09:08');
});

test('returns an empty text for an invalid time', () => {
  expect(formatTime('', 'zh-CN', now)).toBe('');
});

test.each([
  ['zh-CN', '11 月 22 日 09:05', '11 月 22 日 周日 09:05'],
  ['en', 'Nov 22, 09:05', 'Sun, Nov 22, 09:05'],
])('formats a time in %s', (locale, moment, full) => {
  const date = new Date(2026, 10, 22, 9, 5);
  const calendar = createDateFormats(locale, date);
  expect([calendar.moment(date), calendar.full(date)]).toEqual([moment, full]);
});

test('formats Chinese dates with spaces, and the year only if it is not the current one', () => {
  const summer = new Date(2026, 6, 15, 12).toISOString();
  expect(formatDay(summer, 'zh-CN', now)).toBe('7 月 15 日');
  expect(formatDay(new Date(2025, 11, 3, 12).toISOString(), 'zh-CN', now)).toBe('2025 年 12 月 3 日');
  expect(formatDay(summer, 'en', now)).toBe('Jul 15');
});

test('shows the time in 24-hour format', () => {
  expect(formatClock(new Date(2026, 6, 15, 0, 5).toISOString(), 'zh-CN')).toBe('00:05');
  expect(formatClock(new Date(2026, 6, 15, 16, 4).toISOString(), 'en')).toBe('16:04');
});
