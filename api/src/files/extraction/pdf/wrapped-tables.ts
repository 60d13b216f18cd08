import { rowsText } from '../table-rows.ts';
import { type Cell, type Line, wide } from './pdf-lines.ts';

/** The columns of a table by their position on the page, with their names. */
export interface PdfTable {
  columns: { x: number; right: number }[];
  head: string[];
}

/** A table and the index of the first line after it. */
export interface TableAt {
  markdown: string;
  next: number;
  table: PdfTable;
}

/** A piece of text with its line. */
interface Piece extends Cell {
  y: number;
  size: number;
  /** Index of its line. */
  line: number;
}

/** Texts one below the other: a cell, or the name of a column. */
interface Stack {
  x: number;
  right: number;
  pieces: Piece[];
}

/** Line distance within a cell, and overlap of two lines of a row, in multiples of the font size. */
const leading = 2;
const sameRow = 0.8;
/** Line distance of a cell whose lines are drawn together with those of its neighbours. */
const tightLeading = 1.45;
/** Maximum distance of a row from the one above, in multiples of the font size. */
const rowGap = 4;
/** Maximum share by which font sizes within a table differ. */
const sizeSpread = 0.12;
const minRows = 2;
const maxNameLength = 40;
/** Maximum lines of a column's name. */
const maxNameLines = 3;
const maxLines = 600;

/** Whether a table may begin at a line: it has several cells, or a line shortly after it stands beside it. */
export function mayBeginTable(lines: readonly Line[], from: number): boolean {
  const { isRow, narrowCells, x, right, y, size } = lines[from]!;
  if (isRow || narrowCells) return true;
  let [end, bottom] = [right, y];
  for (let at = from + 1; at < Math.min(lines.length, from + maxNameLines + 1); at += 1) {
    const next = lines[at]!;
    if (next.isBlock) return false;
    const isHigher = at === from + 1 ? next.y <= y + size * sameRow : next.y < bottom - size * 0.2;
    if (next.x > end && isHigher && next.y > y - size * rowGap) return true;
    if (next.x >= end || next.right <= x || next.y <= bottom || next.y - bottom > size * leading)
      return false;
    [end, bottom] = [Math.max(end, next.right), next.y];
  }
  return false;
}

/**
 * The table with wrapped cells whose header begins at line `from`, or that continues `before` there. Programs draw a table cell by
 * cell: a cell further right belongs to the same row, one further left begins the next. Vertically centred cells may begin below
 * their neighbours.
 */
export function wrappedTableAt(lines: readonly Line[], from: number, before: PdfTable | null) {
  const pieces = piecesFrom(lines, from);
  const head = stacksAt(pieces, 0);
  const names = head.stacks.map(textOf);
  const isSame = before !== null && names.join('\n') === before.head.join('\n');
  const start = before === null || isSame ? startOf(pieces, head, names) : { ...before, at: 0 };
  const found = start && rowsFrom(pieces, start.at, start.columns);
  if (!start || !found || !isTable(found.rows, start.head.length, before !== null)) return null;
  const rows = found.rows.map(({ cells }) => cells);
  const next = pieces[found.next]?.line ?? (pieces.at(-1)?.line ?? from) + 1;
  return { markdown: rowsText(start.head, rows), next, table: { head: start.head, columns: found.columns } };
}

function piecesFrom(lines: readonly Line[], from: number): Piece[] {
  const { size } = lines[from]!;
  const pieces: Piece[] = [];
  for (let at = from; at < Math.min(lines.length, from + maxLines); at += 1) {
    const line = lines[at]!;
    if (line.isBlock || line.isSlanted || Math.abs(line.size - size) > size * sizeSpread) break;
    for (const cell of line.narrowCells ?? line.cells)
      pieces.push({ ...cell, y: line.y, size: line.size, line: at });
  }
  return pieces;
}

/** The stacks of a row from left to right, without knowing the columns. */
function stacksAt(pieces: readonly Piece[], from: number): { stacks: Stack[]; next: number } {
  const stacks: Stack[] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  let next = from;
  for (; next < pieces.length; next += 1) {
    const piece = pieces[next]!;
    const last = stacks.at(-1);
    const above = last?.pieces.at(-1);
    if (!last || !above) stacks.push({ x: piece.x, right: piece.right, pieces: [piece] });
    else if (piece.x > last.right && piece.y <= bottom + piece.size * sameRow)
      stacks.push({ x: piece.x, right: piece.right, pieces: [piece] });
    else if (isBelow(piece, above) && piece.x < last.right && piece.right > last.x) {
      last.pieces.push(piece);
      last.x = Math.min(last.x, piece.x);
      last.right = Math.max(last.right, piece.right);
    } else break;
    bottom = Math.max(bottom, piece.y);
  }
  return { stacks, next };
}

function isBelow(piece: Piece, above: Piece): boolean {
  return piece.y > above.y && piece.y - above.y <= piece.size * leading;
}

