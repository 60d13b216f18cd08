import type { Context } from 'koa';
import { DEFAULT_LANGUAGE, type Language, languages } from '../contract/language.ts';
import type { PageDesk } from '../contract/settings.ts';

/** Name of the cookie in which the host stores the language that the visitor has chosen. */
const LANGUAGE_COOKIE = 'desk-language';

/** The language that the visitor has chosen, otherwise the desk's default, which may be the browser's. */
export function pageLanguage(ctx: Context, preferred: PageDesk['language'] = DEFAULT_LANGUAGE): Language {
  const chosen = ctx.cookies.get(LANGUAGE_COOKIE);
  const known = languages.find((language) => language === chosen);
  if (known) return known;
  return preferred === 'browser'
    ? (ctx.acceptsLanguages(...languages) as Language | false) || DEFAULT_LANGUAGE
    : preferred;
}
