/**
 * Maximum nesting of HTML elements; ordinary pages have a few dozen levels, and a parser's time is quadratic
 * in the depth.
 */
const deepest = 2000;

/** Elements that are closed by the next one of their kind, or are void: unclosed ones do not nest. */
const shallow =
  /^(?:p|li|d[td]|t[drh]|thead|tbody|tfoot|col|colgroup|option|optgroup|area|base|br|embed|hr|img|input|link|meta|param|source|track|wbr|r[pt])$/;

/** Whether the elements of a page nest too deeply, judged by its tags without parsing. */
export function nestsTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, close, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (shallow.test(name!.toLowerCase())) continue;
    depth = close ? Math.max(0, depth - 1) : depth + 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Maximum nesting in a part of an Office document; nested tables have a few dozen levels. */
const deepestXml = 500;

/** The same for XML, where every element has an end tag. A parser's time and stack grow with the depth. */
export function xmlNestsTooDeep(xml: string): boolean {
  let depth = 0;
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at)) {
    const [begin, end] = unparsed.find(([mark]) => xml.startsWith(mark, at)) ?? ['', ''];
    if (begin !== '') {
      const over = xml.indexOf(end, at + begin.length);
      if (over === -1) return false;
      at = over + end.length;
      continue;
    }
    const over = endOfTag(xml, at);
    if (xml[at + 1] === '/') depth = Math.max(0, depth - 1);
    else if (xml[over - 1] !== '/') depth += 1;
    if (depth > deepestXml) return true;
    at = over;
  }
  return false;
}

/** Sections without elements that count. */
const unparsed = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

/** Position of the `>` that ends the tag at `from`, ignoring those in quoted values. */
function endOfTag(xml: string, from: number): number {
  let quote = '';
  for (let at = from + 1; at < xml.length; at += 1) {
    const character = xml[at]!;
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
  }
  return xml.length;
}

const blocks = /<\/?(?:p|div|li|ul|ol|tr|table|h[1-6]|br|section|article|blockquote|pre)\b[^>]*>/gi;
const unread = /<(script|style|noscript|template|head)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi;

/** The text of a page that cannot be parsed, one block per line. */
export function wordsOf(html: string): string {
  return html
    .replace(unread, ' ')
    .replace(blocks, '\n')
    .replace(/<\/?[a-z][^>]*>/gi, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n\n');
}
