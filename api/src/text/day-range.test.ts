import { describe, expect, test } from '@jest/globals';
import { isDay, isTimeZone } from '../contract/fields.ts';
import { dayOf, dayRange } from './day-range.ts';

const hours = (day: string, tz: string) => {
  const { since, until } = dayRange(day, day, tz);
  return (until!.getTime() - since!.getTime()) / 3_600_000;
};

describe('days of a time zone', () => {
  test('start and end at local midnight', () => {
    expect(dayRange('2026-07-01', '2026-07-15', 'Asia/Shanghai')).toEqual({
      since: new Date('2026-06-30T16:00:00Z'),
      until: new Date('2026-07-15T16:00:00Z'),
    });
  });

  test.each([
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2026-10-26', 'Europe/Berlin', 24],
    // Midnight itself was skipped there.
    ['2018-11-04', 'America/Sao_Paulo', 23],
    ['2011-12-30', 'Pacific/Apia', 0],
  ])('%s in %s has %i hours', (day, tz, expected) => {
    expect(hours(day, tz)).toBe(expected);
  });

  test('are unbounded without a day', () => {
    expect(dayRange(undefined, undefined, 'UTC')).toEqual({ since: null, until: null });
  });

  test('give the day of an instant', () => {
    expect(dayOf(new Date('2026-06-30T16:00:00Z'), 'Asia/Shanghai')).toBe('2026-07-01');
    expect(dayOf(new Date('2026-06-30T15:59:59.999Z'), 'Asia/Shanghai')).toBe('2026-06-30');
  });
});

test.each(['2026-02-30', '2026-13-01', '0000-01-01', '20260101', '2026-1-1', '+002026-01-01', ''])(
  '%p is not a valid day',
  (text) => {
    expect(isDay(text)).toBe(false);
  },
);

test.each([
  ['Asia/Shanghai', true],
  ['UTC', true],
  ['Mars/Phobos', false],
  ['+08:00', false],
  ['', false],
])('%p as a time zone: %p', (text, is) => {
  expect(isTimeZone(text)).toBe(is);
});
