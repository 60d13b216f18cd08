/**
 * Markdown that was taken from a document, so that its own `[1]` is words: in an answer it would stand for a citation, and `[1]: https://…`
 * would make every citation lead there. Code stays as it is.
 */
export function withoutOwnMarks(markdown: string): string {
  return markdown
    .split(/(```[\s\S]*?(?:```|$)|`[^`\n]*`)/)
    .map((part, index) => (index % 2 === 0 ? part.replace(/\[(\d{1,3})\]/g, '\\[$1\\]') : part))
    .join('');
}

/** The name of a file as Markdown: anybody's words, none of which is to read as a citation, a link or the end of the line. */
export function plainName(name: string): string {
  return name
    .replace(/\s+/g, ' ')
    .replaceAll('[', '［')
    .replaceAll(']', '］')
    .replace(/[*_`<>~|\\]/g, '\\$&');
}
