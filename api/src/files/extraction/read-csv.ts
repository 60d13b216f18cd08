import { parse } from 'csv-parse/sync';
import { declaredDelimiter, delimiterOf } from './delimiter-of.ts';
import type { FileToRead, ReadFile } from './file-to-read.ts';
import { tooLarge, unreadable } from './file-to-read.ts';
import { placeMark } from './place-marks.ts';
import { tableOf } from './table-rows.ts';

/** Reads a table with the first row as header. Longer rows add columns without names. */
export function readCsv({ text: content, limits }: FileToRead): ReadFile {
  const text = content.slice(declaredDelimiter(content.slice(0, 20))?.length ?? 0);
  // Quotes, delimiters and spaces only add to the text.
  if (text.length > limits.maxText) throw tooLarge('text', limits.maxText);
  const delimiter = delimiterOf(content.slice(0, 64 * 1024), true) ?? ',';
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
  // One long row would pad all others: the size of the delimiters alone is checked in advance.
  if (columns * rows.length * 3 > limits.maxText) throw tooLarge('text', limits.maxText);
  return { text: `${placeMark({ row: text === content ? 1 : 2 })}${tableOf(rows, limits.maxText)}` };
}
