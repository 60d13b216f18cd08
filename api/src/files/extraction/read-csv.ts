import { parse } from 'csv-parse/sync';
import { delimiterOf } from './delimiter-of.ts';
import { tooLarge, unreadable } from './file-failure.ts';
import type { FileToRead, ReadFile } from './read-file-text.ts';
import { createTable } from './table-rows.ts';

/** A table with the first row as its head. Rows that are longer than it lengthen it by columns without a name. */
export function readCsv({ text, limits }: FileToRead): ReadFile {
  // Quotes, marks and spaces only add to what is there.
  if (text.length > limits.maxText) throw tooLarge('text', limits.maxText);
  const delimiter = delimiterOf(text.slice(0, 64 * 1024), true) ?? ',';
  const rows: string[][] = parse(text, {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    bom: true,
  });
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns === 0) throw unreadable('empty');
  // One long row would make every other one as long: what the marks alone take is told before they are made.
  if (columns * rows.length * 3 > limits.maxText) throw tooLarge('text', limits.maxText);
  const head = Array.from({ length: columns }, (_, index) => rows[0]![index] ?? '');
  const table = createTable(head, limits.maxText);
  for (const row of rows.slice(1)) {
    if (!table.add(row)) throw tooLarge('text', limits.maxText);
  }
  return { text: table.text() };
}
