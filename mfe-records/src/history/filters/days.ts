import type { Translate } from 'host/contract';
import { DAY, formatDate } from 'host/ui/format-date.ts';
import { localDate } from 'host/ui/local-day.ts';
import type { FilterTexts } from '../../lib/texts.ts';

/** Calendar days as YYYY-MM-DD, years 1 to 9999, with arithmetic. They have no time and no time zone, and compare as text. */
export type Day = string;

const DAY_MS = 86_400_000;

/** Today in a time zone (IANA name; the browser's by default). */
export function dayIn(timeZone: string | undefined, now: Date = new Date()): Day {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(now);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  return dayFrom(part('year'), part('month'), part('day')) ?? '';
}

/** The day with these numbers, or undefined if it does not exist. `month` is 1–12. */
export function dayFrom(year: number, month: number, date: number): Day | undefined {
  if (!(year >= 1 && year <= 9999)) return undefined;
  const two = (part: number) => String(part).padStart(2, '0');
  const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`;
  return isDay(text) ? text : undefined;
}

/** True if `text` is an existing day in the API's format. */
export function isDay(text: string): text is Day {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.valueOf()) && time.toISOString().startsWith(text);
}

/** The day `count` days later, or earlier if negative, limited to the years 1 to 9999. */
export function addDays(day: Day, count: number): Day {
  return toDay(new Date(time(day) + count * DAY_MS));
}

/** The first day of the month `count` months after the month of `day`. */
export function startOfMonth(day: Day, count = 0): Day {
  const [year = 1, month = 1] = day.split('-').map(Number);
  const months = Math.max(12, Math.min(year * 12 + month - 1 + count, 9999 * 12 + 11));
  return dayFrom(Math.floor(months / 12), (months % 12) + 1, 1) ?? day;
}

/** The last day of the month of `day`. */
export function endOfMonth(day: Day): Day {
  const next = startOfMonth(day, 1);
  return next > day ? addDays(next, -1) : '9999-12-31';
}

/** 0 is Monday, 6 is Sunday. */
function weekdayOf(day: Day): number {
  return (new Date(time(day)).getUTCDay() + 6) % 7;
}

/** The Monday of the week `count` weeks after the week of `day`. */
export function startOfWeek(day: Day, count = 0): Day {
  return addDays(day, count * 7 - weekdayOf(day));
}

/** Number of days in a range, both ends included. */
export function daysIn(from: Day, to: Day): number {
  return Math.round((time(to) - time(from)) / DAY_MS) + 1;
}

function time(day: Day): number {
  return new Date(`${day}T00:00:00Z`).valueOf();
}

function toDay(date: Date): Day {
  if (date.valueOf() < -62_135_596_800_000) return '0001-01-01';
  if (date.valueOf() > 253_402_214_400_000) return '9999-12-31';
  return date.toISOString().slice(0, 10);
}

/** Formats days and ranges: 7 月 15 日, or Jul 15; with the year if it is not that of `today`. */
export function createDayFormat(locale: string, today: Day, t: Translate<FilterTexts>) {
  const yearOf = (day: Day) => day.slice(0, 4);
  const format = (day: Day, parts: Intl.DateTimeFormatOptions) => formatDate(localDate(day), locale, parts);
  const withYear = (parts: Intl.DateTimeFormatOptions, ...days: Day[]) =>
    days.every((day) => yearOf(day) === yearOf(today)) ? parts : { ...parts, year: 'numeric' as const };
  const day = (day: Day): string => format(day, withYear(DAY, day));
  const month = (day: Day): string => format(day, withYear({ month: 'short' }, day));
  const isYearFirst = firstPart(locale) === 'year';

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

function firstPart(locale: string): string | undefined {
  const parts = new Intl.DateTimeFormat(locale, { ...DAY, year: 'numeric' }).formatToParts();
  return parts.find(({ type }) => type !== 'literal')?.type;
}

export interface DayRange {
  /** Inclusive, YYYY-MM-DD; '' for an open end. */
  from: Day;
  to: Day;
}

export const PRESETS = ['today', 'yesterday', 'seven', 'lastWeek', 'thisMonth', 'lastMonth'] as const;
type Preset = (typeof PRESETS)[number];

/** The days of a preset on `today`. Weeks begin on Monday; a period that is not over ends today. */
export function presetRange(preset: Preset, today: Day): DayRange {
  const yesterday = addDays(today, -1);
  const lastMonth = startOfMonth(today, -1);
  const ranges: Record<Preset, DayRange> = {
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    seven: { from: addDays(today, -6), to: today },
    lastWeek: { from: startOfWeek(today, -1), to: addDays(startOfWeek(today), -1) },
    thisMonth: { from: startOfMonth(today), to: today },
    lastMonth: { from: lastMonth, to: endOfMonth(lastMonth) },
  };
  return ranges[preset];
}

export const single = (day: Day | undefined) => rangeOf(day, day);

export function rangeOf(from: Day | undefined, to: Day | undefined): DayRange | undefined {
  return from && to ? { from, to } : undefined;
}

export function openRange(day: Day | undefined, end: 'from' | 'to'): DayRange | undefined {
  return day ? { from: '', to: '', [end]: day } : undefined;
}

/** A period that is not over ends today. */
export function upToNow(from: Day | undefined, to: Day | undefined, today: Day): DayRange | undefined {
  return rangeOf(from, from && to && from <= today && today < to ? today : to);
}

/** The first day of the `months` months that end with `today`. */
export function monthsBack(today: Day, months: number): Day {
  const first = startOfMonth(today, -months);
  const last = endOfMonth(first);
  const same = `${first.slice(0, 8)}${today.slice(8)}`;
  return addDays(same < last ? same : last, 1);
}

export function yearOf(day: Day): number {
  return Number(day.slice(0, 4));
}

export function monthOf(day: Day): number {
  return Number(day.slice(5, 7));
}

export type Groups = Record<string, string | undefined>;

/** A pattern of date expressions, and their meaning on `today`; undefined if the expression is not a valid date. */
export interface DateRule {
  pattern: RegExp;
  read(groups: Groups, today: Day): DayRange | undefined;
}

/** A date expression must be delimited by spaces or punctuation. 的 and ’s may follow directly. */
const BEFORE = '(?<=^|[\\s,，、;；:：(（])';
const BEHIND = "(?=$|[\\s,，、;；:：)）。!！?？]|\\.(?:\\s|$)|的(?=\\S)|['’]s(?:\\s|$))";

/** @param pattern For text in lower case, see `findDate`. */
export function dateRule(pattern: string, read: DateRule['read']): DateRule {
  return { pattern: new RegExp(`${BEFORE}(?:${pattern})${BEHIND}`, 'gu'), read };
}
