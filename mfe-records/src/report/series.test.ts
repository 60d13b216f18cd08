import { expect, test } from '@jest/globals';
import { addDays, daysIn } from '../history/filters/days.ts';
import { extremes, perDay, periodBefore, seriesOf } from './series.ts';

const OPEN = { from: '', to: '' };

test('days without questions count 0, from the first to the last day of the range', () => {
  const byDay = [
    { day: '2026-07-02', count: 3 },
    { day: '2026-07-04', count: 1 },
  ];
  expect(seriesOf(byDay, { from: '2026-07-01', to: '2026-07-05' }, '2026-11-21')).toEqual({
    unit: 'day',
    buckets: [0, 3, 0, 1, 0].map((count, index) => {
      const day = `2026-07-0${index + 1}`;
      return { from: day, to: day, count };
    }),
  });
  expect(seriesOf(byDay, OPEN, '2026-11-21').buckets.map(({ count }) => count)).toEqual([3, 0, 1]);
});

test('a range that is not over ends today', () => {
  const { buckets } = seriesOf(
    [{ day: '2026-11-20', count: 1 }],
    { from: '2026-11-19', to: '2026-11-30' },
    '2026-11-21',
  );
  expect(buckets.map(({ to }) => to)).toEqual(['2026-11-19', '2026-11-20', '2026-11-21']);
});

test.each([
  ['2026-01-01', '2026-03-03', 'day', 62],
  ['2026-01-01', '2026-03-04', 'week', 10],
  ['2025-01-01', '2026-10-31', 'month', 22],
  ['2010-05-05', '2026-02-01', 'year', 17],
] as const)('from %s to %s: a bar a %s', (from, to, unit, count) => {
  const series = seriesOf([{ day: from, count: 1 }], { from, to }, '2026-11-21');
  expect([series.unit, series.buckets.length]).toEqual([unit, count]);
  expect(series.buckets[0]!.from).toBe(from);
  expect(series.buckets.at(-1)!.to).toBe(to);
});

test('bars have no gaps, and every question belongs to one of them', () => {
  for (let days = 1; days < 4000; days = Math.ceil(days * 1.3)) {
    const [from, to] = [addDays('2026-11-21', -days), '2026-11-21'];
    const byDay = Array.from({ length: 40 }, (_, index) => addDays(from, Math.floor((days * index) / 40)))
      .filter((day, index, all) => all.indexOf(day) === index)
      .map((day, index) => ({ day, count: index + 1 }));
    const { buckets } = seriesOf(byDay, { from, to }, to);

    expect(buckets.length).toBeLessThanOrEqual(62);
    buckets.slice(1).forEach((bucket, index) => {
      expect(bucket.from).toBe(addDays(buckets[index]!.to, 1));
    });
    const sum = (counts: { count: number }[]) => counts.reduce((all, { count }) => all + count, 0);
    expect(sum(buckets)).toBe(sum(byDay));
  }
});

test('a range that begins years before the first question starts there, also at the ends of the calendar', () => {
  const byDay = [{ day: '2026-11-20', count: 2 }];
  expect(seriesOf(byDay, { from: '0001-01-01', to: '9999-12-31' }, '2026-11-21').buckets).toHaveLength(2);
  expect(seriesOf([], { from: '9990-01-01', to: '9999-12-31' }, '2026-11-21').unit).toBe('year');
  expect(seriesOf([], { from: '9999-01-01', to: '9999-12-31' }, '2026-11-21').buckets.at(-1)!.to).toBe(
    '9999-12-31',
  );
  expect(seriesOf([], OPEN, '2026-11-21').buckets).toEqual([]);
});

test('returns the first of the highest bars, the last of the lowest, and the average', () => {
  const series = seriesOf(
    [2, 5, 5, 2].map((count, index) => ({ day: `2026-07-0${index + 1}`, count })),
    OPEN,
    '2026-11-21',
  );
  expect(extremes(series.buckets)?.peak.from).toBe('2026-07-02');
  expect(extremes(series.buckets)?.low.from).toBe('2026-07-04');
  expect(perDay(series)).toBe(3.5);
  expect(extremes([])).toBeUndefined();
});

test('the previous period has the same length and ends the day before', () => {
  expect(periodBefore({ from: '2026-03-01', to: '2026-03-31' })).toEqual({
    from: '2026-01-29',
    to: '2026-02-28',
  });
  expect(periodBefore({ from: '2026-03-01', to: '' })).toBeUndefined();
  expect(periodBefore({ from: '0001-01-02', to: '0001-03-01' })).toBeUndefined();
  expect(daysIn('2026-01-29', '2026-02-28')).toBe(31);
});
