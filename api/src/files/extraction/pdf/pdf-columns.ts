import { type Cell, type Line, wide } from './pdf-lines.ts';

/** Minimum number of lines on each side of a gutter. */
const minLines = 3;
/** Share of lines that may cross a gutter: titles, figures, notes. */
const maxCrossing = 0.15;
/** Minimum characters of a line of running text in a column; Chinese characters count twice. */
const minLength = 18;
/** Minimum share of the width of its column that a line of running text fills. */
const minFill = 0.7;

interface PlacedCell extends Cell {
  line: Line;
}

/**
 * The lines of a page column by column, each with the right edge of its own column. The order is changed only where
 * columns were drawn row by row, and their cells are running text and no table.
 */
export function inColumns(lines: readonly Line[]): Line[] {
  const flowing = lines.filter(({ isBlock }) => !isBlock);
  const cells = flowing.flatMap((line) => line.cells.map((cell) => ({ ...cell, line })));
  const gutters = guttersOf(cells);
  if (gutters.length === 0) return [...lines];
  const columnOf = ({ x, right }: { x: number; right: number }) => {
    const first = gutters.filter((gutter) => gutter <= x).length;
    return gutters.filter((gutter) => gutter < right).length === first ? first : -1;
  };
  const edges = gutters.map(() => 0).concat(0);
  const starts = edges.map(() => Number.POSITIVE_INFINITY);
  for (const cell of cells) {
    const column = columnOf(cell);
    if (column < 0) continue;
    edges[column] = Math.max(edges[column]!, cell.right);
    starts[column] = Math.min(starts[column]!, cell.x);
  }
  const widths = edges.map((edge, column) => edge - starts[column]!);
  const isSplit = isRunningText(flowing, columnOf, widths);
  const ordered: Line[] = [];
  const waiting: Line[][] = edges.map(() => []);
  const flush = () => {
    for (const column of waiting) ordered.push(...column.splice(0));
  };
  for (const line of lines) {
    const column = line.isBlock ? -1 : columnOf(line);
    if (column >= 0) {
      const own = { ...line, edge: edges[column]! };
      if (isSplit) waiting[column]!.push(own);
      else ordered.push(own);
    } else if (isSplit && line.isRow && line.cells.every((cell) => columnOf(cell) >= 0)) {
      for (const { column: at, cells: some } of byColumn(line.cells, columnOf))
        waiting[at]!.push({ ...lineOf(line, some), edge: edges[at]! });
    } else {
      flush();
      ordered.push(line);
    }
  }
  flush();
  return ordered;
}

/** x positions of vertical gaps that hardly any cell crosses, with lines beside each other on both sides. */
function guttersOf(cells: readonly PlacedCell[]): number[] {
  if (cells.length < minLines * 2) return [];
  const size = median(cells.map(({ line }) => line.size));
  const sorted = [...cells].sort((a, b) => a.x - b.x);
  const found: number[] = [];
  for (const start of new Set(sorted.map(({ x }) => Math.round(x)))) {
    // The gutter is left of the cells that start here.
    const at = start - size * 0.5;
    const from = found.at(-1) ?? Number.NEGATIVE_INFINITY;
    const left = sorted.filter(({ x, right }) => right <= at && x >= from);
    const right = sorted.filter(({ x }) => x >= at && x < start + size * 2);
    const crossing = sorted.filter((cell) => cell.x < at && cell.right > at);
    if (left.length < minLines || right.length < minLines) continue;
    if (crossing.length > (left.length + right.length) * maxCrossing) continue;
    const beside = right.filter((one) =>
      left.some((other) => Math.abs(other.line.y - one.line.y) < size * 0.7),
    );
    if (beside.length >= minLines && at - from > size * 4) found.push(at);
  }
  return found;
}

/** Whether the lines that were drawn across columns are running text: long, and as wide as their columns. */
function isRunningText(lines: readonly Line[], columnOf: (cell: Cell) => number, widths: readonly number[]) {
  const rows = lines.filter(({ isRow, cells }) => isRow && cells.every((cell) => columnOf(cell) >= 0));
  const across = rows.filter(({ cells }) => new Set(cells.map(columnOf)).size > 1);
  if (across.length < minLines) return false;
  return widths.every((width, column) => {
    const own = across.flatMap(({ cells }) => cells.filter((cell) => columnOf(cell) === column));
    if (own.length < minLines) return true;
    const fills = own.map(({ x, right }) => (right - x) / Math.max(1, width));
    return median(fills) >= minFill && median(own.map(({ text }) => lengthOf(text))) >= minLength;
  });
}

function lengthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0);
}

function byColumn(cells: readonly Cell[], columnOf: (cell: Cell) => number) {
  const found: { column: number; cells: Cell[] }[] = [];
  for (const cell of cells) {
    const column = columnOf(cell);
    const last = found.at(-1);
    if (last?.column === column) last.cells.push(cell);
    else found.push({ column, cells: [cell] });
  }
  return found;
}

function lineOf(line: Line, cells: Cell[]): Line {
  const text = cells.map((cell) => cell.text).join('  ');
  return { ...line, text, cells, x: cells[0]!.x, right: cells.at(-1)!.right, isRow: cells.length > 1 };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
