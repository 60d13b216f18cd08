/** A date in the browser's time zone: 7 月 15 日 周二 09:38, with the spaces that are usual on Chinese screens, or Tue, Jul 15, 09:38. */
export function formatDate(date: Date, locale: string, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, parts)
    .format(date)
    .replace(/\d(?=\p{Script=Han})|\p{Script=Han}(?=\d)|日(?=[周星])/gu, '$& ');
}

/** Parts of a date, for `formatDate`. */
export const DAY = { month: 'short', day: 'numeric' } as const;
export const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** A date with the year if it is not the year of `now`. */
function withYear(date: Date, locale: string, parts: Intl.DateTimeFormatOptions, now: Date): string {
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return formatDate(date, locale, { ...year, ...parts });
}

/** Time of day. */
export function formatClock(iso: string, locale: string): string {
  return formatDate(new Date(iso), locale, CLOCK);
}

/** Month and day, e.g. 7 月 15 日, with the year if it is not the current one. */
export function formatDay(iso: string, locale: string, now: Date): string {
  return withYear(new Date(iso), locale, DAY, now);
}

/** 7 月 15 日 09:38, or Jul 15, 09:38; with the year if it is not the current one. '' for an invalid time. */
export function formatTime(iso: string, locale: string, now = new Date()): string {
  const time = new Date(iso);
  return Number.isNaN(time.valueOf()) ? '' : withYear(time, locale, { ...DAY, ...CLOCK }, now);
}

export type DateFormats = ReturnType<typeof createDateFormats>;

/** Formats days and times in the visitor's language and the browser's time zone. */
export function createDateFormats(locale: string, now: Date = new Date()) {
  const format = (parts: Intl.DateTimeFormatOptions) => (date: Date) => formatDate(date, locale, parts);
  const recent = (parts: Intl.DateTimeFormatOptions) => (date: Date) => withYear(date, locale, parts, now);
  return {
    /** 7 月 15 日, or Jul 15; with the year if it is not the current one. */
    day: recent(DAY),
    /** 7 月, Jul; with the year if it is not the current one. */
    month: recent({ month: 'short' }),
    /** 周二, Tue */
    weekday: format({ weekday: 'short' }),
    /** 09:38 */
    clock: format(CLOCK),
    /** 7 月 15 日 09:38, or Jul 15, 09:38 */
    moment: recent({ ...DAY, ...CLOCK }),
    /** 7 月 15 日 周二 09:38, or Tue, Jul 15, 09:38 */
    full: recent({ weekday: 'short', ...DAY, ...CLOCK }),
  };
}
