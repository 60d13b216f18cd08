import type { Language } from '../contract/language.ts';
import { languageOfLocale } from '../i18n/language-of-locale.ts';

/** --lang, then the locale variables in their usual order; English unless there are texts in its language. */
export function languageOf(argv: readonly string[], env: Record<string, string | undefined>): Language {
  const at = argv.findIndex((word) => word === '--lang' || word.startsWith('--lang='));
  const asked = argv[at]?.includes('=') ? argv[at].slice('--lang='.length) : argv[at + 1];
  const locale = at >= 0 ? asked : env.LC_ALL || env.LC_MESSAGES || env.LANG;
  return languageOfLocale(locale ?? '') ?? 'en';
}
