import { type DomElement, isElement } from './dom-nodes.ts';
import { createTable } from './table-rows.ts';

/** Maximum number of columns a cell may span. */
const widest = 50;
const maxCells = 400_000;

/** The rows of an HTML table as Markdown; null for a layout table or a single column. */
export function tableOf(table: DomElement): string | null {
  if (table.getAttribute('role') === 'presentation') return null;
  if (table.querySelector('table, h1, h2, h3, h4, pre, td p + p + p, td li + li + li + li + li')) return null;
  const rows = withoutEmptyColumns(rowsOf(table));
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns < 2 || columns * rows.length > maxCells) return null;
  // A single cell across the whole table is a heading or a frame, not a row.
  if (rows.every((row) => row.every((cell) => cell === row[0]))) return null;
  const head = Array.from({ length: columns }, (_, index) => rows[0]![index] ?? '');
  const lines = createTable(head, Number.POSITIVE_INFINITY);
  for (const row of rows.slice(1)) lines.add(row);
  return lines.text();
}

/** Removes columns that only contain an image or nothing. */
function withoutEmptyColumns(rows: readonly string[][]): string[][] {
  const used = new Set(rows.flatMap((row) => row.flatMap((cell, column) => (cell === '' ? [] : [column]))));
  return rows.map((row) => row.filter((_, column) => used.has(column)));
}

function rowsOf(table: DomElement): string[][] {
  const rows: string[][] = [];
  /** Cells that span rows, by column. */
  const reaching = new Map<number, { text: string; left: number }>();
  for (const row of elementsOf(table, /^(?:THEAD|TBODY|TFOOT)$/, 'TR')) {
    const cells: string[] = [];
    const fill = () => {
      for (let at = reaching.get(cells.length); at; at = reaching.get(cells.length)) {
        at.left -= 1;
        if (at.left === 0) reaching.delete(cells.length);
        cells.push(at.text);
      }
    };
    for (const cell of [...Array.from(row.children)].filter(({ nodeName }) => /^T[DH]$/.test(nodeName))) {
      fill();
      const text = cell.textContent.replace(/\s+/g, ' ').trim();
      const down = spanOf(cell, 'rowspan');
      for (let across = spanOf(cell, 'colspan'); across > 0; across -= 1) {
        if (down > 1) reaching.set(cells.length, { text, left: down - 1 });
        cells.push(text);
      }
    }
    fill();
    if (cells.some((cell) => cell !== '')) rows.push(cells);
  }
  return rows;
}

function elementsOf(root: DomElement, through: RegExp, name: string): DomElement[] {
  return Array.from(root.children).flatMap((child) => {
    if (child.nodeName === name) return [child];
    return isElement(child) && through.test(child.nodeName) ? elementsOf(child, /^$/, name) : [];
  });
}

function spanOf(cell: DomElement, name: string): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return span >= 1 ? Math.min(span, widest) : 1;
}
