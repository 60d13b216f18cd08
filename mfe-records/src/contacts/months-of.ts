import type { RecordStats } from 'api/contract/search';
import { type Day, startOfMonth } from '../history/filters/days.ts';

interface Month {
  /** Its first day. */
  from: Day;
  count: number;
}

/** Number of months shown. */
const SHOWN = 12;

/** The last 12 months up to that of `today`, oldest first, with the number of their questions. */
export function monthsOf(byDay: RecordStats['byDay'], today: Day): Month[] {
  const months = Array.from({ length: SHOWN }, (_, at) => ({
    from: startOfMonth(today, at - SHOWN + 1),
    count: 0,
  }));
  const byMonth = new Map(months.map((month) => [month.from.slice(0, 7), month]));
  for (const { day, count } of byDay) {
    const month = byMonth.get(day.slice(0, 7));
    if (month) month.count += count;
  }
  return months;
}
