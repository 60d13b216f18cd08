import type { FileToRead, ReadFile } from './file-to-read.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

export function readHtml({ text }: FileToRead): ReadFile {
  return nestsTooDeep(text) ? { text: wordsOf(text) } : htmlToMarkdown(text);
}

/** Nesting of elements, a few dozen on ordinary pages: a parser's time is quadratic in the depth. */
const maxDepth = 2000;

/** Elements that are closed by the next one of their kind, or are void: unclosed ones do not nest. */
const shallow =
  /^(?:p|li|d[td]|t[drh]|thead|tbody|tfoot|col|colgroup|option|optgroup|area|base|br|embed|hr|img|input|link|meta|param|source|track|wbr|r[pt])$/;

/** Whether the elements of a page nest too deeply, judged by its tags without parsing. */
function nestsTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, close, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (shallow.test(name!.toLowerCase())) continue;
    depth = close ? Math.max(0, depth - 1) : depth + 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

const blocks = /<\/?(?:p|div|li|ul|ol|tr|table|h[1-6]|br|section|article|blockquote|pre)\b[^>]*>/gi;
const unread = /<(script|style|noscript|template|head)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi;

/** The text of a page that cannot be parsed, one block per line. */
function wordsOf(html: string): string {
  return html
    .replace(unread, ' ')
    .replace(blocks, '\n')
    .replace(/<\/?[a-z][^>]*>/gi, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n\n');
}
