import { Temporal } from 'temporal-polyfill';

/** Instants from `since` to before `until`; null is open. */
export interface DayRange {
  since: Date | null;
  until: Date | null;
}

/**
 * The instants of whole days in a time zone, both inclusive. A day begins with its first instant there and ends with the next one's, so
 * that it has 23 or 25 hours where clocks are changed.
 *
 * @param tz IANA name, see `isTimeZone`.
 * @throws RangeError for a day that no calendar has.
 */
export function dayRange(from: string | undefined, to: string | undefined, tz: string): DayRange {
  return {
    since: from === undefined ? null : startOfDay(Temporal.PlainDate.from(from), tz),
    until: to === undefined ? null : startOfDay(Temporal.PlainDate.from(to).add({ days: 1 }), tz),
  };
}

/** The day that an instant lies in, as YYYY-MM-DD. */
export function dayOf(instant: Date, tz: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(tz)
    .toPlainDate()
    .toString();
}

/** A day of the years 1 to 9999, as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text;
  } catch {
    return false;
  }
}

/** Whether `text` names a time zone that has a place in it: offsets such as +08:00 are none. */
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
