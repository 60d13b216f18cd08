type Values = Record<string, string | number>;
type Say<K extends string> = (key: K | `${K}.one`, values: Values) => string;

/** Alike in Chinese and English. */
const NUMBERS = new Intl.NumberFormat('en');

/** A count with separators: 12,345 */
export function grouped(count: number): string {
  return NUMBERS.format(count);
}

/** The text `key` about `count` things, or `key.one` about one. `values` may replace {count}, by another way of writing it. */
export function plural<K extends string>(
  t: Say<NoInfer<K>>,
  key: K,
  count: number,
  values: Values = {},
): string {
  return t(count === 1 ? `${key}.one` : key, { count: grouped(count), ...values });
}
