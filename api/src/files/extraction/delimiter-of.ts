import { parse } from 'csv-parse/sync';

const delimiters = [',', '\t', ';', '|'] as const;
type Delimiter = (typeof delimiters)[number];

/** Number of lines examined. */
const maxLines = 60;

/**
 * The delimiter that occurs equally often in the lines, the most frequent one if there are several. null if
 * there is none: prose contains commas too, but rarely equally many in three lines.
 * @param isNamedTable whether the file name indicates a table: then two lines are enough.
 */
export function delimiterOf(head: string, isNamedTable: boolean): Delimiter | null {
  const declared = declaredDelimiter(head);
  if (declared) return declared.delimiter;
  const found = delimiters
    .map((delimiter) => ({ delimiter, columns: columnsBy(head, delimiter, isNamedTable) }))
    .filter(({ columns }) => columns >= 2)
    .sort((a, b) => b.columns - a.columns);
  return found[0]?.delimiter ?? null;
}

/** The first line `sep=;` with which Excel declares the delimiter, and its length; null without one. */
export function declaredDelimiter(head: string): { delimiter: Delimiter; length: number } | null {
  const found = /^\ufeff?"?sep=(.)"?[ \t]*(?:\r\n?|\n)/i.exec(head);
  const delimiter = delimiters.find((one) => one === found?.[1]);
  return found && delimiter ? { delimiter, length: found[0].length } : null;
}

/** The number of columns of nearly every row; 0 if rows differ. */
function columnsBy(head: string, delimiter: Delimiter, isNamedTable: boolean): number {
  const rows = sampleRows(head, delimiter);
  if (rows.length < (isNamedTable ? 1 : 3)) return 0;
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  const [columns, often] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]!;
  // Rows of a table that is known to be one may have a field more or less.
  const near = rows.filter((row) => Math.abs(row.length - columns) <= 1 && row.length > 1).length;
  const isRagged = isNamedTable && near >= rows.length * 0.8;
  if (!isRagged && often < rows.length * (isNamedTable ? 0.6 : 0.95)) return 0;
  const isProse = rows.some((row) => row.some((cell) => cell.length > 120 && /[.。] ?\S/.test(cell)));
  const endsAsProse = rows.filter((row) => /[.。!?！？]$/.test(row.at(-1)!)).length > rows.length / 2;
  return !isNamedTable && (isProse || endsAsProse) ? 0 : columns;
}

function sampleRows(head: string, delimiter: Delimiter): string[][] {
  try {
    return parseRows(head, delimiter, maxLines);
  } catch {
    return [];
  }
}

/** The first `to` rows of a table, -1 for all of them. @throws Error if it cannot be parsed. */
export function parseRows(text: string, delimiter: Delimiter, to = -1): string[][] {
  return parse(text, {
    delimiter,
    to,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    bom: true,
  });
}
