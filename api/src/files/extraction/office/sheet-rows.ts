import { tooLarge } from '../file-to-read.ts';
import { formatNumber, formatText } from './cell-format.ts';
import { readXml } from './read-xml.ts';

/** The displayed value of a cell. */
export interface Cell {
  text: string;
  isNumber: boolean;
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

export interface SheetContent {
  /** The visible non-empty rows by number, from 1. */
  rows: Map<number, SheetRow>;
  /** Number of formulas whose result is not stored in the file. */
  withoutResult: number;
  /** Whether a cell, such as `B12`, is in a hidden row or column. */
  isHidden(reference: string): boolean;
}

/**
 * The visible rows of a sheet, without hidden columns (also those of collapsed groups, filtered rows, and ones without width). Formulas have
 * their last calculated value; vertically merged cells are repeated in each row.
 * @param maxText UTF-16 units of all cells. @throws FileFailure too large.
 */
export function sheetRows(bytes: Buffer | undefined, workbook: Workbook, maxText: number): SheetContent {
  const rows = new Map<number, SheetRow>();
  const merged: string[] = [];
  const hiddenColumns: [number, number][] = [];
  const hiddenRows = new Set<number>();
  /** What columns without a width of their own are. */
  let areColumnsHidden = false;
  const shownColumns: [number, number][] = [];
  let number = 0;
  let column = 0;
  let row: SheetRow = new Map();
  let cell = { type: '', style: 0, hasFormula: false };
  let value = '';
  let reads = false;
  let isPhonetic = false;
  let withoutResult = 0;
  let left = maxText;
  const put = (into: SheetRow, at: number, one: Cell) => {
    left -= one.text.length + 3;
    if (left < 0) throw tooLarge('text', maxText);
    into.set(at, one);
  };
  const isHidden = (at: number) => {
    if (hiddenColumns.some(([from, to]) => at >= from && at <= to)) return true;
    return (
      areColumnsHidden &&
      shownColumns.length > 0 &&
      !shownColumns.some(([from, to]) => at >= from && at <= to)
    );
  };
  readXml(bytes, {
    open(name, attributes) {
      if (name === 'sheetFormatPr') {
        areColumnsHidden = Number(attributes().defaultColWidth || 1) === 0;
      } else if (name === 'col') {
        const { min = '', max = '', hidden = '', width = '' } = attributes();
        const columns = isOn(hidden) || Number(width || 1) === 0 ? hiddenColumns : shownColumns;
        columns.push([Number(min), Number(max)]);
      } else if (name === 'row') {
        const { r, hidden = '', ht = '' } = attributes();
        number = Number(r ?? number + 1);
        column = 0;
        row = new Map();
        if (isOn(hidden) || Number(ht || 1) === 0) hiddenRows.add(number);
      } else if (name === 'c') {
        const { r = '', t = '', s = '0' } = attributes();
        column = placeOf(r)?.column ?? column + 1;
        cell = { type: t, style: Number(s), hasFormula: false };
        value = '';
      } else if (name === 'f') cell.hasFormula = true;
      else if (name === 'v' || name === 't') reads = !isPhonetic;
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 'mergeCell') merged.push(attributes().ref ?? '');
    },
    text(text) {
      if (reads) value += text;
    },
    close(name) {
      if (name === 'v' || name === 't') reads = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'c' && column <= maxColumn) {
        // The result of a formula may be an empty text, which is stored as such.
        if (
          value === '' &&
          cell.hasFormula &&
          cell.type !== 'str' &&
          !hiddenRows.has(number) &&
          !isHidden(column)
        )
          withoutResult += 1;
        const shown = value === '' ? null : showCell(value, cell, workbook);
        if (shown && shown.text !== '') put(row, column, shown);
      } else if (name === 'row' && row.size > 0 && number > 0) rows.set(number, row);
    },
  });
  let fills = maxFilled;
  for (const ref of merged) {
    const [from, to] = ref.split(':').map(placeOf);
    const first = from && rows.get(from.row)?.get(from.column);
    if (!first || !to) continue;
    const last = Math.min(to.column, maxColumn);
    // Merged cells show their text in what is visible of them.
    let shownAt = from.column;
    while (shownAt < last && isHidden(shownAt)) shownAt += 1;
    first.span = Math.max(1, last - shownAt + 1);
    for (let at = from.row; at <= to.row && fills > 0; at += 1, fills -= 1) {
      const below = rows.get(at);
      if (below && !below.has(shownAt)) put(below, shownAt, first);
    }
  }
  for (const at of hiddenRows) rows.delete(at);
  if (hiddenColumns.length > 0 || areColumnsHidden) {
    for (const [at, one] of rows) {
      for (const place of one.keys()) if (isHidden(place)) one.delete(place);
      if (one.size === 0) rows.delete(at);
    }
  }
  return {
    rows,
    withoutResult,
    isHidden(reference) {
      const place = placeOf(reference);
      return place !== null && (hiddenRows.has(place.row) || isHidden(place.column));
    },
  };
}

function showCell(value: string, { type, style }: { type: string; style: number }, workbook: Workbook): Cell {
  const code = workbook.formats[style] ?? 'General';
  const words = (text: string): Cell => ({
    text: formatText(unescaped(text).replace(/\s+/g, ' ').trim(), code),
    isNumber: false,
    span: 1,
  });
  // A text that the file does not contain is reported as a damaged character.
  if (type === 's') return words(workbook.sharedStrings[Number(value)] ?? '\ufffd');
  if (type === 'b') return words(value === '1' ? 'TRUE' : 'FALSE');
  if (type === 'd') return { text: formatIsoDate(value, code), isNumber: true, span: 1 };
  const number = Number(value);
  if ((type !== '' && type !== 'n') || Number.isNaN(number)) return words(value);
  return { text: formatNumber(number, code, workbook.from1904), isNumber: true, span: 1 };
}

/** Dates of the strict format are stored as ISO 8601, without a time zone. */
function formatIsoDate(value: string, code: string): string {
  const time = Date.parse(value.replace(/Z?$/, 'Z'));
  // Days since the beginning of the calendar of 1900.
  return Number.isNaN(time)
    ? value
    : formatNumber(time / 86_400_000 + 25_569, code === 'General' ? 'yyyy-mm-dd' : code);
}

/** Characters that XML cannot contain, and carriage returns, are escaped: `_x000D_`. See ECMA-376 part 1, 22.9.2.19. */
export function unescaped(text: string): string {
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function isOn(value: string): boolean {
  return value === '1' || value === 'true';
}

/** Row and column of a reference like `BC12`, from 1; null if invalid. */
function placeOf(reference: string): { row: number; column: number } | null {
  const [, letters, row] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? [];
  if (!letters || !row) return null;
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return { row: Number(row), column };
}
