import { type Language, languages } from '../contract/language.ts';

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
