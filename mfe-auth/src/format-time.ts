/** Formats a time in the browser's time zone: 7 月 15 日 09:38, or Jul 15, 09:38; with the year if it is not the current one. */
export function formatTime(iso: string, locale: string, now = new Date()): string {
  const time = new Date(iso);
  if (Number.isNaN(time.valueOf())) return '';
  const isThisYear = time.getFullYear() === now.getFullYear();
  const clock = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(time);
  if (!locale.startsWith('zh'))
    return `${new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', ...(isThisYear ? {} : { year: 'numeric' }) }).format(time)}, ${clock}`;
  const year = isThisYear ? '' : `${time.getFullYear()} 年 `;
  return `${year}${time.getMonth() + 1} 月 ${time.getDate()} 日 ${clock}`;
}
