/** A text, or its forms by the categories of `Intl.PluralRules`, of which `values.count` chooses one. */
export type Text = string | Readonly<Record<string, string>>;
export type Values = Readonly<Record<string, string | number>>;
export type Translate<M extends object> = (key: keyof M & string, values?: Values) => string;

/**
 * Loads the texts of one language from a file of its own: ``(language) => import(`../locales/${language}/chat.json`)``. Since contract 1.8.
 */
export type TextFile = (language: string) => Promise<{ default: Readonly<Record<string, Text>> }>;

/**
 * The files with the texts of a screen or a part of it; `M` has their keys. The host loads and translates them: `services.i18n`. If an exposed
 * module exports a list of them as `texts`, the host loads them with the screen, and the page preloads them. Since contract 1.8.
 */
export interface Texts<M extends object> {
  readonly files: readonly TextFile[];
  /** Never set: only carries the type `M`. */
  readonly messages?: M;
}

/** `Texts`, or the tables of both languages that remotes built before contract 1.8 pass. */
export type AnyTexts<M extends object> = Texts<M> | { zh: M; en: { [K in keyof M]: string } };

/** Loads texts before a part of a screen uses them: `services.i18n`. */
export interface TextLoader {
  load(texts: Texts<object>): Promise<void>;
}

export function defineTexts<M extends object>(...files: TextFile[]): Texts<M> {
  return { files };
}

/**
 * Inserts values into a text: `{name}` is replaced by `values.name`. Tables of remotes built before contract 1.8 may contain `{count
 * page|pages}`, which becomes '1 page' or '2 pages'.
 */
export function fill(text: Text, values: Values, locale: string): string {
  const { form, count } =
    typeof text === 'string' ? { form: text, count: undefined } : formOf(text, values, locale);
  return form.replace(
    /\{(\w+)(?: ([^{}|]+)\|([^{}|]+))?\}/g,
    (whole, name: string, one?: string, many?: string) => {
      const value = name === 'count' ? (count ?? values[name]) : values[name];
      if (value === undefined) return whole;
      return one === undefined ? String(value) : `${value} ${String(value) === '1' ? one : many}`;
    },
  );
}

const formats = new Map<string, { rules: Intl.PluralRules; numbers: Intl.NumberFormat }>();

/** A count that is already formatted, such as '1,234', keeps its format. */
function formOf(forms: Readonly<Record<string, string>>, { count = 0 }: Values, locale: string) {
  let format = formats.get(locale);
  if (!format) {
    format = { rules: new Intl.PluralRules(locale), numbers: new Intl.NumberFormat(locale) };
    formats.set(locale, format);
  }
  const isNumber = typeof count === 'number';
  const category = format.rules.select(isNumber ? count : Number(count.replace(/\D/g, '')));
  return {
    form: forms[category] ?? forms.other ?? '',
    count: isNumber ? format.numbers.format(count) : count,
  };
}
