import { termsOf } from '../text/terms.ts';

/** Maximum length of an automatic conversation title, in characters. */
const maxTitleLength = 40;

/** The title of a conversation derived from its first question: one line, cut at a character boundary. */
export function conversationTitle(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim();
  const characters = Array.from(
    new Intl.Segmenter('zh').segment(line.slice(0, 400)),
    ({ segment }) => segment,
  );
  if (characters.length <= maxTitleLength) return line.slice(0, 200);
  return `${characters.slice(0, maxTitleLength).join('').trimEnd()}…`;
}

/** The distinct words by which a search finds a title. */
export function titleTerms(title: string): string[] {
  return [...new Set(termsOf(title).map(({ term }) => term))];
}
