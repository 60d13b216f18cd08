/**
 * What is left of `text` when white space, Markdown's marks and addresses of links are gone, so that a quote does not depend on how a
 * reader writes emphasis, code and tables.
 */
export function foldQuote(text: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[\s`*_\\|[\]]/g, '');
}

/** Whether a folded text holds one of `quotes`. */
export function hasQuote(folded: string, quotes: readonly string[]): boolean {
  return quotes.some((quote) => folded.includes(foldQuote(quote)));
}
