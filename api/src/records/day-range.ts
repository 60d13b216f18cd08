import { Temporal } from 'temporal-polyfill';

/** Half-open interval [since, until); null is unbounded. */
export interface DayRange {
  since: Date | null;
  until: Date | null;
}

/**
 * Converts whole days of a time zone, both inclusive, to instants. A day lasts until the first instant of the
 * next day, so it has 23 or 25 hours when clocks change.
 * @param tz IANA name, see `isTimeZone`. @throws RangeError for an invalid day.
 */
export function dayRange(from: string | undefined, to: string | undefined, tz: string): DayRange {
  return {
    since: from === undefined ? null : startOfDay(Temporal.PlainDate.from(from), tz),
    until: to === undefined ? null : startOfDay(Temporal.PlainDate.from(to).add({ days: 1 }), tz),
  };
}

/** The day of an instant as YYYY-MM-DD. */
export function dayOf(instant: Date, tz: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(tz)
    .toPlainDate()
    .toString();
}

/** Whether it is a valid day of the years 1 to 9999 as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text;
  } catch {
    return false;
  }
}

/** Whether `text` is an IANA time zone name; offsets such as +08:00 are not. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

function startOfDay(day: Temporal.PlainDate, tz: string): Date {
  return new Date(day.toZonedDateTime(tz).epochMilliseconds);
}
