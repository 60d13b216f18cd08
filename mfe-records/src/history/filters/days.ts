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
