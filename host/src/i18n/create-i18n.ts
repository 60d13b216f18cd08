import { DEFAULT_LANGUAGE, LANGUAGES } from 'api/contract/language';
import { fill, type Text } from 'host/ui/texts.ts';
import { BehaviorSubject } from 'rxjs';
import type { I18n, Language, TextFile, Texts } from '../contract.ts';
import type { KeyValueStore } from '../storage/key-value-store.ts';
import { readPageCookie, writePageCookie } from '../storage/page-cookie.ts';

/** Name of the stored choice, and of the cookie by which the server knows which texts the page will load. */
const KEY = 'desk:language';
const COOKIE = 'desk-language';

/** The languages of texts that the current one lacks, in this order. */
const FALLBACKS = ['en', 'zh'] as const satisfies Language[];

export interface SwitchableI18n extends I18n {
  /**
   * Loads the texts in use, then switches. Rejects, and changes nothing, if a file cannot be loaded; unless the browser is offline the next
   * call does without that file, which may belong to a release that is no longer shown.
   */
  setLanguage(language: Language): Promise<void>;
}

interface Options {
  keyValues: KeyValueStore;
  /** Its `lang` attribute follows the language: speech output, fonts and line breaking depend on it. */
  root: HTMLElement;
  /** Where the choice is also stored as a cookie; default nowhere. */
  cookies?: { cookie: string };
  /** The language of visitors who have not chosen one; Chinese if it is missing or unknown. */
  preferred?: string | undefined;
}

type Tables = Map<string, Readonly<Record<string, Text>>>;

/** The files that were loaded, by language. They never change. */
const loaded = new WeakMap<TextFile, Tables>();

export function createI18n({ keyValues, root, cookies, preferred }: Options): SwitchableI18n {
  const chosen = [readPageCookie(cookies, COOKIE), keyValues.read(KEY)].find(isLanguage);
  const language$ = new BehaviorSubject<Language>(
    chosen ?? (isLanguage(preferred) ? preferred : DEFAULT_LANGUAGE),
  );
  const inUse = new Set<TextFile>();
  let wanted: Language;
  language$.subscribe((language) => {
    root.lang = LANGUAGES[language].locale;
  });
  const store = (language: Language) => {
    keyValues.write(KEY, language);
    if (cookies) writePageCookie(cookies, COOKIE, language);
  };
  // Browsers limit the lifetime of cookies that scripts set.
  if (chosen) store(chosen);

  const loadInUse = (language: Language) =>
    Promise.all(
      [...inUse].map((file) =>
        loadFile(file, language).catch((error: unknown) => {
          if (navigator.onLine) inUse.delete(file);
          throw error;
        }),
      ),
    );

  return {
    language$,
    locale: () => LANGUAGES[language$.value].locale,
    async load({ files }, language) {
      let now: Language;
      do {
        now = language ?? language$.value;
        await Promise.all(files.map((file) => loadFile(file, now)));
      } while (!language && now !== language$.value);
      if (!language) for (const file of files) inUse.add(file);
    },
    async setLanguage(language) {
      wanted = language;
      let count: number;
      do {
        count = inUse.size;
        await loadInUse(language);
      } while (count !== inUse.size);
      if (wanted !== language) return;
      store(language);
      if (language !== language$.value) language$.next(language);
    },
    translator: (texts, language) => (key, values) => {
      for (const one of [language ?? language$.value, ...FALLBACKS]) {
        const text =
          'files' in texts ? textIn(texts, one, key) : (texts[one as 'zh'] as Record<string, string>)?.[key];
        if (text !== undefined) return fill(text, values ?? {}, LANGUAGES[one].locale);
      }
      return key;
    },
  };
}

/** The text in this language, or else in another one. */
export function inLanguage(texts: { readonly [L in Language]?: string }, language: Language): string {
  return [language, ...FALLBACKS].map((one) => texts[one]).find((text) => text !== undefined) ?? '';
}

/** Loads a file once per language. Rejects like the `import()` of its chunk; the next call tries again. */
export async function loadFile(file: TextFile, language: string): Promise<void> {
  if (loaded.get(file)?.has(language)) return;
  const { default: table } = await file(language);
  // The second import of a module that threw, such as one that a dev server could not build, has no exports.
  if (!table) throw new Error(`the texts of the language ${language} are empty`);
  const tables: Tables = loaded.get(file) ?? new Map();
  loaded.set(file, tables.set(language, table));
}

function textIn({ files }: Texts<object>, language: string, key: string): Text | undefined {
  for (const file of files) {
    const tables = loaded.get(file);
    if (!tables) console.error(`the texts with the key ${key} are used before they are loaded`);
    const text = tables?.get(language)?.[key];
    if (text !== undefined) return text;
  }
  return undefined;
}

function isLanguage(value: string | undefined): value is Language {
  return value !== undefined && Object.hasOwn(LANGUAGES, value);
}
