/** Maximum nesting of quotes and lists that the lexer has to handle (the layout stops at `maxDepth`). */
const maxDepth = 24;
/** Maximum indentation of a line in columns: lists nest by indentation. */
const maxIndent = 96;
/** Maximum number of table columns; a page has room for fewer. */
const maxColumns = 40;

const nested = new RegExp(
  String.raw`^((?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){${maxDepth}})(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)]))+`,
  'gm',
);
const indented = new RegExp(String.raw`^([ \t]{${maxIndent}})[ \t]+`, 'gm');
const wideDelimiter = new RegExp(String.raw`^([\t >]*)(?=\|?(?:[ \t]*:?-+:?[ \t]*\|){${maxColumns}})`, 'gm');

/**
 * Limits nesting and table widths of a Markdown text so that lexing takes time and memory proportional to its
 * length. The lexer reads nested content once per level, and pads every table row to the number of header
 * columns.
 */
export function boundMarkdown(text: string): string {
  return text.replace(nested, '$1').replace(indented, '$1').replace(wideDelimiter, '$1\\');
}
