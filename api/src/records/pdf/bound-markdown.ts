/** Quotes and lists within each other, beyond what is laid out (see `maxDepth`). */
const deepest = 24;
/** Columns that a line may be indented by: lists nest by it. */
const widestIndent = 96;
/** Columns of a table; a page has room for fewer. */
const mostColumns = 40;

const nested = new RegExp(
  String.raw`^((?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){${deepest}})(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)]))+`,
  'gm',
);
const indented = new RegExp(String.raw`^([ \t]{${widestIndent}})[ \t]+`, 'gm');
const wideDelimiter = new RegExp(String.raw`^([\t >]*)(?=\|?(?:[ \t]*:?-+:?[ \t]*\|){${mostColumns}})`, 'gm');

/**
 * A Markdown text whose lexing takes time and memory in proportion to its length. The lexer reads what is nested once for each level, and
 * fills every row of a table up to the columns of its head.
 */
export function boundMarkdown(text: string): string {
  return text.replace(nested, '$1').replace(indented, '$1').replace(wideDelimiter, '$1\\');
}
