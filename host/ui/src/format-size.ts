const UNITS = ['B', 'KB', 'MB', 'GB'];

/** Formats a size in bytes in the page's language: `0 B`, `1.4 KB`, `512 KB`, `12 MB`. Units are powers of 1,024, as in the limits. */
export function formatSize(bytes: number): string {
  let unit = 0;
  let count = bytes;
  while (count >= 1024 && unit < UNITS.length - 1) {
    count /= 1024;
    unit += 1;
  }
  const locale = document.documentElement.lang || undefined;
  const digits = count < 10 && unit > 0 ? 1 : 0;
  return `${count.toLocaleString(locale, { maximumFractionDigits: digits })} ${UNITS[unit]}`;
}
