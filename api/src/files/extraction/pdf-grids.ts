import { type Grid, type Line, linesOf, type TextRun } from './pdf-lines.ts';
import type { Rule, Rules } from './pdf-messages.ts';
import { rowsText } from './table-rows.ts';
import { joinCell } from './wrapped-tables.ts';

/** Maximum distance of lines that touch, and of lines that count as one, in points. */
const touch = 3;
const sameLine = 4;
const maxLines = 2000;
const maxCells = 20_000;
/** Maximum share of texts that cross a line, and minimum share of cells with text: charts and drawings are no tables. */
const maxCrossing = 0.1;
const minFilled = 0.3;
const maxHeadRows = 3;
const maxNameLength = 40;
/** Minimum number of lines of a table without vertical ones. */
const minStack = 3;
/** In multiples of the font size: gap between columns, height of a head above the first line, distance of rows. */
const minColumnGap = 0.8;
const maxHeadHeight = 6;
const minRowGap = 1.6;
/** Minimum distance of cells in multiples of the font size. */
const minGap = 0.4;
/** In points. */
const maxRowHeight = 150;

/**
 * The lines of a page: those of a table between ruled lines are one block, where the first of its texts is drawn. A single row is one if it
 * continues `before`, the last table of the page before.
 */
export function linesOfPage(runs: readonly TextRun[], rules: Rules, before?: Grid): Line[] {
  const tables = tablesOf(rules, runs, before?.edges ?? []);
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

/** Whether the texts of a line are apart somewhere, so that they may be cells. */
export function haveGaps(runs: readonly TextRun[]): boolean {
  return runs.some((run, at) => {
    const before = runs[at - 1];
    if (!before || Math.abs(before.y - run.y) > run.size * 0.5) return false;
    return run.x - (before.x + before.width) > run.size * minGap;
  });
}

function areAligned(edges: readonly number[], others: readonly number[]): boolean {
  return (
    edges.length === others.length && edges.every((edge, at) => Math.abs(edge - others[at]!) <= sameLine)
  );
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

function tablesOf(rules: Rules, runs: readonly TextRun[], before: readonly number[]): Table[] {
  const across = merged(rules.across);
  const down = merged(rules.down);
  if (across.length + down.length > maxLines) return [];
  const free = new Set(runs.filter(({ isVertical }) => !isVertical));
  const groups = connected(across, down);
  const alone = groups.flatMap((group) => (group.down.length === 0 ? group.across : []));
  const frames = [...stacked(groups, runs), ...betweenRules(alone, runs)]
    .flatMap((lines) => frameOf(lines, before) ?? [])
    // A table within a cell of another, which is a layout.
    .sort((one, other) => areaOf(one) - areaOf(other));
  return frames.flatMap((frame) => {
    const table = tableIn(frame, [...free]);
    for (const run of table?.runs ?? []) free.delete(run);
    return table ?? [];
  });
}

/** Lines at the same position that touch each other are one. */
function merged(rules: readonly Rule[]): Rule[] {
  const found: Rule[] = [];
  const sorted = rules.toSorted((one, other) => one.at - other.at);
  for (let first = 0; first < sorted.length; ) {
    let next = first + 1;
    while (next < sorted.length && sorted[next]!.at - sorted[next - 1]!.at <= 1) next += 1;
    let last: Rule | undefined;
    for (const rule of sorted.slice(first, next).sort((one, other) => one.from - other.from)) {
      if (last && rule.from <= last.to + touch) last.to = Math.max(last.to, rule.to);
      else {
        last = { ...rule };
        found.push(last);
      }
    }
    first = next;
  }
  return found;
}

/** Groups of lines that are connected by crossing or touching. */
function connected(across: readonly Rule[], down: readonly Rule[]): Rules[] {
  const groupOf = new Map<Rule, Rules>();
  for (const rule of across) groupOf.set(rule, { across: [rule], down: [] });
  for (const one of down) {
    const crossed = across.filter(
      (other) =>
        other.at >= one.from - touch &&
        other.at <= one.to + touch &&
        one.at >= other.from - touch &&
        one.at <= other.to + touch,
    );
    const groups = [...new Set(crossed.map((rule) => groupOf.get(rule)!))];
    const group: Rules = {
      across: groups.flatMap((each) => each.across),
      down: [...groups.flatMap((each) => each.down), one],
    };
    for (const rule of group.across) groupOf.set(rule, group);
  }
  return [...new Set(groupOf.values())];
}

/** Tables with horizontal lines only: the gaps between their texts divide the columns. */
function betweenRules(across: readonly Rule[], runs: readonly TextRun[]): Rules[] {
  const stacks: Rule[][] = [];
  for (const rule of across.toSorted((one, other) => one.at - other.at)) {
    const above = stacks.find(
      (stack) =>
        rule.at - stack.at(-1)!.at <= maxRowHeight &&
        (contains(stack[0]!, rule) || stack.every((one) => contains(rule, one))),
    );
    if (above) above.push(rule);
    else stacks.push([rule]);
  }
  return stacks.flatMap((stack) => (stack.length < minStack ? [] : (rowsBetween(stack, runs) ?? [])));
}

function contains(outer: Rule, inner: Rule): boolean {
  return inner.from >= outer.from - sameLine && inner.to <= outer.to + sameLine;
}

/** The lines of a table with the missing ones between its columns and above its head; null if it has several rows between two lines. */
function rowsBetween(stack: readonly Rule[], runs: readonly TextRun[]): Rules | null {
  const from = Math.min(...stack.map((rule) => rule.from));
  const to = Math.max(...stack.map((rule) => rule.to));
  const within = runs.filter(({ x, width }) => x >= from - sameLine && x + width <= to + sameLine);
  const isPart = (rule: Rule) => rule.to - rule.from < to - from - sameLine;
  const top = topOfHead(stack[0]!, isPart(stack[0]!), within);
  const ys = [top, ...stack.map(({ at }) => at)].filter(
    (at, index, all) => index === 0 || at - all[index - 1]! > sameLine,
  );
  const rows = ys.slice(1).map((bottom, row) => {
    const pieces = linesOf(
      within.filter(({ y, size }) => y - size * 0.35 > ys[row]! && y - size * 0.35 < bottom),
    );
    return {
      top: ys[row]!,
      bottom,
      pieces: pieces.flatMap((line) =>
        (line.narrowCells ?? line.cells).map((cell) => ({ ...cell, size: line.size })),
      ),
      /** Names of several columns, with a line of their own below. */
      groups: stack.filter((rule) => Math.abs(rule.at - bottom) <= sameLine && isPart(rule)),
    };
  });
  const grouped = rows.map(({ pieces, groups }) =>
    groups.filter(
      (group) => pieces.filter(({ x, right }) => x >= group.from && right <= group.to).length === 1,
    ),
  );
  const placed = rows.flatMap(({ pieces }, row) =>
    pieces.length < 2
      ? []
      : pieces.filter(({ x, right }) => !grouped[row]!.some((group) => x >= group.from && right <= group.to)),
  );
  const columns: { from: number; to: number }[] = [];
  for (const { x, right, size } of placed.sort((one, other) => one.x - other.x)) {
    const last = columns.at(-1);
    if (last && x < last.to + size * minColumnGap) last.to = Math.max(last.to, right);
    else columns.push({ from: x, to: right });
  }
  const severalRows = rows.some(({ pieces }) => {
    const counts = columns.map(
      (column) => pieces.filter(({ x, right }) => right > column.from && x < column.to).length,
    );
    return counts.filter(Boolean).length > 1 && counts.every((count) => count !== 1);
  });
  if (columns.length < 2 || severalRows) return null;
  const xs = columns.slice(1).map((column, at) => (columns[at]!.to + column.from) / 2);
  const down = rows.flatMap(({ top: start, bottom }, row) =>
    [from, ...xs, to].flatMap((at) =>
      grouped[row]!.some((group) => at > group.from + sameLine && at < group.to - sameLine)
        ? []
        : { at, from: start, to: bottom },
    ),
  );
  return { across: [{ at: top, from, to }, ...stack], down };
}

/** Upper end of the names of columns above the first line: several, or one that `isGroup` of several columns. Otherwise that line. */
function topOfHead({ at, from, to }: Rule, isGroup: boolean, runs: readonly TextRun[]): number {
  const above = runs
    .filter(({ x, width }) => x >= from - sameLine && x + width <= to + sameLine)
    .filter(({ y, size }) => y < at && y > at - size * maxHeadHeight)
    .sort((one, other) => other.y - one.y);
  const end = above.findIndex(
    ({ y, size }, index) => index > 0 && above[index - 1]!.y - y > size * minRowGap,
  );
  const names = end < 0 ? above : above.slice(0, end);
  const cells = linesOf(names.toSorted((one, other) => one.x - other.x)).flatMap((line) => line.cells);
  if (cells.length < (isGroup ? 1 : 2)) return at;
  return Math.min(...names.map(({ y, size }) => y - size * 1.2));
}

/** Rows of the same columns with nothing but such a row between them are one table: every second row has a background. */
function stacked(groups: readonly Rules[], runs: readonly TextRun[]): Rules[] {
  const found: Rules[] = [];
  const open: { lines: Rules; xs: number[]; bottom: number }[] = [];
  const placed = groups
    .filter(({ across, down }) => across.length > 0 && down.length > 0)
    .map((lines) => ({
      lines,
      xs: positions(lines.down, lines.across),
      ys: positions(lines.across, lines.down),
    }))
    .sort((one, other) => one.ys[0]! - other.ys[0]!);
  for (const { lines, xs, ys } of placed) {
    const top = ys[0]!;
    const above = open.find((one) => areAligned(one.xs, xs) && isRow(runs, xs, one.bottom, top));
    if (!above) {
      found.push(lines);
      open.push({ lines, xs, bottom: ys.at(-1)! });
      continue;
    }
    for (const at of xs) above.lines.down.push({ at, from: above.bottom, to: top });
    above.lines.across.push(...lines.across);
    above.lines.down.push(...lines.down);
    above.bottom = ys.at(-1)!;
  }
  return found;
}

/** Whether the texts between two heights are a row of these columns. */
function isRow(runs: readonly TextRun[], xs: readonly number[], top: number, bottom: number): boolean {
  const inside = runs.filter(({ y, size }) => y - size * 0.35 > top && y - size * 0.35 < bottom);
  const columns = new Set(inside.map(({ x, width }) => indexOf(xs, x + width / 2)));
  const fits = inside.every(
    ({ x, width, size }) => indexOf(xs, x + size * 0.5) === indexOf(xs, x + width - size * 0.5),
  );
  return bottom - top <= maxRowHeight && fits && columns.size > 1 && !columns.has(-1);
}

interface Frame extends Rules {
  xs: number[];
  ys: number[];
  /** Has the columns of a table on the page before. */
  isContinued: boolean;
}

function frameOf({ across, down }: Rules, before: readonly number[]): Frame | null {
  if (down.length === 0) return null;
  const xs = positions(down, across);
  const ys = positions(across, down);
  const cells = (xs.length - 1) * (ys.length - 1);
  const isContinued = areAligned(xs, before);
  if (xs.length < 3 || ys.length < (isContinued ? 2 : 3) || cells > maxCells) return null;
  return { across, down, xs, ys, isContinued };
}

/** Positions of lines, and where the lines across them end without one. */
function positions(lines: readonly Rule[], across: readonly Rule[]): number[] {
  const ends = [Math.min(...across.map(({ from }) => from)), Math.max(...across.map(({ to }) => to))];
  const found: number[] = [];
  for (const at of [...lines.map((line) => line.at), ...ends].sort((one, other) => one - other))
    if (found.length === 0 || at - found.at(-1)! > sameLine) found.push(at);
  return found;
}

function areaOf({ xs, ys }: Frame): number {
  return (xs.at(-1)! - xs[0]!) * (ys.at(-1)! - ys[0]!);
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
  const { titles, head, headRows } = headOf(all, cells);
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

/** Index of the space between two edges that contains a position; −1 if none does. */
function indexOf(edges: readonly number[], at: number): number {
  if (at < edges[0]! || at > edges.at(-1)!) return -1;
  return Math.max(
    0,
    edges.findLastIndex((edge, index) => index < edges.length - 1 && edge <= at),
  );
}

function cellText(runs: readonly TextRun[]): string {
  return linesOf(runs).reduce((text, line) => joinCell(text, line.text), '');
}

/** Titles that span all columns, and the names of columns; combined from several rows if some of them span columns. */
function headOf(rows: readonly string[][], regions: readonly number[][]) {
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
