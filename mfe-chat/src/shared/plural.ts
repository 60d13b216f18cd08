type Values = Record<string, string | number>;
type PluralTranslate<K extends string> = (key: K | `${K}.one`, values: Values) => string;

/** The text `key` for `count`, or `key.one` for one. `values` may override {count}, for example by a formatted number. */
export function plural<K extends string>(
  t: PluralTranslate<NoInfer<K>>,
  key: K,
  count: number,
  values: Values = {},
): string {
  return t(count === 1 ? `${key}.one` : key, { count, ...values });
}
