type Values = Record<string, string | number>;
type Say<K extends string> = (key: K | `${K}.one`, values: Values) => string;

/** The text `key` about `count` things, or `key.one` about one. `values` may replace {count}, by a formatted number for example. */
export function plural<K extends string>(
  t: Say<NoInfer<K>>,
  key: K,
  count: number,
  values: Values = {},
): string {
  return t(count === 1 ? `${key}.one` : key, { count, ...values });
}
