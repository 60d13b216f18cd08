import { declaredDelimiter, delimiterOf, parseRows } from './delimiter-of.ts';
import { type FileToRead, type ReadFile, tooLarge, unreadable } from './file-to-read.ts';
import { placeMark } from './place-marks.ts';
import { tableOf } from './table-rows.ts';

/** Reads a table with the first row as header. Longer rows add columns without names. */
export function readCsv({ text: content, limits }: FileToRead): ReadFile {
  const text = content.slice(declaredDelimiter(content.slice(0, 20))?.length ?? 0);
  // Quotes, delimiters and spaces only add to the text.
  if (text.length > limits.maxText) throw tooLarge('text', limits.maxText);
  const rows = parseRows(text, delimiterOf(content.slice(0, 64 * 1024), true) ?? ',');
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns === 0) throw unreadable('empty');
  // One long row would pad all others: the size of the delimiters alone is checked in advance.
  if (columns * rows.length * 3 > limits.maxText) throw tooLarge('text', limits.maxText);
  return { text: `${placeMark({ row: text === content ? 1 : 2 })}${tableOf(rows, limits.maxText)}` };
}
