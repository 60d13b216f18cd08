import { raised } from '../raised.ts';

/** A run of text on a page; positions from the upper left corner in points. */
export interface TextRun {
  text: string;
  x: number;
  /** Baseline. */
  y: number;
  width: number;
  size: number;
  /** Runs down the page: positions are those of the page turned to the left. */
  isVertical?: boolean;
  /** The value of a form field: a label beside it belongs to it, however far away. */
  isField?: boolean;
}

/** Text between wide gaps of a line. */
export interface Cell {
  text: string;
  x: number;
  right: number;
}

/** A table between ruled lines. Cells that span columns or rows are repeated in each of them. */
export interface Grid {
  /** Names of the columns. */
  head: string[];
  /** All rows, with those of the head. */
  rows: string[][];
  /** Number of rows of titles and head. */
  headRows: number;
  /** Rows above the head that span all columns. */
  titles: string[];
  /** x positions of the lines between its columns and on both sides. */
  edges: number[];
  /** Columns without a line below: their last cell continues on the next page. */
  isOpen: boolean[];
}

export interface Line {
  text: string;
  cells: Cell[];
  /** The same between gaps that are too wide for a space, as between narrow columns; missing if they are the same. */
  narrowCells?: Cell[];
  x: number;
  right: number;
  y: number;
  /** Font size of most of its characters. */
  size: number;
  /** Whether wide gaps divide it into columns, like a table row. */
  isRow: boolean;
  /** Right edge of its column; missing if the page has only one. */
  edge?: number;
  hasField?: boolean;
  /** Not part of the running text, such as a note: a block of its own. */
  isBlock?: boolean;
  /** At an angle to the page. */
  isSlanted?: boolean;
  /** A table between ruled lines; a block. */
  grid?: Grid;
}

