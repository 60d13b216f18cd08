/** Times of day in the browser's time zone. `locale` is 'zh-CN' or 'en'. */

export function formatClock(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(iso),
  );
}

/** Month and day, e.g. 7 月 15 日, with the year if it is not the current one. */
export function formatDay(iso: string, locale: string, now: Date): string {
  const date = new Date(iso);
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  const isChinese = locale.startsWith('zh');
  const format = new Intl.DateTimeFormat(locale, {
    ...year,
    month: isChinese ? 'long' : 'short',
    day: 'numeric',
  });
  if (!isChinese) return format.format(date);
  return format
    .format(date)
    .replaceAll(/(\d)([年月日])(?=(\d?))/g, (_, digit, unit, next) => `${digit} ${unit}${next ? ' ' : ''}`);
}
