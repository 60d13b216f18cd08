import { languages } from '../../contract/language.ts';
import { localeOf } from '../../i18n/language-of-locale.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import { sectionsOf } from './in-each-language.ts';

/**
 * Shown while nothing has been published, most likely to the person who installs the application. Works
 * without scripts.
 */
export const NOTHING_PUBLISHED_PAGE = `<!doctype html>
<html lang="${localeOf(languages[0])}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${textsOf('pages')('unpublished')(languages[0])}</title></head>
<body>
${sectionsOf('unpublished')}
</body>
</html>
`;

export const NOTHING_PUBLISHED_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
