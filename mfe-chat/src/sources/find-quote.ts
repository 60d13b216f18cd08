import type { Citation, Passage } from 'api/contract/answers';

/**
 * Where the quote stands in the passage's text, in UTF-16 units: by its place in the document, or where its words are found when the
 * document was read anew since. An empty range when it is not there.
 */
export function findQuote(
  passage: Pick<Passage, 'text' | 'start'>,
  citation: Pick<Citation, 'quote' | 'start' | 'end'>,
): [start: number, end: number] {
  const start = citation.start - passage.start;
  const end = citation.end - passage.start;
  if (start >= 0 && passage.text.slice(start, end) === citation.quote) return [start, end];
  const found = citation.quote ? passage.text.indexOf(citation.quote) : -1;
  return found < 0 ? [0, 0] : [found, found + citation.quote.length];
}
