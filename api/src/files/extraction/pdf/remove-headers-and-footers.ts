import type { Line } from './pdf-lines.ts';

/** Number of lines at the top and bottom of a page that may be a header or footer. */
const reach = 3;

const pageNumber =
  /^(?:[-–—·\s]*\d{1,4}[-–—·\s]*|第\s*\d{1,4}\s*页(?:\s*[/，,]?\s*共\s*\d{1,4}\s*页)?|(?:page|p\.)\s*\d{1,4}(?:\s*(?:of|\/)\s*\d{1,4})?|\d{1,4}\s*\/\s*\d{1,4})$/i;

/** A line with a dot leader and a number: an entry of a table of contents, or of a list of prices or codes. */
const entry = /^(.*?)(?:\s?[.·…]){4,}\s*(\d{1,4}|[ivxlc]{1,6})$/;
const sectionNumber = /^(?:\d{1,3}\.)*\d{1,3}\.?\s+(?=\D)/;

/**
 * Removes headers and footers (repeated at the same height on most pages), page numbers and the table of
 * contents. If they are more than what would remain, they are kept: labels, tickets, forms, excerpts.
 * `margins` are the texts of the headers and footers, each once, unless the pages contain them as well.
 */
export function removeHeadersAndFooters(pages: readonly Line[][]): {
  pages: readonly Line[][];
  margins: string[];
} {
  const contents = contentsOf(pages);
  const repeated = new Set<Line>();
  const kept = withoutRepeated(pages, contents, repeated);
  const remaining = new Set(kept.flat());
  const removed = distinctLength(pages, (line) => !remaining.has(line));
  if (distinctLength(pages, (line) => remaining.has(line)) < removed) return { pages, margins: [] };
  const said = kept
    .flat()
    .map(({ text }) => lettersOf(text))
    .join('');
  const margins = new Map([...repeated].map(({ text }) => [lettersOf(text), text]));
  return {
    pages: kept,
    margins: [...margins].flatMap(([letters, text]) => (said.includes(letters) ? [] : text)),
  };
}

/** Letters without those of page numbers; text of which nothing else remains says nothing. */
function lettersOf(text: string): string {
  return text
    .replace(/[第页共頁]|\b(?:page|of|[ivxlc]+)\b/giu, '')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();
}

/** Characters of these lines; those that only differ in numbers count once. */
function distinctLength(pages: readonly Line[][], isCounted: (line: Line) => boolean): number {
  const texts = new Set(pages.flat().flatMap((line) => (isCounted(line) ? withoutDigits(line.text) : [])));
  return [...texts].reduce((sum, text) => sum + text.length, 0);
}

/**
 * The entries of tables of contents: headings without their content. Most of them are found again as headings, or are
 * numbered like sections, in the order of their pages.
 */
function contentsOf(pages: readonly Line[][]): Set<Line> {
  const contents = new Set<Line>();
  const headings = new Set(pages.flat().flatMap(({ text }) => (entry.test(text) ? [] : titleKey(text))));
  for (const lines of pages) {
    const entries = lines.flatMap((line) => {
      const [, title, number] = entry.exec(line.text) ?? [];
      return title === undefined ? [] : { line, title, number: Number(number) };
    });
    const numbers = entries.flatMap(({ number }) => (Number.isNaN(number) ? [] : number));
    const isAscending = numbers.every((number, at) => at === 0 || number >= numbers[at - 1]!);
    const found = entries.filter(
      ({ title }) => headings.has(titleKey(title)) || (isAscending && sectionNumber.test(title)),
    );
    if (found.length * 2 >= entries.length) for (const { line } of entries) contents.add(line);
  }
  return contents;
}

