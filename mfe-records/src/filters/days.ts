/**
 * Days of the calendar as YYYY-MM-DD, years 1 to 9999, and sums with them. They have no time and no time zone: two days are compared
 * as text.
 */
export type Day = string;

const DAY_MS = 86_400_000;

/** The day that it is now in a time zone (IANA name; the browser's own without one). */
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

/** The day of these numbers, or undefined when no calendar has it. `month` is 1–12. */
export function dayFrom(year: number, month: number, date: number): Day | undefined {
  if (!(year >= 1 && year <= 9999)) return undefined;
  const two = (part: number) => String(part).padStart(2, '0');
  const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`;
  return isDay(text) ? text : undefined;
}

/** Whether `text` is a day that the calendar has, as the API wants it. */
export function isDay(text: string): text is Day {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.valueOf()) && time.toISOString().startsWith(text);
}

/** `count` days later; earlier when it is below zero. Never leaves the years 1 to 9999. */
export function addDays(day: Day, count: number): Day {
  return toDay(new Date(time(day) + count * DAY_MS));
}

/** The first day of the month that comes `count` months after the one of `day`. */
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
export function weekdayOf(day: Day): number {
  return (new Date(time(day)).getUTCDay() + 6) % 7;
}

/** The Monday of the week that comes `count` weeks after the one of `day`. */
export function startOfWeek(day: Day, count = 0): Day {
  return addDays(day, count * 7 - weekdayOf(day));
}

/** How many days a range has, both ends included. */
export function daysIn(from: Day, to: Day): number {
  return Math.round((time(to) - time(from)) / DAY_MS) + 1;
}

/** Noon of the day as the browser's clock has it: for Intl and for calendars that think in local time. */
export function localDate(day: Day): Date {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number);
  const local = new Date(2000, month - 1, date, 12);
  local.setFullYear(year, month - 1, date);
  return local;
}

/** The day that a local date lies in. */
export function dayOfLocal(date: Date): Day {
  return dayFrom(date.getFullYear(), date.getMonth() + 1, date.getDate()) ?? '';
}

function time(day: Day): number {
  return new Date(`${day}T00:00:00Z`).valueOf();
}

function toDay(date: Date): Day {
  if (date.valueOf() < -62_135_596_800_000) return '0001-01-01';
  if (date.valueOf() > 253_402_214_400_000) return '9999-12-31';
  return date.toISOString().slice(0, 10);
}
