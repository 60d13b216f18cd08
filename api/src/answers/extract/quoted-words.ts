/**
 * Escapes `[1]` in Markdown from a document, except in code. In an answer it would be a citation, and `[1]:
 * https://…` would become the target of every citation.
 */
export function withoutOwnMarks(markdown: string): string {
  return markdown
    .split(/(```[\s\S]*?(?:```|$)|`[^`\n]*`)/)
    .map((part, index) => (index % 2 === 0 ? part.replace(/\[(\d{1,3})\]/g, '\\[$1\\]') : part))
    .join('');
}

/** Escapes a title or the name of a file as Markdown of one line, without citations and links. */
export function plainName(name: string): string {
  return name
    .replace(/\s+/g, ' ')
    .replaceAll('[', '［')
    .replaceAll(']', '］')
    .replace(/[*_`<>~|\\]/g, '\\$&');
}
