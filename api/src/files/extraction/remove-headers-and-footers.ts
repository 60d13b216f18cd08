import type { Line } from './pdf-lines.ts';

/** Number of lines at the top and bottom of a page that may be a header or footer. */
const reach = 3;

const pageNumber =
  /^(?:[-–—·\s]*\d{1,4}[-–—·\s]*|第\s*\d{1,4}\s*页(?:\s*[/，,]?\s*共\s*\d{1,4}\s*页)?|(?:page|p\.)\s*\d{1,4}(?:\s*(?:of|\/)\s*\d{1,4})?|\d{1,4}\s*\/\s*\d{1,4})$/i;

/** An entry of a table of contents with a dot leader: the text of a heading without content. */
const entry = /(?:\s?[.·…]){4,}\s*(?:\d{1,4}|[ivxlc]{1,6})$/;

/**
 * Removes headers and footers (repeated at the same height on most pages), page numbers and the table of
 * contents. If nothing else would remain, they are kept: labels, tickets, forms.
 */
export function removeHeadersAndFooters(pages: readonly Line[][]): readonly Line[][] {
  const kept = withoutRepeated(pages);
  return kept.every((lines) => lines.length === 0) ? pages : kept;
}

function withoutRepeated(pages: readonly Line[][]): Line[][] {
  const often = new Map<string, number>();
  const widest = pages.flat().reduce((most, line) => Math.max(most, line.right - line.x), 0);
  const endsOf = (lines: readonly Line[]) => outerLines(lines).filter((line) => mayRepeat(line, widest));
  for (const [page, lines] of pages.entries()) {
    for (const key of new Set(endsOf(lines).flatMap((line) => keysOf(line, page))))
      often.set(key, (often.get(key) ?? 0) + 1);
  }
  // Left and right pages may have different headers.
  const enough = Math.max(3, pages.length * 0.4);
  const isOften = (key: string) => (often.get(key) ?? 0) >= enough;
  return pages.map((lines, page) => {
    const ends = new Set(endsOf(lines));
    const outermost = new Set([...byHeight(lines).slice(0, 1), ...byHeight(lines).slice(-1)]);
    return lines.filter((line) => {
      if (entry.test(line.text)) return false;
      if (pages.length > 1 && outermost.has(line) && pageNumber.test(line.text)) return false;
      return !ends.has(line) || !keysOf(line, page).some(isOften);
    });
  });
}

function byHeight(lines: readonly Line[]): Line[] {
  return [...lines].sort((a, b) => a.y - b.y);
}

/** Full lines are running text, which hardly ever repeats. */
function mayRepeat({ x, right, text }: Line, widest: number): boolean {
  return text.length < 40 || right - x < widest * 0.9;
}

function outerLines(lines: readonly Line[]): Line[] {
  const sorted = byHeight(lines);
  return [...sorted.slice(0, reach), ...sorted.slice(reach).slice(-reach)];
}

/**
 * Maximum offset between a number and its page: page numbers may start anywhere, but a larger one is, for
 * example, an invoice number.
 */
const maxOffset = 1000;
const maxNumbers = 6;

/**
 * Keys by which lines count as repeated: text, height and size. One of the numbers may increase with the
 * page, so each number gives a key; in larger type it is a chapter number.
 */
function keysOf({ text, y, size }: Line, page: number): string[] {
  const line = text.replace(/\s+/g, ' ');
  const numbers = size > 12 ? [] : [...line.matchAll(/\d+/g)].slice(0, maxNumbers);
  const running = numbers.flatMap(({ 0: number, index }) => {
    const beyond = Number(number) - page;
    const rest = line.slice(index + number.length);
    return Math.abs(beyond) < maxOffset ? `${line.slice(0, index)}#${beyond}#${rest}` : [];
  });
  return [line, ...running].map((words) => `${Math.round(y / 4)} ${Math.round(size)} ${words}`);
}
