type Values = Record<string, string | number>;
type PluralTranslate<K extends string> = (key: K | `${K}.one`, values: Values) => string;

/** The same in Chinese and English. */
const NUMBERS = new Intl.NumberFormat('en');

/** A count with thousands separators: 12,345 */
export function grouped(count: number): string {
  return NUMBERS.format(count);
}

/** The text `key` for `count`, or `key.one` for one. `values` may override {count}, for example by a formatted number. */
export function plural<K extends string>(
  t: PluralTranslate<NoInfer<K>>,
  key: K,
  count: number,
  values: Values = {},
): string {
  return t(count === 1 ? `${key}.one` : key, { count: grouped(count), ...values });
}
