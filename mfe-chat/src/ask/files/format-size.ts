const UNITS = ['B', 'KB', 'MB', 'GB'];

/** Formats a size in bytes: `0 B`, `4 KB`, `1.2 MB`, `12 MB`. `locale` is for Intl. */
export function formatSize(bytes: number, locale: string): string {
  let unit = 0;
  let count = bytes;
  while (count >= 1024 && unit < UNITS.length - 1) {
    count /= 1024;
    unit += 1;
  }
  const digits = count < 10 && unit > 1 ? 1 : 0;
  return `${count.toLocaleString(locale, { maximumFractionDigits: digits })} ${UNITS[unit]}`;
}
