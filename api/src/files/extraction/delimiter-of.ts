import { parse } from 'csv-parse/sync';

export const delimiters = [',', '\t', ';', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** Lines that are looked at. */
const most = 60;

/**
 * What divides the columns of this text: the mark that stands equally often in its lines, most often if several do. null where none does:
 * prose has commas as well, but hardly three lines of as many.
 *
 * @param isNamedTable the name says that it is a table: two lines are enough then.
 */
export function delimiterOf(head: string, isNamedTable: boolean): Delimiter | null {
  const found = delimiters
    .map((delimiter) => ({ delimiter, columns: columnsBy(head, delimiter, isNamedTable) }))
    .filter(({ columns }) => columns >= 2)
    .sort((a, b) => b.columns - a.columns);
  return found[0]?.delimiter ?? null;
}

/** Columns of nearly every row; 0 where rows differ. */
function columnsBy(head: string, delimiter: Delimiter, isNamedTable: boolean): number {
  const rows = sampleRows(head, delimiter);
  if (rows.length < (isNamedTable ? 1 : 3)) return 0;
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  const [columns, often] = [...counts].sort((a, b) => b[1] - a[1])[0]!;
  if (often < rows.length * (isNamedTable ? 0.6 : 0.95)) return 0;
  const isProse = rows.some((row) => row.some((cell) => cell.length > 120 && /[.。] ?\S/.test(cell)));
  const endsAsProse = rows.filter((row) => /[.。!?！？]$/.test(row.at(-1)!)).length > rows.length / 2;
  return !isNamedTable && (isProse || endsAsProse) ? 0 : columns;
}

function sampleRows(head: string, delimiter: Delimiter): string[][] {
  try {
    return parse(head, {
      delimiter,
      to: most,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      bom: true,
    });
  } catch {
    return [];
  }
}
