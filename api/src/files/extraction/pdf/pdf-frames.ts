import { linesOf, type TextRun } from './pdf-lines.ts';
import type { Rule, Rules } from './pdf-messages.ts';

/** Maximum distance of lines that count as one, in points. */
export const sameLine = 4;
/** Maximum distance of lines that touch, in points. */
const touch = 3;
const maxLines = 2000;
const maxCells = 5000;
/** Minimum number of lines of a table without vertical ones. */
const minStack = 3;
/** Rows without a background at each end of a striped table. */
const maxOuterRows = 3;
/** In multiples of the font size: gap between columns, height of a row beyond the outer lines, distance of rows. */
const minColumnGap = 0.8;
const maxOuterHeight = 6;
const minRowGap = 1.6;
/** In points. */
const maxRowHeight = 150;

/** Lines that divide a part of a page into columns and rows, with their positions. */
export interface Frame extends Rules {
  xs: number[];
  ys: number[];
  /** Has the columns of a table on the page before. */
  isContinued: boolean;
}

/**
 * The frames of tables on a page, smallest first: a table may be within a cell of another one, which is a layout. A frame with a
 * single row counts only if its columns have the edges of `before`.
 */
export function framesOf(rules: Rules, runs: readonly TextRun[], before: readonly number[]): Frame[] {
  const across = joinedRules(rules.across);
  const down = joinedRules(rules.down);
  if (across.length + down.length > maxLines) return [];
  const groups = connected(across, down);
  const alone = groups.flatMap((group) => (group.down.length === 0 ? group.across : []));
  return [...stacked(groups, runs), ...betweenRules(alone, runs)]
    .flatMap((lines) => frameOf(lines, before) ?? [])
    .sort((one, other) => areaOf(one) - areaOf(other));
}

/** Whether columns have the same edges. */
export function areAligned(edges: readonly number[], others: readonly number[]): boolean {
  return (
    edges.length === others.length && edges.every((edge, at) => Math.abs(edge - others[at]!) <= sameLine)
  );
}

/** Index of the space between two edges that contains a position; −1 if none does. */
export function indexOf(edges: readonly number[], at: number): number {
  if (at < edges[0]! || at > edges.at(-1)!) return -1;
  return Math.max(
    0,
    edges.findLastIndex((edge, index) => index < edges.length - 1 && edge <= at),
  );
}

/** Lines at the same position that touch each other are one. */
function joinedRules(rules: readonly Rule[]): Rule[] {
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

/** Joins rows with a background, the same columns and one row between them to a table in which every second row has a background. */
function stacked(groups: readonly Rules[], runs: readonly TextRun[]): Rules[] {
  const found: Rules[] = [];
  const open: { lines: Rules; xs: number[]; top: number; bottom: number; isStriped: boolean }[] = [];
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
      open.push({ lines, xs, top, bottom: ys.at(-1)!, isStriped: false });
      continue;
    }
    for (const at of xs) above.lines.down.push({ at, from: above.bottom, to: top });
    above.lines.across.push(...lines.across);
    above.lines.down.push(...lines.down);
    above.bottom = ys.at(-1)!;
    above.isStriped = true;
  }
  for (const { lines, xs, top, bottom } of open.filter(({ isStriped }) => isStriped)) {
    addOuterRows(lines, { runs, xs, at: top, side: -1 });
    addOuterRows(lines, { runs, xs, at: bottom, side: 1 });
  }
  return found;
}

