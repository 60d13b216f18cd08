import { expect, test } from '@jest/globals';
import { createCalendar } from './calendar.ts';

test.each([
  ['zh-CN', '11 月 22 日 09:05', '11 月 22 日 周日 09:05'],
  ['en', 'Nov 22, 09:05', 'Sun, Nov 22, 09:05'],
])('formats a time in %s', (locale, moment, full) => {
  const date = new Date(2026, 10, 22, 9, 5);
  const calendar = createCalendar(locale, date);
  expect([calendar.moment(date), calendar.full(date)]).toEqual([moment, full]);
});
