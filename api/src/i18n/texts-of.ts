import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, languages } from '../contract/language.ts';

/** The files of `locales/<language>`. */
interface Texts {
  accounts: typeof import('../../locales/en/accounts.json');
  answers: typeof import('../../locales/en/answers.json');
  canary: typeof import('../../locales/en/canary.json');
  'cli-accounts': typeof import('../../locales/en/cli-accounts.json');
  'cli-compose': typeof import('../../locales/en/cli-compose.json');
  'cli-db': typeof import('../../locales/en/cli-db.json');
  'cli-release': typeof import('../../locales/en/cli-release.json');
  'cli-usage': typeof import('../../locales/en/cli-usage.json');
  conversation: typeof import('../../locales/en/conversation.json');
  csv: typeof import('../../locales/en/csv.json');
  errors: typeof import('../../locales/en/errors.json');
  fields: typeof import('../../locales/en/fields.json');
  'file-names': typeof import('../../locales/en/file-names.json');
  findings: typeof import('../../locales/en/findings.json');
  lists: typeof import('../../locales/en/lists.json');
  models: typeof import('../../locales/en/models.json');
  pages: typeof import('../../locales/en/pages.json');
  places: typeof import('../../locales/en/places.json');
  reading: typeof import('../../locales/en/reading.json');
  releases: typeof import('../../locales/en/releases.json');
  report: typeof import('../../locales/en/report.json');
}

export type Area = keyof Texts;

export type TextKey<Of extends Area> = keyof Texts[Of] & string;

/** A text that is rendered when the language of its reader is known. */
export type Text = (language: Language) => string;

/** Values of `{name}` placeholders. `count` also selects the plural form. */
export type Values = Readonly<Record<string, string | number | Text | undefined>>;

/**
 * Texts of one area: `textsOf('errors')('too_large')('en')`. A text that the language lacks is shown in English, and a placeholder
 * without a value remains as it is.
 */
export function textsOf<Of extends Area>(area: Of): (key: TextKey<Of>, values?: Values) => Text {
  return (key, values = {}) =>
    (language) =>
      formOf(textsIn(language, area)[key] ?? textsIn('en', area)[key] ?? key, values.count, language).replace(
        /\{(\w+)\}/g,
        (placeholder, name: string) => {
          const value = values[name] ?? placeholder;
          return typeof value === 'function' ? value(language) : String(value);
        },
      );
}

/** Items with the separator of the language between them. */
export function listOf(items: readonly (string | Text)[], separator: TextKey<'lists'> = 'comma'): Text {
  return (language) =>
    items
      .map((item) => (typeof item === 'string' ? item : item(language)))
      .join(textsOf('lists')(separator)(language));
}

/** Texts of an area in one language. */
export function createSay<Of extends Area>(area: Of, language: Language) {
  const textOf = textsOf(area);
  return (key: TextKey<Of>, values?: Values) => textOf(key, values)(language);
}

export type Say<Of extends Area> = ReturnType<typeof createSay<Of>>;

/** A text, or its forms by the categories of `Intl.PluralRules`. */
type Entry = string | Record<string, string>;

function formOf(entry: Entry, count: Values[string], language: Language): string {
  if (typeof entry === 'string') return entry;
  const category = typeof count === 'number' ? pluralRulesOf(language).select(count) : 'other';
  return entry[category] ?? entry.other ?? '';
}

const pluralRules = new Map<Language, Intl.PluralRules>();

function pluralRulesOf(language: Language): Intl.PluralRules {
  const rules = pluralRules.get(language) ?? new Intl.PluralRules(language);
  pluralRules.set(language, rules);
  return rules;
}

const folder = join(import.meta.dirname, '../../locales');
const loaded = new Map<string, Record<string, Entry>>();

/** Read at first use, so that a command reads only what it shows. */
function textsIn(language: Language, area: string): Record<string, Entry> {
  const file = `${folder}/${language}/${area}.json`;
  const texts =
    loaded.get(file) ??
    (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Entry>) : {});
  loaded.set(file, texts);
  return texts;
}

/** The language of a locale such as `zh-CN` or `en_US.UTF-8`; undefined if there are no texts in it. */
export function languageOfLocale(locale: string): Language | undefined {
  const [code] = locale.toLowerCase().split(/[-_.@]/);
  return languages.find((language) => language === code);
}

/** For `Intl`: the locale whose formats are used with a language. */
const locales: Partial<Record<Language, string>> = { zh: 'zh-CN', en: 'en-GB' };

export function localeOf(language: Language): string {
  return locales[language] ?? language;
}
