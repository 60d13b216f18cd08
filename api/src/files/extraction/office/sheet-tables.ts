import { tooLarge } from '../file-failure.ts';
import { placeMark } from '../place-marks.ts';
import { createTable } from '../table-rows.ts';
import type { Cell, SheetRow } from './sheet-rows.ts';

/**
 * The rows of a sheet as Markdown. A single cell above the column names, such as a title, becomes a
 * paragraph; after a blank row another table with its own column names may start.
 * @param maxText UTF-16 units. @throws FileFailure too large.
 */
export function sheetTables(rows: ReadonlyMap<number, SheetRow>, maxText: number): string {
  const numbers = new Map([...rows].map(([number, row]) => [row, number]));
  const parts: string[] = [];
  let table: SheetRow[] = [];
  const finish = () => {
    if (table.length > 0) parts.push(...tableParts(table, numbers, maxText));
    table = [];
  };
  for (const block of blocksOf(rows)) {
    if (table.length > 0 && beginsTable(block)) finish();
    table.push(...block);
  }
  finish();
  return parts.join('\n\n');
}

/** Groups of rows separated by blank rows. */
function blocksOf(rows: ReadonlyMap<number, SheetRow>): SheetRow[][] {
  const blocks: SheetRow[][] = [];
  let before = Number.NaN;
  for (const number of [...rows.keys()].sort((one, other) => one - other)) {
    if (number !== before + 1) blocks.push([]);
    blocks.at(-1)!.push(rows.get(number)!);
    before = number;
  }
  return blocks;
}

/** Whether the rows start with a title, or with column names above numbers. */
function beginsTable([first, ...others]: readonly SheetRow[]): boolean {
  const names = [...first!];
  if (others.length === 0) return false;
  if (names.length === 1) return others.some((row) => row.size > 1);
  if (names.some(([, { isNumber }]) => isNumber)) return false;
  return names.some(([column]) => others.some((row) => row.get(column)?.isNumber));
}

function tableParts(
  rows: readonly SheetRow[],
  numbers: ReadonlyMap<SheetRow, number>,
  maxText: number,
): string[] {
  const markOf = (row: SheetRow) => placeMark({ row: numbers.get(row)! });
  const single = (row: SheetRow) => markOf(row) + [...row.values()][0]!.text;
  const isWide = rows.some((row) => row.size > 1);
  if (!isWide) return rows.map(single);
  const above = rows.findIndex((row) => row.size > 1);
  const titles = rows.slice(0, above).map(single);
  const { names, rest } = headOf(rows.slice(above));
  const used = new Set([...names.keys(), ...rest.flatMap((row) => [...row.keys()])]);
  const columns = [...used].sort((one, other) => one - other);
  if (columns.length * rest.length * 3 > maxText) throw tooLarge('text', maxText);
  const table = createTable(
    columns.map((column) => names.get(column) ?? ''),
    maxText,
  );
  let expected = numbers.get(rows[above]!)! + 1;
  for (const row of rest) {
    const isNext = numbers.get(row) === expected;
    expected = numbers.get(row)! + 1;
    const cells = columns.map((column) => row.get(column)?.text ?? '');
    if (!table.add(cells, isNext ? '' : markOf(row))) throw tooLarge('text', maxText);
  }
  return [...titles, markOf(rows[above]!) + table.text()];
}

/** The column names; combined from two rows if cells of the first span several columns of the second. */
function headOf([first, second, ...others]: readonly SheetRow[]): {
  names: Map<number, string>;
  rest: readonly SheetRow[];
} {
  const isGrouped =
    second !== undefined &&
    others.length > 0 &&
    [...first!.values()].some(({ span }) => span > 1) &&
    [...second.values()].every(({ isNumber }) => !isNumber);
  const names = new Map([...first!].map(([column, { text }]) => [column, text]));
  if (!isGrouped) return { names, rest: second ? [second, ...others] : [] };
  const groups = stretched(first!);
  for (const [column, { text }] of second) {
    const group = groups.get(column)?.text ?? '';
    names.set(column, group === text ? text : `${group} ${text}`.trim());
  }
  return { names, rest: others };
}

function stretched(row: SheetRow): SheetRow {
  const all: SheetRow = new Map();
  for (const [column, cell] of row)
    for (let at = column; at < column + Math.min(cell.span, widestGroup); at += 1)
      all.set(at, cell satisfies Cell);
  return all;
}

const widestGroup = 100;
