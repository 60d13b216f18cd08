import { rowsText } from '../table-rows.ts';
import { areAligned, type Frame, framesOf, indexOf, sameLine } from './pdf-frames.ts';
import { type Grid, type Line, linesOf, type TextRun } from './pdf-lines.ts';
import type { Rule, Rules } from './pdf-messages.ts';
import { joinCell } from './wrapped-tables.ts';

/** Maximum share of texts that cross a line, and minimum share of cells with text: charts and drawings are no tables. */
const maxCrossing = 0.1;
const minFilled = 0.3;
const maxHeadRows = 3;
const maxNameLength = 40;
/** Minimum distance of cells in multiples of the font size. */
const minGap = 0.4;

/**
 * The lines of a page. The texts of a table between ruled lines become one block, at the position of the first of them. A single row
 * is a table only if it continues `before`, the last table of the page before.
 */
export function linesOfPage(runs: readonly TextRun[], rules: Rules, before?: Grid): Line[] {
  const tables = gridTables(rules, runs, before?.edges ?? []);
  const tableOf = new Map(tables.flatMap((table) => table.runs.map((run) => [run, table] as const)));
  const lines: Line[] = [];
  let flowing: TextRun[] = [];
  for (const run of runs) {
    const table = tableOf.get(run);
    if (!table) flowing.push(run);
    else if (run === table.runs[0]) {
      lines.push(...linesOf(flowing), table.line);
      flowing = [];
    }
  }
  return [...lines, ...linesOf(flowing)];
}

/** Joins tables that continue on the next page: their head is repeated there, and a divided row is whole on its first page. */
export function continueGrids(pages: readonly (readonly Line[])[]): Line[][] {
  const joined = pages.map((lines) => [...lines]);
  for (const [page, lines] of joined.entries()) {
    const before = joined[page - 1]?.at(-1);
    const first = lines[0];
    if (!before?.grid || !first?.grid || !areAligned(before.grid.edges, first.grid.edges)) continue;
    const { head } = before.grid;
    const isRepeated = first.grid.head.join('\n') === head.join('\n');
    const rows = first.grid.rows.slice(isRepeated ? first.grid.headRows : 0);
    const open = before.grid.rows.at(-1)!;
    if (rows.length > 0 && isDivided(before.grid, rows)) {
      const rest = rows.shift()!;
      for (const [at, text] of rest.entries()) open[at] = joinCell(open[at]!, text);
    } else {
      for (const row of rows) {
        if (!row.some((cell, at) => cell === '' && before.grid!.isOpen[at])) break;
        for (const [at, text] of row.entries())
          if (text === '' && before.grid.isOpen[at]) row[at] = open[at]!;
      }
    }
    joined[page - 1]![joined[page - 1]!.length - 1] = withText(before, before.grid);
    lines[0] = withText(first, { ...first.grid, head, rows, headRows: 0, titles: [] });
    if (rows.length === 0) lines.shift();
  }
  return joined;
}

/** Whether there is a gap between texts of a line, so that they may be cells. */
export function haveGaps(runs: readonly TextRun[]): boolean {
  return runs.some((run, at) => {
    const before = runs[at - 1];
    if (!before || Math.abs(before.y - run.y) > run.size * 0.5) return false;
    return run.x - (before.x + before.width) > run.size * minGap;
  });
}

/** Whether the last row continues: no line ends it, or the first row of the next page lacks the name that all others have. */
function isDivided({ isOpen, rows: before, headRows }: Grid, rows: readonly string[][]): boolean {
  if (isOpen.every(Boolean)) return true;
  const [first, ...others] = rows;
  const all = [...before.slice(headRows), ...others];
  return first![0] === '' && isOpen[0] !== true && all.length > 2 && all.every(([name]) => name !== '');
}

function withText(line: Line, grid: Grid): Line {
  const text = rowsText(grid.head, grid.rows.slice(grid.headRows));
  return { ...line, text: [...grid.titles, text].join('\n\n'), grid };
}

interface Table {
  line: Line;
  runs: TextRun[];
}

function gridTables(rules: Rules, runs: readonly TextRun[], before: readonly number[]): Table[] {
  const free = new Set(runs.filter(({ isVertical }) => !isVertical));
  return framesOf(rules, runs, before).flatMap((frame) => {
    const table = tableIn(frame, [...free]);
    for (const run of table?.runs ?? []) free.delete(run);
    return table ?? [];
  });
}

