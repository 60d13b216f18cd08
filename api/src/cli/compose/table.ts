import { oneLine } from './plain-text.ts';

/** Characters that are two columns wide in East Asian terminals. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Width of `text` in terminal columns. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

/**
 * Aligns rows in columns separated by two spaces. The last column is not padded; the columns in `right` are
 * right-aligned.
 */
export function alignColumns(cells: readonly (readonly string[])[], right: readonly number[] = []): string {
  const rows = cells.map((row) => row.map(oneLine));
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  return rows
    .map((row) =>
      row
        .map((cell, column) => pad(cell, column))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');

  function pad(cell: string, column: number): string {
    const space = ' '.repeat((widths[column] ?? 0) - widthOf(cell));
    return right.includes(column) ? space + cell : cell + space;
  }
}

/** Indents every line of `text`. */
export function indent(text: string, by = 2): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}