/** Adds the head and the rows without a background above the first and below the last row with one. */
function addOuterRows(
  lines: Rules,
  { runs, xs, at, side }: { runs: readonly TextRun[]; xs: readonly number[]; at: number; side: -1 | 1 },
): void {
  const [from, to] = [xs[0]!, xs.at(-1)!];
  let outer = at;
  for (let count = 0; count < maxOuterRows; count += 1) {
    const end = endBeyond({ at: outer, from, to }, runs, side);
    if (end === outer || !isRow(runs, xs, Math.min(end, outer), Math.max(end, outer))) return;
    lines.across.push({ at: end, from, to });
    for (const x of xs) lines.down.push({ at: x, from: Math.min(end, outer), to: Math.max(end, outer) });
    outer = end;
  }
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

/** Adds the missing lines between the columns and above the head of a table; null if it has several rows between two lines. */
function rowsBetween(stack: readonly Rule[], runs: readonly TextRun[]): Rules | null {
  const from = Math.min(...stack.map((rule) => rule.from));
  const to = Math.max(...stack.map((rule) => rule.to));
  const within = runs.filter(({ x, width }) => x >= from - sameLine && x + width <= to + sameLine);
  const isPart = (rule: Rule) => rule.to - rule.from < to - from - sameLine;
  const top = endBeyond(stack[0]!, within, -1, isPart(stack[0]!));
  const end = endBeyond(stack.at(-1)!, within, 1);
  const ys = [top, ...stack.map(({ at }) => at), end].filter(
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
      : pieces
          .filter(({ x, right }) => !grouped[row]!.some((group) => x >= group.from && right <= group.to))
          .map((piece) => ({ ...piece, row })),
  );
  const columns = columnsOf(placed);
  const severalRows = rows.some(({ pieces }) => {
    const counts = columns.map(
      (column) => pieces.filter(({ x, right }) => right > column.from && x < column.to).length,
    );
    return counts.filter(Boolean).length > 1 && counts.every((count) => count !== 1);
  });
  if (columns.length < 2 || severalRows) return null;
  const isOf = (group: Rule, column: Column | undefined) =>
    column !== undefined && contains(group, { ...column, at: group.at });
  const down = rows.flatMap(({ top: start, bottom }, row) =>
    columns.flatMap((column, at) => {
      const before = columns[at - 1];
      const isWithin = grouped[row]!.some((group) => isOf(group, before) && isOf(group, column));
      return isWithin ? [] : { at: before ? (before.to + column.from) / 2 : from, from: start, to: bottom };
    }),
  );
  down.push({ at: to, from: top, to: ys.at(-1)! });
  return { across: [{ at: top, from, to }, ...stack, { at: end, from, to }], down };
}

interface Column {
  from: number;
  to: number;
}

/** The columns of texts: divided by gaps, with texts on both sides in the same row. */
function columnsOf(pieces: readonly { x: number; right: number; size: number; row: number }[]): Column[] {
  const columns: (Column & { rows: number[] })[] = [];
  for (const { x, right, size, row } of pieces.toSorted((one, other) => one.x - other.x)) {
    const last = columns.at(-1);
    if (last && x < last.to + size * minColumnGap) {
      last.to = Math.max(last.to, right);
      last.rows.push(row);
    } else columns.push({ from: x, to: right, rows: [row] });
  }
  const joined: typeof columns = [];
  for (const column of columns) {
    const last = joined.at(-1);
    // A name on the left above numbers on the right.
    if (last && !last.rows.some((row) => column.rows.includes(row))) {
      last.to = column.to;
      last.rows.push(...column.rows);
    } else joined.push(column);
  }
  return joined;
}

/**
 * End of a further row beyond an outer line: several texts beside each other, or one for which `isGroup` says that it names several
 * columns. The line itself if there is no such row. `side` is −1 above and 1 below.
 */
function endBeyond({ at, from, to }: Rule, runs: readonly TextRun[], side: -1 | 1, isGroup = false): number {
  const distance = ({ y }: TextRun) => (y - at) * side;
  const beyond = runs
    .filter(({ x, width }) => x >= from - sameLine && x + width <= to + sameLine)
    .filter((run) => distance(run) > 0 && distance(run) < run.size * maxOuterHeight)
    .sort((one, other) => distance(one) - distance(other));
  const end = beyond.findIndex(
    (run, index) => index > 0 && distance(run) - distance(beyond[index - 1]!) > run.size * minRowGap,
  );
  const row = end < 0 ? beyond : beyond.slice(0, end);
  const cells = linesOf(runs.filter((run) => row.includes(run))).flatMap((line) => line.cells);
  const areBeside = cells.some(({ right }) => cells.some(({ x }) => x > right));
  if (row.length === 0 || !(areBeside || isGroup)) return at;
  const ends = row.map(({ y, size }) => y + size * (side < 0 ? -1.2 : 0.4));
  return side < 0 ? Math.min(...ends) : Math.max(...ends);
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
