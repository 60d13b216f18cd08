import { Temporal } from 'temporal-polyfill';

/** Half-open interval [since, until); null is unbounded. */
export interface DayRange {
  since: Date | null;
  until: Date | null;
}

/**
 * Converts whole days of a time zone, both inclusive, to instants. A day lasts until the first instant of the
 * next day, so it has 23 or 25 hours when clocks change.
 * @param tz IANA name, see contract/fields.ts. @throws RangeError for an invalid day.
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

function startOfDay(day: Temporal.PlainDate, tz: string): Date {
  return new Date(day.toZonedDateTime(tz).epochMilliseconds);
}
