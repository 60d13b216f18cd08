import { Temporal } from 'temporal-polyfill';

/** The half-open interval [since, until); null means unbounded. */
export interface DayRange {
  since: Date | null;
  until: Date | null;
}

/**
 * Converts whole days of a time zone, both inclusive, to instants. A day has 23 or 25 hours when clocks
 * change.
 *
 * @param tz IANA name, see contract/fields.ts.
 * @throws RangeError for an invalid day.
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

/** Returns a fast `dayOf` for instants in ms of which most are on the day of the one before or the next. */
export function createDayReader(tz: string): (ms: number) => string {
  let day: Temporal.PlainDate | null = null;
  let name = '';
  let since = Number.NaN;
  let until = Number.NaN;
  return (ms) => {
    if (ms >= since && ms < until) return name;
    const next = day?.add({ days: 1 });
    const end = next ? startOfDay(next.add({ days: 1 }), tz).getTime() : Number.NaN;
    if (next && ms >= until && ms < end) {
      day = next;
      since = until;
      until = end;
    } else {
      day = Temporal.PlainDate.from(dayOf(new Date(ms), tz));
      since = startOfDay(day, tz).getTime();
      until = startOfDay(day.add({ days: 1 }), tz).getTime();
    }
    name = day.toString();
    return name;
  };
}

function startOfDay(day: Temporal.PlainDate, tz: string): Date {
  return new Date(day.toZonedDateTime(tz).epochMilliseconds);
}