/** The table in a frame of lines; null if it is a drawing, or a frame around text. */
function tableIn({ across, down, xs, ys, isContinued }: Frame, runs: readonly TextRun[]): Table | null {
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  const isRuled = (lines: readonly Rule[], at: number, middle: number) =>
    lines.some((line) => Math.abs(line.at - at) <= sameLine && line.from <= middle && line.to >= middle);
  const middleOf = (edges: readonly number[], at: number) => (edges[at]! + edges[at + 1]!) / 2;
  /** The first cell of the merged ones, by cell. */
  const regions: number[] = [];
  for (let cell = 0; cell < rows * columns; cell += 1) {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const isBesideOther = column === 0 || isRuled(down, xs[column]!, middleOf(ys, row));
    const isBelowOther = row === 0 || isRuled(across, ys[row]!, middleOf(xs, column));
    const left = isBesideOther ? cell : regions[cell - 1]!;
    const above = isBelowOther ? cell : regions[cell - columns]!;
    const region = Math.min(left, above);
    const replaced = new Set([left, above].filter((one) => one !== cell && one !== region));
    regions.push(region);
    if (replaced.size > 0)
      for (const [at, one] of regions.entries()) if (replaced.has(one)) regions[at] = region;
  }
  const texts = new Map<number, TextRun[]>();
  const own: TextRun[] = [];
  let crossing = 0;
  for (const run of runs) {
    const column = indexOf(xs, run.x + run.width / 2);
    const row = indexOf(ys, run.y - run.size * 0.35);
    if (column < 0 || row < 0) continue;
    own.push(run);
    const region = regions[row * columns + column]!;
    const isOfRegion = (at: number) => regions[row * columns + at] === region;
    let [first, last] = [column, column];
    while (first > 0 && isOfRegion(first - 1)) first -= 1;
    while (last < columns - 1 && isOfRegion(last + 1)) last += 1;
    const most = run.size * 0.6;
    if (run.x < xs[first]! - most || run.x + run.width > xs[last + 1]! + most) crossing += 1;
    const inside = texts.get(region);
    if (inside) inside.push(run);
    else texts.set(region, [run]);
  }
  const count = new Set(regions).size;
  if (own.length === 0 || crossing > own.length * maxCrossing) return null;
  if (!isContinued && texts.size < count * minFilled) return null;
  const textOf = new Map([...texts].map(([region, some]) => [region, cellText(some)]));
  const cells = ys.slice(1).map((_, row) => regions.slice(row * columns, (row + 1) * columns));
  if (
    !isContinued &&
    cells.filter((row) => new Set(row.filter((one) => textOf.has(one))).size > 1).length < 2
  )
    return null;
  const all = cells.map((row) => row.map((region) => textOf.get(region) ?? ''));
  const { titles, head, headRows } = gridHead(all, cells);
  const isOpen = xs.slice(1).map((_, column) => !isRuled(across, ys[rows]!, middleOf(xs, column)));
  const { size } = own[0]!;
  const line: Line = {
    text: '',
    cells: [],
    x: xs[0]!,
    right: xs.at(-1)!,
    y: ys[0]! + size,
    size,
    isRow: false,
    isBlock: true,
  };
  return { line: withText(line, { head, rows: all, headRows, titles, edges: xs, isOpen }), runs: own };
}

function cellText(runs: readonly TextRun[]): string {
  return linesOf(runs).reduce((text, line) => joinCell(text, line.text), '');
}

/** Titles that span all columns, and the names of columns; combined from several rows if some of them span columns. */
function gridHead(rows: readonly string[][], regions: readonly number[][]) {
  const isSpanned = (row: readonly number[]) => new Set(row).size < row.length;
  let start = 0;
  while (start < rows.length - 2 && new Set(regions[start]).size === 1) start += 1;
  let head = rows[start]!;
  let next = start + 1;
  for (; next < rows.length - 1 && next - start < maxHeadRows; next += 1) {
    const names = rows[next]!;
    const isName = (name: string) => name.length <= maxNameLength && !/^[\d\W]*\d[\d\W]*$/.test(name);
    if (!isSpanned(regions[next - 1]!) || !names.every(isName) || new Set(names).size < names.length) break;
    head = head.map((name, at) => (names[at] === name ? name : `${name} ${names[at]}`.trim()));
  }
  const titles = rows.slice(0, start).map(([title]) => title!);
  return { titles: titles.filter(Boolean), head, headRows: next };
}
