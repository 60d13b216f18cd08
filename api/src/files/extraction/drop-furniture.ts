import type { Line } from './pdf-lines.ts';

/** Lines at the upper and at the lower end of a page that may belong to every page. */
const reach = 3;

const pageNumber =
  /^(?:[-–—·\s]*\d{1,4}[-–—·\s]*|第\s*\d{1,4}\s*页(?:\s*[/，,]?\s*共\s*\d{1,4}\s*页)?|(?:page|p\.)\s*\d{1,4}(?:\s*(?:of|\/)\s*\d{1,4})?|\d{1,4}\s*\/\s*\d{1,4})$/i;

/** An entry of a table of contents, led to its page by dots: it has the words of a heading, and nothing under it. */
const entry = /(?:\s?[.·…]){4,}\s*(?:\d{1,4}|[ivxlc]{1,6})$/;

/**
 * Pages without what stands on most of them at the same height, their numbers, and the table of contents. Where that would be all
 * that they say, it is what they are about: labels, tickets, forms.
 */
export function dropFurniture(pages: readonly Line[][]): readonly Line[][] {
  const kept = withoutFurniture(pages);
  return kept.every((lines) => lines.length === 0) ? pages : kept;
}

function withoutFurniture(pages: readonly Line[][]): Line[][] {
  const often = new Map<string, number>();
  const widest = pages.flat().reduce((most, line) => Math.max(most, line.right - line.x), 0);
  const endsOf = (lines: readonly Line[]) => outerLines(lines).filter((line) => mayRepeat(line, widest));
  for (const [page, lines] of pages.entries()) {
    for (const key of new Set(endsOf(lines).flatMap((line) => keysOf(line, page))))
      often.set(key, (often.get(key) ?? 0) + 1);
  }
  // Left and right pages may have heads of their own.
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

/** A line of running text fills its line; what repeats hardly does. */
function mayRepeat({ x, right, text }: Line, widest: number): boolean {
  return text.length < 40 || right - x < widest * 0.9;
}

function outerLines(lines: readonly Line[]): Line[] {
  const sorted = byHeight(lines);
  return [...sorted.slice(0, reach), ...sorted.slice(reach).slice(-reach)];
}

/** Numbers of pages are counted from wherever their chapter or their volume begins; a number farther off is one of an invoice. */
const farthest = 1000;
const mostNumbers = 6;

/**
 * What makes lines the same: their words, their height and their size. One of their numbers may go on from page to page, so there is a
 * key for each that might; in larger type it counts chapters.
 */
function keysOf({ text, y, size }: Line, page: number): string[] {
  const said = text.replace(/\s+/g, ' ');
  const numbers = size > 12 ? [] : [...said.matchAll(/\d+/g)].slice(0, mostNumbers);
  const running = numbers.flatMap(({ 0: number, index }) => {
    const beyond = Number(number) - page;
    const rest = said.slice(index + number.length);
    return Math.abs(beyond) < farthest ? `${said.slice(0, index)}#${beyond}#${rest}` : [];
  });
  return [said, ...running].map((words) => `${Math.round(y / 4)} ${Math.round(size)} ${words}`);
}
