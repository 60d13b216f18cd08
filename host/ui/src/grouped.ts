/** The same in Chinese and English. */
const NUMBERS = new Intl.NumberFormat('en');

/** A count with thousands separators: 12,345 */
export function grouped(count: number): string {
  return NUMBERS.format(count);
}
