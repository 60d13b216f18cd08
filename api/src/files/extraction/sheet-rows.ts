import { formatNumber } from './cell-format.ts';
import { tooLarge } from './file-failure.ts';
import { readXml } from './read-xml.ts';

/** The displayed value of a cell. */
export interface Cell {
  text: string;
  /** Whether it is a number or a date. */
  isNumber: boolean;
  /** Number of columns that it spans. */
  span: number;
}

/** Non-empty cells of a row by column. */
export type SheetRow = Map<number, Cell>;

export interface Workbook {
  sharedStrings: readonly string[];
  /** Number format codes by style index. */
  formats: readonly string[];
  from1904: boolean;
}

/** Maximum column number, see Excel's limits. */
const maxColumn = 16_384;
/** Maximum number of copies of merged cells per sheet. */
const maxFilled = 100_000;

/**
 * The non-empty rows of a sheet by number, from 1. Formulas have their last calculated value; vertically
 * merged cells are repeated in each row.
 * @param maxText UTF-16 units of all cells. @throws FileFailure too large.
 */
export function sheetRows(
  bytes: Buffer | undefined,
  workbook: Workbook,
  maxText: number,
): Map<number, SheetRow> {
  const rows = new Map<number, SheetRow>();
  const merged: string[] = [];
  let number = 0;
  let column = 0;
  let row: SheetRow = new Map();
  let cell = { type: '', style: 0 };
  let value = '';
  let reads = false;
  let isPhonetic = false;
  let left = maxText;
  const put = (into: SheetRow, at: number, one: Cell) => {
    left -= one.text.length + 3;
    if (left < 0) throw tooLarge('text', maxText);
    into.set(at, one);
  };
  readXml(bytes, {
    open(name, attributes) {
      if (name === 'row') {
        number = Number(attributes().r ?? number + 1);
        column = 0;
        row = new Map();
      } else if (name === 'c') {
        const { r = '', t = '', s = '0' } = attributes();
        column = placeOf(r)?.column ?? column + 1;
        cell = { type: t, style: Number(s) };
        value = '';
      } else if (name === 'v' || name === 't') reads = !isPhonetic;
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 'mergeCell') merged.push(attributes().ref ?? '');
    },
    text(text) {
      if (reads) value += text;
    },
    close(name) {
      if (name === 'v' || name === 't') reads = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'c' && value !== '' && column <= maxColumn) {
        const shown = showCell(value, cell, workbook);
        if (shown.text !== '') put(row, column, shown);
      } else if (name === 'row' && row.size > 0 && number > 0) rows.set(number, row);
    },
  });
  let fills = maxFilled;
  for (const ref of merged) {
    const [from, to] = ref.split(':').map(placeOf);
    const first = from && rows.get(from.row)?.get(from.column);
    if (!first || !to) continue;
    first.span = Math.max(1, Math.min(to.column, maxColumn) - from.column + 1);
    for (let at = from.row + 1; at <= to.row && fills > 0; at += 1, fills -= 1) {
      const below = rows.get(at);
      if (below && !below.has(from.column)) put(below, from.column, first);
    }
  }
  return rows;
}

function showCell(value: string, { type, style }: { type: string; style: number }, workbook: Workbook): Cell {
  const words = (text: string): Cell => ({
    text: text.replace(/\s+/g, ' ').trim(),
    isNumber: false,
    span: 1,
  });
  if (type === 's') return words(workbook.sharedStrings[Number(value)] ?? '');
  if (type === 'b') return words(value === '1' ? 'TRUE' : 'FALSE');
  // Errors such as `#N/A` are treated as empty.
  if (type === 'e') return words('');
  const number = Number(value);
  if ((type !== '' && type !== 'n') || Number.isNaN(number)) return words(value);
  const text = formatNumber(number, workbook.formats[style] ?? 'General', workbook.from1904);
  return { text, isNumber: true, span: 1 };
}

/** Row and column of a reference like `BC12`, from 1; null if invalid. */
function placeOf(reference: string): { row: number; column: number } | null {
  const [, letters, row] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? [];
  if (!letters || !row) return null;
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return { row: Number(row), column };
}
