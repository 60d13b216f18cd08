import { tooLarge } from './file-to-read.ts';

/** A Markdown table, row by row. @param maxText UTF-16 units of the whole table */
export function createTable(head: readonly string[], maxText = Number.POSITIVE_INFINITY) {
  const lines = [row(head), `|${' --- |'.repeat(head.length)}`];
  let length = lines[0]!.length + lines[1]!.length;
  return {
    /** `mark` is written before the row. @throws FileFailure too large */
    add(cells: readonly string[], mark: string = ''): void {
      const line = row(head.map((_, index) => cells[index] ?? ''));
      length += line.length + 1;
      if (length > maxText) throw tooLarge('text', maxText);
      lines.push(mark + line);
    },
    text: (): string => lines.join('\n'),
  };
}

/** All rows as a Markdown table; the first one has the names of the columns. @throws FileFailure too large */
export function tableOf(rows: readonly (readonly string[])[], maxText?: number): string {
  const columns = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  const head = Array.from({ length: columns }, (_, at) => rows[0]![at] ?? '');
  const table = createTable(head, maxText);
  for (const cells of rows.slice(1)) table.add(cells);
  return table.text();
}

/** Removes columns and rows without text. */
export function withoutEmpty(rows: readonly (readonly string[])[]): string[][] {
  const used = new Set(
    rows.flatMap((cells) => cells.flatMap((text, column) => (text === '' ? [] : [column]))),
  );
  return rows
    .map((cells) => cells.filter((_, column) => used.has(column)))
    .filter((cells) => cells.some(Boolean));
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(toCell).join(' | ')} |`;
}

/** A single line with escaped cell separators. */
export function toCell(value: string): string {
  return value.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}

/** Rows as Markdown: a table, or lines if they are pairs of labels and values. */
export function rowsText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  if (arePairs(all))
    return all
      .flatMap((cells) =>
        cells.flatMap((label, at) => (at % 2 === 0 ? labelledValue(label, cells[at + 1]!) : [])),
      )
      .join('\n');
  const table = createTable(head);
  for (const cells of rows) table.add(cells);
  return table.text();
}

const colon = /[：:]$/;
const maxLabel = 30;

/** Whether every second cell is a label: all have colons, or none has digits and the values beside the first ones are no names. */
function arePairs(rows: readonly (readonly string[])[]): boolean {
  if (rows[0]!.length % 2 !== 0 || rows[0]!.length > 4) return false;
  const labels = rows.flatMap((cells) => cells.filter((_, at) => at % 2 === 0)).filter(Boolean);
  if (labels.length === 0) return false;
  if (labels.every((label) => colon.test(label))) return true;
  const areLabels = labels.every((label) => label.length <= maxLabel && !/\d/.test(label));
  const values = rows[0]!.filter((_, at) => at % 2 === 1);
  return areLabels && new Set(labels).size === labels.length && values.some(isNoName);
}

/** A number, an address of mail, or a sentence: not the name of a column. */
function isNoName(value: string): boolean {
  const digits = value.match(/\d/g)?.length ?? 0;
  return digits > 4 || /\S@\S|[。.]$/.test(value) || value.length > maxLabel;
}

function labelledValue(label: string, value: string): string[] {
  if (label === '') return value === '' ? [] : [value];
  const name = toCell(label).replace(colon, '');
  return [/[\u3400-\u9fff]/.test(name) ? `${name}：${value}` : `${name}: ${value}`];
}
