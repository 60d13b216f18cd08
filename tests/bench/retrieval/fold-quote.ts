/** `text` without white space, Markdown's marks and link addresses, so that quotes match however an extractor writes emphasis, code and tables. */
export function foldQuote(text: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[\s`*_\\|[\]]/g, '');
}

/** Whether a folded text contains one of `quotes`. */
export function hasQuote(folded: string, quotes: readonly string[]): boolean {
  return quotes.some((quote) => folded.includes(foldQuote(quote)));
}
