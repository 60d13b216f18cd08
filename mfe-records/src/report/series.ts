import type { RecordStats } from 'api/contract/search';
import { addDays, type Day, daysIn, endOfMonth, startOfMonth, startOfWeek } from '../history/filters/days.ts';

export type Unit = 'day' | 'week' | 'month' | 'year';

/** Consecutive days with the number of their questions. */
export interface Bucket {
  from: Day;
  to: Day;
  count: number;
}

export interface Series {
  unit: Unit;
  /** The bars, oldest first and without gaps. The range may shorten the first and the last. */
  buckets: Bucket[];
}

/** Maximum number of bars that are still distinguishable. */
const MOST = 62;
const DAYS_OF: [Unit, number][] = [
  ['day', 1],
  ['week', 7],
  ['month', 30.5],
];

/**
 * Converts counts per day to bars: one per day up to 62 bars, otherwise one per week (from Monday), month or year. Days without questions
 * count 0. An open range covers the first to the last day with questions; a range that ends in the future ends today, and one that begins
 * years before the first question starts there.
 */
export function seriesOf(byDay: RecordStats['byDay'], range: { from: Day; to: Day }, today: Day): Series {
  const first = byDay[0]?.day ?? '';
  const last = byDay.at(-1)?.day ?? '';
  const isWide = range.from !== '' && first !== '' && daysIn(range.from, first) > MOST * 7;
  const from = (isWide ? first : range.from) || first || range.to;
  const latest = last > today ? last : today;
  const to = range.to ? (range.to > latest && from <= latest ? latest : range.to) : last || from;
  if (!from || !to) return { unit: 'day', buckets: [] };

  const span = daysIn(from, to);
  const unit = DAYS_OF.find(([, days]) => span / days <= MOST)?.[0] ?? 'year';
  const buckets: Bucket[] = [];
  for (let start = from; start <= to; ) {
    const whole = endOf(unit, start);
    const end = earlier(whole, to);
    buckets.push({ from: start, to: end, count: 0 });
    if (end === to) break;
    start = addDays(end, 1);
  }
  let at = 0;
  for (const { day, count } of byDay) {
    while (at < buckets.length - 1 && day > buckets[at]!.to) at += 1;
    const bucket = buckets[at];
    if (bucket && day >= bucket.from && day <= bucket.to) bucket.count += count;
  }
  return { unit, buckets };
}

export function perDay({ buckets }: Series): number {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last) return 0;
  return buckets.reduce((sum, { count }) => sum + count, 0) / daysIn(first.from, last.to);
}

/** '12', or '10,000+' if only the newest were counted. */
export function totalText({ total, totalIsMore }: RecordStats, numbers: Intl.NumberFormat): string {
  return `${numbers.format(total)}${totalIsMore ? '+' : ''}`;
}

/** The first of the highest and the last of the lowest bars. */
export function extremes(buckets: Bucket[]): { peak: Bucket; low: Bucket } | undefined {
  const [first] = buckets;
  if (!first) return undefined;
  let [peak, low] = [first, first];
  for (const bucket of buckets) {
    if (bucket.count > peak.count) peak = bucket;
    if (bucket.count <= low.count) low = bucket;
  }
  return { peak, low };
}

/** The previous period of equal length; undefined if the range is open or starts at the beginning of the calendar. */
export function periodBefore({ from, to }: { from: Day; to: Day }): { from: Day; to: Day } | undefined {
  if (!from || !to) return undefined;
  const length = daysIn(from, to);
  const before = { from: addDays(from, -length), to: addDays(from, -1) };
  return daysIn(before.from, before.to) === length ? before : undefined;
}

function earlier(one: Day, other: Day): Day {
  return one < other ? one : other;
}

function endOf(unit: Unit, day: Day): Day {
  if (unit === 'day') return day;
  if (unit === 'week') return addDays(startOfWeek(day), 6);
  return unit === 'month' ? endOfMonth(day) : endOfMonth(startOfMonth(`${day.slice(0, 4)}-12-01`));
}
