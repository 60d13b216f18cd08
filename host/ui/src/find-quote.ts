/** A part of a document that begins at `start`. */
export interface Passage {
  text: string;
  start: number;
}

/** A quote and its range in the document, in UTF-16 units. */
export interface Quote {
  quote: string;
  start: number;
  end: number;
}

/** The range of a quote in the passage's text, found by position or, in a replaced document, by its text. Empty if it is not found. */
export function findQuote(passage: Passage, citation: Quote): [start: number, end: number] {
  const start = citation.start - passage.start;
  const end = citation.end - passage.start;
  if (start >= 0 && passage.text.slice(start, end) === citation.quote) return [start, end];
  const found = citation.quote ? passage.text.indexOf(citation.quote) : -1;
  return found < 0 ? [0, 0] : [found, found + citation.quote.length];
}
