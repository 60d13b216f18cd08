import { rowsText } from '../table-rows.ts';
import type { Cell, Line } from './pdf-lines.ts';
import { areColumnNames, type PdfTable, type TableAt, wrappedTableAt } from './wrapped-tables.ts';

const minRows = 2;
/** Maximum distance of a cell from its column, in multiples of the font size. */
const maxDistance = 4;

/**
 * The table whose header is the line at `from`, or that continues `before` there, for example on the next
 * page: each cell in the column above it. null if the lines are no table.
 */
export function tableAt(lines: readonly Line[], from: number, before: PdfTable | null): TableAt | null {
  const plain = plainTableAt(lines, from, before);
  const wrapped = wrappedTableAt(lines, from, before);
  return wrapped && wrapped.next > (plain?.next ?? from) ? wrapped : plain;
}

/** The same with every row on one line. */
function plainTableAt(lines: readonly Line[], from: number, before: PdfTable | null): TableAt | null {
  const first = lines[from]!;
  const isSame = before !== null && first.cells.map(({ text }) => text).join('\n') === before.head.join('\n');
  const isContinued = before !== null && (isSame || rowOf(first, before.columns) !== null);
  if (!isContinued && !isHead(first)) return null;
  const table: PdfTable = isContinued
    ? { columns: before.columns.map((column) => ({ ...column })), head: before.head }
    : {
        columns: first.cells.map(({ x, right }) => ({ x, right })),
        head: first.cells.map(({ text }) => text),
      };
  const rows: string[][] = [];
  let next = isContinued && !isSame ? from : from + 1;
  let count = 0;
  for (; next < lines.length && lines[next]!.isRow; next += 1, count += 1) {
    const row = rowOf(lines[next]!, table.columns);
    if (row === null) break;
    rows.push(row.cells);
    table.columns = row.columns;
  }
  if (count < (isContinued ? 1 : minRows)) return null;
  return { markdown: rowsText(table.head, rows), next, table };
}

function isHead({ cells }: Line): boolean {
  return cells.length > 1 && areColumnNames(cells.map(({ text }) => text));
}

/** Assigns the cells of a line to columns, which may become wider; null if they do not fit. */
function rowOf(
  line: Line,
  columns: PdfTable['columns'],
): { cells: string[]; columns: PdfTable['columns'] } | null {
  if (line.cells.length < 2 || line.cells.length > columns.length) return null;
  const cells = columns.map(() => '');
  const widened = columns.map((column) => ({ ...column }));
  for (const cell of line.cells) {
    const at = columnOf(cell, columns, line.size);
    if (at < 0 || cells[at] !== '') return null;
    cells[at] = cell.text;
    widened[at] = { x: Math.min(columns[at]!.x, cell.x), right: Math.max(columns[at]!.right, cell.right) };
  }
  return { cells, columns: widened };
}

function columnOf(cell: Cell, columns: PdfTable['columns'], size: number): number {
  // A negative distance is an overlap.
  const distances = columns.map(({ x, right }) => Math.max(x - cell.right, cell.x - right));
  const nearest = Math.min(...distances);
  return nearest > size * maxDistance ? -1 : distances.indexOf(nearest);
}
