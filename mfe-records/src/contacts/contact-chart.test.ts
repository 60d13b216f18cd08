import { expect, test } from '@jest/globals';
import { monthsOf } from './contact-chart.tsx';

test('counts the days of the last 12 months, and no earlier ones', () => {
  const months = monthsOf(
    [
      { day: '2025-02-28', count: 9 },
      { day: '2025-03-01', count: 1 },
      { day: '2026-01-31', count: 2 },
      { day: '2026-02-01', count: 3 },
      { day: '2026-02-12', count: 4 },
    ],
    '2026-02-12',
  );

  expect(months).toHaveLength(12);
  expect(months[0]).toEqual({ from: '2025-03-01', count: 1 });
  expect(months.slice(-2)).toEqual([
    { from: '2026-01-01', count: 2 },
    { from: '2026-02-01', count: 7 },
  ]);
});
