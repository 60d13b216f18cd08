import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type accounts from '../../locales/en/accounts.json';
import type answers from '../../locales/en/answers.json';
import type canary from '../../locales/en/canary.json';
import type cliAccounts from '../../locales/en/cli-accounts.json';
import type cliCompose from '../../locales/en/cli-compose.json';
import type cliDb from '../../locales/en/cli-db.json';
import type cliRelease from '../../locales/en/cli-release.json';
import type cliUsage from '../../locales/en/cli-usage.json';
import type conversation from '../../locales/en/conversation.json';
import type csv from '../../locales/en/csv.json';
import type errors from '../../locales/en/errors.json';
import type fields from '../../locales/en/fields.json';
import type fileNames from '../../locales/en/file-names.json';
import type findings from '../../locales/en/findings.json';
import type lists from '../../locales/en/lists.json';
import type models from '../../locales/en/models.json';
import type pages from '../../locales/en/pages.json';
import type places from '../../locales/en/places.json';
import type reading from '../../locales/en/reading.json';
import type releases from '../../locales/en/releases.json';
import type report from '../../locales/en/report.json';
import type { Language } from '../contract/language.ts';

/** The files of `locales/<language>`. */
interface Texts {
  accounts: typeof accounts;
  answers: typeof answers;
  canary: typeof canary;
  'cli-accounts': typeof cliAccounts;
  'cli-compose': typeof cliCompose;
  'cli-db': typeof cliDb;
  'cli-release': typeof cliRelease;
  'cli-usage': typeof cliUsage;
  conversation: typeof conversation;
  csv: typeof csv;
  errors: typeof errors;
  fields: typeof fields;
  'file-names': typeof fileNames;
  findings: typeof findings;
  lists: typeof lists;
  models: typeof models;
  pages: typeof pages;
  places: typeof places;
  reading: typeof reading;
  releases: typeof releases;
  report: typeof report;
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
