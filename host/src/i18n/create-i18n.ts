import { BehaviorSubject } from 'rxjs';
import type { I18n, Language, Messages } from '../contract.ts';
import type { KeyValueStore } from '../storage/key-value-store.ts';

const KEY = 'desk:language';
const LOCALES: Record<Language, string> = { zh: 'zh-CN', en: 'en' };

export interface SwitchableI18n extends I18n {
  setLanguage(language: Language): void;
}

interface Options {
  keyValues: KeyValueStore;
  /** Its `lang` attribute follows the language: speech output, fonts and line breaking depend on it. */
  root: HTMLElement;
}

/** The default is Chinese whatever language the browser requests; a choice is stored. */
export function createI18n({ keyValues, root }: Options): SwitchableI18n {
  const language$ = new BehaviorSubject<Language>(keyValues.read(KEY) === 'en' ? 'en' : 'zh');
  language$.subscribe((language) => {
    root.lang = LOCALES[language];
  });

  return {
    language$,
    locale: () => LOCALES[language$.value],
    setLanguage(language) {
      keyValues.write(KEY, language);
      if (language !== language$.value) language$.next(language);
    },
    translator:
      <M extends Messages>(texts: { zh: M; en: { [K in keyof M]: string } }, language?: Language) =>
      (key: keyof M & string, values: Record<string, string | number> = {}) =>
        fill(texts[language ?? language$.value][key] ?? key, values),
  };
}

/** `{count}` is replaced by the value; `{count page|pages}` by the value with the matching noun: '1 page', '2 pages'. */
function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(
    /\{(\w+)(?: ([^{}|]+)\|([^{}|]+))?\}/g,
    (whole, name: string, one?: string, many?: string) => {
      const value = values[name];
      if (value === undefined) return whole;
      return one === undefined ? String(value) : `${value} ${String(value) === '1' ? one : many}`;
    },
  );
}
