/** Elements within each other; a page has some dozens, and a parser's time grows by the square of them. */
const deepest = 2000;

/** Elements that the next of their kind ends, or that hold nothing: none of these nests by being left open. */
const shallow =
  /^(?:p|li|d[td]|t[drh]|thead|tbody|tfoot|col|colgroup|option|optgroup|area|base|br|embed|hr|img|input|link|meta|param|source|track|wbr|r[pt])$/;

/** Whether the elements of a page nest deeper than any page does, told by its tags alone. */
export function nestsTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, close, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (shallow.test(name!.toLowerCase())) continue;
    depth = close ? Math.max(0, depth - 1) : depth + 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Elements within each other in a part of a Word document; tables within tables have some dozens. */
const deepestXml = 500;

/** The same for XML, where every element has an end. A parser's time and stack grow with the depth. */
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

/** What has no elements, or none that count. */
const unparsed = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

/** The place of the `>` that ends the tag at `from`; one in a quoted value does not. */
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

/** The words of a page that cannot be parsed, a block a line. */
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
