/**
 * A Markdown table built row by row, limited in size.
 * @param maxText UTF-16 units of the whole table.
 */
export function createTable(head: readonly string[], maxText: number) {
  const lines = [row(head), `|${' --- |'.repeat(head.length)}`];
  let length = lines[0]!.length + lines[1]!.length;
  return {
    /** Returns false if it no longer fits. `mark` is written before the row. */
    add(cells: readonly string[], mark: string = ''): boolean {
      const line = row(head.map((_, index) => cells[index] ?? ''));
      length += line.length + 1;
      if (length > maxText) return false;
      lines.push(mark + line);
      return true;
    },
    text: (): string => lines.join('\n'),
  };
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(toCell).join(' | ')} |`;
}

/** A single line with escaped cell separators. */
export function toCell(value: string): string {
  return value.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}
