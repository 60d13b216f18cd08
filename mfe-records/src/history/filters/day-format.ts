import { DAY, formatDate } from 'host/ui/format-date.ts';
import { localDate } from 'host/ui/local-day.ts';
import type { Day } from './days.ts';
import type { FilterTranslate } from './filter-texts.ts';

export type DayFormat = ReturnType<typeof createDayFormat>;

/** Formats days and ranges: 7 月 15 日, or Jul 15; with the year if it is not that of `today`. */
export function createDayFormat(locale: string, today: Day, t: FilterTranslate) {
  const yearOf = (day: Day) => day.slice(0, 4);
  const format = (day: Day, parts: Intl.DateTimeFormatOptions) => formatDate(localDate(day), locale, parts);
  const withYear = (parts: Intl.DateTimeFormatOptions, ...days: Day[]) =>
    days.every((day) => yearOf(day) === yearOf(today)) ? parts : { ...parts, year: 'numeric' as const };
  const day = (day: Day): string => format(day, withYear(DAY, day));
  const month = (day: Day): string => format(day, withYear({ month: 'short' }, day));
  const isYearFirst = partOrder(locale)[0] === 'year';

  /** 7 月 1 日至 15 日, Jul 1–15; one end may be open (''). */
  function range(from: Day, to: Day): string {
    if (!to) return t('days.since', { day: day(from) });
    if (!from) return t('days.until', { day: day(to) });
    if (from === to) return day(from);
    const parts = withYear(DAY, from, to);
    if (!isYearFirst)
      return new Intl.DateTimeFormat(locale, parts)
        .formatRange(localDate(from), localDate(to))
        .replaceAll('\u2009', ' ')
        .replace(/(?<=\d) – (?=\d)/, '–');
    // Where the year comes first, Intl writes ranges as numbers: 2025/7/1 – 7/15.
    const isSameYear = yearOf(from) === yearOf(to);
    const isSameMonth = from.slice(0, 7) === to.slice(0, 7);
    const last = format(to, isSameMonth ? { day: 'numeric' } : isSameYear ? DAY : parts);
    return t('days.range', { from: format(from, parts), to: last });
  }

  return {
    day,
    range,
    /** 7 月, Jul; with the year if it is not the current one. */
    month,
    /** 7 月, Jul, without year. */
    monthName: (day: Day): string => format(day, { month: 'short' }),
  };
}

function partOrder(locale: string): string[] {
  const parts = { ...DAY, year: 'numeric' } as const;
  return new Intl.DateTimeFormat(locale, parts)
    .formatToParts()
    .map(({ type }) => type)
    .filter((type) => type !== 'literal');
}
