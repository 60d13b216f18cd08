/**
 * The registered languages: the only list of them. Their texts are in `locales/<language>` of each workspace.
 * `locale` is for Intl and the attribute `lang`; `mark` and `label` are those of the button that switches to the language.
 */
export const LANGUAGES = {
  zh: { locale: 'zh-CN', mark: '中', label: '中：切换到中文' },
  en: { locale: 'en', mark: 'EN', label: 'EN: switch to English' },
} as const;

export type Language = keyof typeof LANGUAGES;

export const languages = Object.keys(LANGUAGES) as [Language, ...Language[]];

/** The language of visitors who have not chosen one, unless the desk has another default. */
export const DEFAULT_LANGUAGE: Language = 'zh';

export function forEachLanguage<T>(make: (language: Language) => T): Record<Language, T> {
  return Object.fromEntries(languages.map((language) => [language, make(language)])) as Record<Language, T>;
}
