import { expect, test } from '@jest/globals';
import { formatTime } from './format-time.ts';

const now = new Date(2026, 10, 21, 12);
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();

test('formats a time, with the year only if it is not the current one', () => {
  expect(formatTime(at(2026, 6, 5, 9, 8), 'zh-CN', now)).toBe('7 月 5 日 09:08');
  expect(formatTime(at(2025, 11, 31, 23, 59), 'zh-CN', now)).toBe('2025 年 12 月 31 日 23:59');
  expect(formatTime(at(2026, 6, 5, 0, 8), 'en', now)).toBe('Jul 5, 00:08');
  expect(formatTime(at(2025, 6, 5, 9, 8), 'en', now)).toBe('Jul 5, 2025, 09:08');
});

test('returns an empty text for an invalid time', () => {
  expect(formatTime('', 'zh-CN', now)).toBe('');
});