/** Scripts without spaces between words. */
export const wide = /[\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;

const allWide = new RegExp(wide, 'g');

/** Distance of a copy from the text that it thickens, in multiples of the font size. */
const maxOffset = 0.1;
/** Width of a space in multiples of the font size. */
const space = 0.25;
/** Number of earlier runs at the same height that a run is compared with. */
const maxCompared = 200;

/** Removes copies that make text look bold or give it a shadow. They may be divided into runs in another way than the text. */
export function withoutCopies(runs: readonly TextRun[]): TextRun[] {
  const kept: TextRun[] = [];
  const byHeight = new Map<number, TextRun[]>();
  for (const run of runs) {
    const height = Math.round(run.y);
    const others = [-1, 0, 1].flatMap((step) => byHeight.get(height + step)?.slice(-maxCompared) ?? []);
    const own = ownPart(run, others);
    if (!own) continue;
    kept.push(own);
    byHeight.set(height, [...(byHeight.get(height) ?? []).slice(-maxCompared), own]);
  }
  return kept;
}

/** A run without the characters that earlier runs show at the same place; null if they show all of it. */
function ownPart(run: TextRun, others: readonly TextRun[]): TextRun | null {
  let own = run;
  for (;;) {
    const shared = others
      .map((one) => sharedWith(one, own))
      .reduce((most, part) => (part.count > most.count ? part : most), none);
    if (shared.count === 0) return own;
    const text = own.text.slice(shared.count).trimStart();
    if (text === '') return null;
    const spaces = own.text.length - shared.count - text.length;
    const x = shared.end + spaces * own.size * space;
    own = { ...own, text, x, width: own.x + own.width - x };
  }
}

const none = { count: 0, end: 0 };

/** Number of characters at the beginning of a run that an earlier one shows at the same place, and where they end. */
function sharedWith(one: TextRun, run: TextRun): { count: number; end: number } {
  const start = run.x - one.x;
  const isBeside = start >= one.width || start < run.size * -maxOffset;
  if (isBeside || Math.abs(one.y - run.y) > run.size * maxOffset || one.isVertical !== run.isVertical)
    return none;
  const first = run.text[0]!;
  for (let at = one.text.indexOf(first); at >= 0; at = one.text.indexOf(first, at + 1)) {
    const text = one.text.slice(at, at + run.text.length);
    const isPlace = Math.abs(widthOf(one, at) - start) < widthOf(run, 1) * 0.5;
    if (isPlace && run.text.startsWith(text))
      return { count: text.length, end: one.x + widthOf(one, at + text.length) };
  }
  return none;
}

/** Width of the first characters of a run; those of Chinese are twice as wide as others. */
function widthOf({ text, width }: TextRun, count: number): number {
  const units = (part: string) => part.length + (part.match(allWide)?.length ?? 0);
  return (width * units(text.slice(0, count))) / units(text);
}

/** Combines runs in file order to lines. */
export function linesOf(runs: readonly TextRun[]): Line[] {
  const lines: Line[] = [];
  let current: TextRun[] = [];
  for (const run of runs) {
    const last = current.at(-1);
    if (last && !isSameLine(last, run)) {
      lines.push(toLine(current));
      current = [];
    }
    current.push(run);
  }
  if (current.length > 0) lines.push(toLine(current));
  return lines.filter(({ text }) => text !== '');
}

function isSameLine(last: TextRun, run: TextRun): boolean {
  if (last.isVertical !== run.isVertical) return false;
  const size = Math.max(last.size, run.size);
  // Superscripts and subscripts belong to the line; text that starts again at the left does not.
  return Math.abs(run.y - last.y) < size * 0.5 && run.x > last.x + last.width - size * 2;
}

/** Gap that is wider than a space, in multiples of the font size. */
const narrowGap = 0.9;

function toLine(runs: readonly TextRun[]): Line {
  const { size } = runs.reduce((longest, run) =>
    run.text.trim().length > longest.text.trim().length ? run : longest,
  );
  let text = '';
  const cells: Cell[] = [];
  const narrowCells: Cell[] = [];
  let [from, narrowFrom] = [0, 0];
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1];
    let isApart = !before;
    if (before) {
      const gap = run.x - (before.x + before.width);
      isApart = gap > size * narrowGap && run.text.trim() !== '' && before.text.trim() !== '';
      if (run.isField && !before.isField) text = `${text.trimEnd()} `;
      else if (before.isField && /^[☒☐]$/.test(before.text)) text += ' ';
      else if (gap > size * 1.5 && text.trim() !== '') {
        text = `${text.trimEnd()}  `;
        from = text.length;
      } else if (needsSpace(text, run.text, gap, size)) text += ' ';
    }
    if (from === text.length) cells.push({ text: '', x: run.x, right: run.x });
    if (from === text.length || isApart) {
      narrowFrom = text.length;
      narrowCells.push({ text: '', x: run.x, right: run.x });
    }
    text += before && isRaised(run, before) ? raised(run.text, text) : run.text;
    Object.assign(narrowCells.at(-1)!, { text: text.slice(narrowFrom).trim(), right: run.x + run.width });
    Object.assign(cells.at(-1)!, { text: text.slice(from).trim(), right: run.x + run.width });
  }
  const right = Math.max(...runs.map((run) => run.x + run.width));
  return {
    text: text.trim(),
    cells,
    ...(narrowCells.length > cells.length ? { narrowCells } : {}),
    x: runs[0]!.x,
    right,
    y: runs[0]!.y,
    size,
    isRow: cells.length > 1,
    ...(runs.some(({ isField }) => isField) ? { hasField: true } : {}),
  };
}

/** Whether it is smaller and higher than the run before it. */
function isRaised(run: TextRun, before: TextRun): boolean {
  return run.size < before.size * 0.85 && before.y - run.y > before.size * 0.2;
}

function needsSpace(before: string, after: string, gap: number, size: number): boolean {
  if (/\s$/.test(before) || /^\s/.test(after)) return false;
  const areWide = wide.test(before.at(-1) ?? '') && wide.test(after[0] ?? '');
  return gap > size * (areWide ? 0.6 : 0.15);
}