function titleKey(text: string): string {
  return text
    .replace(sectionNumber, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** @param removed receives the headers and footers. */
function withoutRepeated(pages: readonly Line[][], contents: ReadonlySet<Line>, removed: Set<Line>) {
  const widest = pages.flat().reduce((most, line) => Math.max(most, line.right - line.x), 0);
  const margins = pages.map(marginOf);
  const candidates = pages.map((lines, page) => {
    const margin = margins[page]!;
    const ends = outerLines(lines).filter((line) => mayRepeat(line, widest));
    return new Map(ends.map((line) => [line, keysOf(line, page, margin.has(line))]));
  });
  const stamps = stampsOf(pages);
  const repeated = repeatedKeys(candidates.map((lines) => new Set([...lines.values()].flat())));
  return pages.map((lines, page) => {
    const outermost = new Set([...byHeight(lines).slice(0, 1), ...byHeight(lines).slice(-1)]);
    return inOrder(lines).filter((line) => {
      if (contents.has(line) || (line.isSlanted && stamps.has(line.text))) return false;
      if (pages.length > 1 && outermost.has(line) && isLonePageNumber(line, lines)) return false;
      const isRepeated = (one: Line) => candidates[page]!.get(one)?.some((key) => repeated.has(key)) ?? false;
      // Part of a row of a table that happens to be the same on other pages.
      const isInRow = (other: Line) =>
        mayBeMargin(other) && Math.abs(other.y - line.y) < line.size && !isRepeated(other);
      if (!isRepeated(line) || (!margins[page]!.has(line) && lines.some(isInRow))) return true;
      removed.add(line);
      return false;
    });
  });
}

/** Texts at an angle that several pages have: marks such as "Draft". */
function stampsOf(pages: readonly Line[][]): Set<string> {
  const once = new Set<string>();
  const stamps = new Set<string>();
  for (const lines of pages)
    for (const text of new Set(lines.flatMap((line) => (line.isSlanted ? line.text : [])))) {
      if (once.has(text)) stamps.add(text);
      once.add(text);
    }
  return stamps;
}

/** What stands above or below the text comes before or after it, whenever it was drawn. */
function inOrder(lines: readonly Line[]): Line[] {
  const margin = marginOf(lines);
  const body = lines.filter((line) => !margin.has(line));
  const middle = body.reduce((sum, { y }) => sum + y, 0) / Math.max(1, body.length);
  const outer = lines.filter((line) => margin.has(line));
  return [...outer.filter(({ y }) => y < middle), ...body, ...outer.filter(({ y }) => y >= middle)];
}

/** Keys of enough pages. Left and right pages may have different headers, a first page often has none. */
function repeatedKeys(pages: readonly ReadonlySet<string>[]): Set<string> {
  const counts = new Map<string, { all: number; sides: [number, number] }>();
  for (const [page, keys] of pages.entries()) {
    for (const key of keys) {
      const count = counts.get(key) ?? { all: 0, sides: [0, 0] };
      count.all += 1;
      count.sides[page % 2 === 0 ? 0 : 1] += 1;
      counts.set(key, count);
    }
  }
  const enough = Math.max(3, pages.length * 0.4);
  const ofSide = [Math.ceil(pages.length / 2), Math.floor(pages.length / 2)];
  const isOften = (key: string, { all, sides }: { all: number; sides: [number, number] }) =>
    all >= enough ||
    (key.startsWith(inMargin) &&
      ((all === pages.length && all > 1) ||
        sides.some((count, side) => count >= Math.max(2, ofSide[side]! * 0.6))));
  return new Set([...counts].flatMap(([key, count]) => (isOften(key, count) ? key : [])));
}

/** Minimum distance between text and a header or footer, in multiples of the font size. */
const marginGap = 2.2;
/** The same between text and a page number. */
const minNumberGap = 1.6;
/** Minimum number of lines between header and footer. */
const minBody = 2;

/** The lines at the top and bottom that a wide gap divides from the text between them. */
function marginOf(lines: readonly Line[]): Set<Line> {
  const sorted = byHeight(lines);
  const isGap = (above: number) => {
    const [line, next] = [sorted[above], sorted[above + 1]];
    return line && next && next.y - line.y > Math.max(line.size, next.size) * marginGap;
  };
  let head = 0;
  let foot = sorted.length;
  for (let count = 1; count <= reach && count * 2 < sorted.length; count += 1) {
    if (isGap(count - 1)) head = count;
    if (isGap(sorted.length - count - 1)) foot = sorted.length - count;
  }
  return foot - head < minBody ? new Set() : new Set([...sorted.slice(0, head), ...sorted.slice(foot)]);
}

function byHeight(lines: readonly Line[]): Line[] {
  return lines.filter(mayBeMargin).sort((a, b) => a.y - b.y);
}

/** Text, or a ruled table of a few rows, as company papers have at the top. */
function mayBeMargin({ isBlock, grid }: Line): boolean {
  return !isBlock || (grid !== undefined && grid.rows.length <= reach);
}

/** Full lines are running text, which hardly ever repeats. */
function mayRepeat(line: Line, widest: number): boolean {
  const { x, right, text, isRow, grid } = line;
  return mayBeMargin(line) && (isRow || grid !== undefined || text.length < 40 || right - x < widest * 0.9);
}

/** A number of its own, not the last line of a cell. */
function isLonePageNumber(line: Line, lines: readonly Line[]): boolean {
  const isBeside = (other: Line) => other !== line && Math.abs(other.y - line.y) < line.size * minNumberGap;
  return pageNumber.test(line.text) && !(/^\d+$/.test(line.text) && lines.some(isBeside));
}

function outerLines(lines: readonly Line[]): Line[] {
  const sorted = byHeight(lines);
  return [...sorted.slice(0, reach), ...sorted.slice(reach).slice(-reach)];
}

/** Largest distance of a number from that of its page: larger ones are invoice numbers and the like. */
const maxOffset = 1000;
const maxNumbers = 6;

/** Start of the keys of lines in a margin. */
const inMargin = 'margin ';

/**
 * Keys by which lines count as repeated: text, height and size. One of the numbers may increase with the
 * page, so each number gives a key; in larger type it is a chapter number. Beside a page number in a margin, other
 * numbers may differ: the time of printing.
 */
function keysOf({ text, y, size }: Line, page: number, isMargin: boolean): string[] {
  const line = text.replace(/\s+/g, ' ');
  const numbers = size > 12 ? [] : [...line.matchAll(/\d+/g)].slice(0, maxNumbers);
  const running = numbers.flatMap(({ 0: number, index }) => {
    const beyond = Number(number) - page;
    if (Math.abs(beyond) >= maxOffset) return [];
    const [before, rest] = [line.slice(0, index), line.slice(index + number.length)];
    const same = `${before}#${beyond}#${rest}`;
    return isMargin ? [same, `${withoutDigits(before)}#${beyond}#${withoutDigits(rest)}`] : [same];
  });
  const place = `${Math.round(y / 4)} ${Math.round(size)}`;
  const keys = [line, ...running].map((words) => `${place} ${words}`);
  return isMargin ? [...keys, ...keys.map((key) => `${inMargin}${key}`)] : keys;
}

function withoutDigits(text: string): string {
  return text.replace(/\d+/g, '#');
}
