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
  /** Contains the value of a form field. */
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

/** Distance of a copy from the text that it thickens, in multiples of the font size. */
const maxOffset = 0.1;

/** Without the copies that make text look bold or give it a shadow: of whole runs, and of characters that two runs share. */
export function withoutCopies(runs: readonly TextRun[]): TextRun[] {
  const byText = new Map<string, TextRun[]>();
  const kept: TextRun[] = [];
  for (const run of runs) {
    const same = byText.get(run.text) ?? [];
    const isNear = (one: TextRun) =>
      Math.hypot(one.x - run.x, one.y - run.y) < run.size * maxOffset && one.isVertical === run.isVertical;
    if (same.some(isNear)) continue;
    byText.set(run.text, [...same, run]);
    const before = kept.at(-1);
    const shared = before ? sharedWith(before, run) : 0;
    if (shared === run.text.length) continue;
    const width = (run.width / run.text.length) * shared;
    kept.push(
      shared === 0
        ? run
        : { ...run, text: run.text.slice(shared), x: run.x + width, width: run.width - width },
    );
  }
  return kept;
}

/** Number of characters at the beginning of a run that the end of the one before shows at the same place. */
function sharedWith(before: TextRun, run: TextRun): number {
  if (before.isVertical || run.isVertical || Math.abs(before.y - run.y) > run.size * maxOffset) return 0;
  const overlap = before.x + before.width - run.x;
  if (overlap < run.size * maxOffset * 2) return 0;
  const character = run.width / run.text.length;
  const count = Math.min(Math.max(1, Math.round(overlap / character)), run.text.length);
  const isSame = before.text.endsWith(run.text.slice(0, count));
  return isSame && Math.abs(overlap - count * character) < character * 0.5 ? count : 0;
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
