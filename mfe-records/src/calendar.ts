/** Formats days and times in the visitor's language and the browser's time zone. */
export interface Calendar {
  /** 7 月 15 日, or Jul 15; with the year if it is not the current one. */
  day(date: Date): string;
  /** 周二, Tue */
  weekday(date: Date): string;
  /** 7 月, Jul; with the year if it is not the current one. */
  month(date: Date): string;
  /** 09:38 */
  clock(date: Date): string;
  /** 7 月 15 日 09:38, or Jul 15, 09:38 */
  moment(date: Date): string;
  /** 7 月 15 日 周二 09:38, or Tue, Jul 15, 09:38 */
  full(date: Date): string;
}

export function createCalendar(locale: string, now: Date = new Date()): Calendar {
  const isChinese = locale.startsWith('zh');
  const weekdays = new Intl.DateTimeFormat(locale, { weekday: 'short' });
  const clocks = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const months = new Intl.DateTimeFormat(locale, { month: 'short' });
  const isThisYear = (date: Date) => date.getFullYear() === now.getFullYear();

  const month = (date: Date) => {
    if (isChinese) return `${isThisYear(date) ? '' : `${date.getFullYear()} 年 `}${date.getMonth() + 1} 月`;
    return `${months.format(date)}${isThisYear(date) ? '' : ` ${date.getFullYear()}`}`;
  };
  const day = (date: Date) => {
    if (isChinese) return `${month(date)} ${date.getDate()} 日`;
    return `${months.format(date)} ${date.getDate()}${isThisYear(date) ? '' : `, ${date.getFullYear()}`}`;
  };
  const weekday = (date: Date) => weekdays.format(date);
  const clock = (date: Date) => clocks.format(date);
  const moment = (date: Date) => `${day(date)}${isChinese ? ' ' : ', '}${clock(date)}`;
  const full = (date: Date) =>
    isChinese ? `${day(date)} ${weekday(date)} ${clock(date)}` : `${weekday(date)}, ${moment(date)}`;
  return { day, month, weekday, clock, moment, full };
}

/** The local day of a time as YYYY-MM-DD. */
export function dayKey(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