/** The columns below a header, as wide as the names and as the cells of a first row that fills all columns. null if it is no header. */
function startOf(
  pieces: readonly Piece[],
  { stacks, next }: { stacks: readonly Stack[]; next: number },
  head: string[],
): (PdfTable & { at: number }) | null {
  if (stacks.length < 2 || !areColumnNames(head)) return null;
  const first = stacksAt(pieces, next).stacks;
  const joined = stacks.map(({ x, right }, at) => ({
    x: Math.min(x, first[at]?.x ?? x),
    right: Math.max(right, first[at]?.right ?? right),
  }));
  const areApart = joined.every(({ x }, at) => at === 0 || x > joined[at - 1]!.right);
  const columns =
    first.length === stacks.length && areApart ? joined : stacks.map(({ x, right }) => ({ x, right }));
  return { head, columns, at: next };
}

/** Column names are short and no numbers, except years. */
export function areColumnNames(names: readonly string[]): boolean {
  const isName = (name: string) => /\p{L}|^(?:19|20)\d\d$/u.test(name);
  return names.every((name) => name.length <= maxNameLength && isName(name)) && /\p{L}/u.test(names.join(''));
}

interface Row {
  cells: string[];
  /** Index of its first piece. */
  from: number;
}

function rowsFrom(pieces: readonly Piece[], from: number, given: PdfTable['columns']) {
  const columns = given.map((column) => ({ ...column }));
  const rows: Row[] = [];
  let last: (Piece | null)[] = [];
  let column = -1;
  let bottom = 0;
  let next = from;
  for (; next < pieces.length; next += 1) {
    const piece = pieces[next]!;
    const at = columnOf(piece, columns);
    if (at < 0) break;
    const above = last[at] ?? null;
    const row = rows.at(-1);
    const isFirstOfLine = pieces[next - 1]?.line !== piece.line;
    const isWrapped =
      above !== null &&
      (at === column
        ? isBelow(piece, above)
        : at > 0 && isBelow(piece, above) && piece.y - bottom <= piece.size * tightLeading);
    const isBeside = above === null && piece.y <= bottom + piece.size * sameRow;
    const isInLine = above === null && !isFirstOfLine;
    if (row && (isWrapped || isBeside || isInLine)) row.cells[at] = joinCell(row.cells[at]!, piece.text);
    else {
      if (row && piece.y - bottom > piece.size * rowGap && !isCentred(pieces, next, columns)) break;
      if (row && piece.y <= bottom - piece.size) break;
      rows.push({ cells: columns.map((_, index) => (index === at ? piece.text : '')), from: next });
      last = [];
      bottom = piece.y;
    }
    last[at] = piece;
    column = at;
    bottom = Math.max(bottom, piece.y);
    columns[at]!.x = Math.min(columns[at]!.x, piece.x);
    columns[at]!.right = Math.max(columns[at]!.right, piece.right);
  }
  // A line that fits no column is not part of the row that it begins; lines below the first column are text after the table.
  const stopped = pieces[next]?.line;
  while (
    rows.length > 0 &&
    (pieces[rows.at(-1)!.from]!.line === stopped ||
      rows
        .at(-1)!
        .cells.slice(1)
        .every((cell) => cell === ''))
  )
    next = rows.pop()!.from;
  return { rows, columns, next };
}

/** Whether a piece far below the row above is the middle of a high row: the next cell begins above it. */
function isCentred(pieces: readonly Piece[], at: number, columns: PdfTable['columns']): boolean {
  const [piece, next] = [pieces[at]!, pieces[at + 1]];
  return next !== undefined && next.y < piece.y && columnOf(next, columns) > columnOf(piece, columns);
}

/** The only column that a piece is in or, if it is in none, the nearest; −1 if it is in several or far from all. */
function columnOf({ x, right, size }: Piece, columns: PdfTable['columns']): number {
  const distances = columns.map((column) => Math.max(column.x - right, x - column.right));
  if (distances.filter((distance) => distance < -size * 0.3).length > 1) return -1;
  const nearest = Math.min(...distances);
  return nearest > size * rowGap ? -1 : distances.indexOf(nearest);
}

/** Most rows fill two columns, and some fill all but one. */
function isTable(rows: readonly Row[], columns: number, isContinued: boolean): boolean {
  const filled = rows.map(({ cells }) => cells.filter(Boolean).length);
  const full = filled.filter((count) => count >= Math.max(2, columns - 1)).length;
  return (
    rows.length >= (isContinued ? 1 : minRows) &&
    full > 0 &&
    filled.filter((count) => count > 1).length > rows.length / 2
  );
}

function textOf({ pieces }: Stack): string {
  return pieces.reduce((text, piece) => joinCell(text, piece.text), '');
}

/** Joins the lines of a cell, without a space in Chinese and after a hyphen that divides a word or code. */
export function joinCell(before: string, text: string): string {
  if (before === '' || text === '') return before + text;
  if (/\p{Ll}[-\u2010\u00ad]$/u.test(before) && /^\p{Ll}/u.test(text)) return before.slice(0, -1) + text;
  if (/[\p{L}\p{N}][-/]$/u.test(before) && /^[\p{L}\p{N}]/u.test(text)) return before + text;
  return wide.test(before.at(-1)!) || wide.test(text[0]!) ? before + text : `${before} ${text}`;
}
