import { languages } from '../../contract/language.ts';
import { type TextKey, textsOf } from '../../i18n/texts-of.ts';

const textOf = textsOf('pages');

/** For pages that do not know the visitor's language: a heading and paragraphs, in one language after the other. */
export function sectionsOf(key: 'over' | 'leave' | 'open' | 'unpublished'): string {
  const paragraphs =
    key === 'unpublished' ? (['unpublished_text', 'unpublished_dev'] as const) : ([`${key}_text`] as const);
  return languages
    .map((language, at) => {
      const [section, heading] = at === 0 ? ['section', 'h1'] : [`section lang="${language}"`, 'h2'];
      const texts = paragraphs.map((paragraph) => `<p>${textOf(paragraph)(language)}</p>`);
      return `<${section}>
<${heading}>${textOf(`${key}_title`)(language)}</${heading}>
${texts.join('\n')}
</section>`;
    })
    .join('\n');
}

/** The label of a button or link. */
export function inEach(key: TextKey<'pages'>): string {
  return languages
    .map((language, at) => {
      const text = textOf(key)(language);
      return at === 0 ? text : `<span lang="${language}">· ${text}</span>`;
    })
    .join(' ');
}

/** The same as plain text. */
export function wordsOf(key: TextKey<'pages'>): string {
  return languages.map(textOf(key)).join(' · ');
}
