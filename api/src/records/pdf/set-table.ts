import type { Tokens } from 'marked';
import { breakLines, type Line } from './break-lines.ts';
import { baselineOf, type Piece, type Setting } from './flow.ts';
import { look, page, type RichText, type } from './rich-text.ts';
import { setInline } from './set-inline.ts';

const padX = 5;
const padY = 3;
/** Minimum column width in points; with many columns it is two characters. */
const minColumnWidth = 36;
const minWidth = 2 * padX + 2 * type.table.size;
/** Rows of up to this many lines are never split across pages. */
const shortRow = 12;

interface Cell {
  rich: RichText;
  lines: Line[];
}

/** Long rows continue on the next page below the header. null if there are more columns than fit. */
export function setTable({ header, rows, align }: Tokens.Table, setting: Setting): Piece[] | null {
  const { clean } = setting;
  if (header.length * minWidth > setting.width) return null;
  const head = header.map((cell) => setInline(cell.tokens, clean, look('ink', { isBold: true })));
  const body = rows.map((row) => row.map((cell) => setInline(cell.tokens, clean, look('ink'))));
  const widths = columnWidths([head, ...body], setting);
  const shape = { widths, align, setting };
  const headPieces = setRow(head, { ...shape, isHead: true });
  const pieces = [...headPieces];
  for (const row of body) {
    for (const piece of setRow(row, { ...shape, isHead: false })) pieces.push({ ...piece, head: headPieces });
  }
  return pieces;
}

/** Widths according to the content; if the total is too large, the widest columns are reduced first. */
function columnWidths(rows: RichText[][], { face, width }: Setting): number[] {
  const count = rows[0]?.length ?? 0;
  const natural = Array.from({ length: count }, (_, column) => {
    let widest = 0;
    for (const row of rows) {
      for (const line of (row[column]?.text ?? '').split('\n')) widest = Math.max(widest, face.width(line));
    }
    return Math.max(16, (widest * type.table.size) / 1000 + 1) + 2 * padX;
  });
  const total = natural.reduce((sum, one) => sum + one, 0);
  if (total <= width) return natural;
  const minimum = Math.min(minColumnWidth, width / count);
  let low = minimum;
  let high = width;
  // Finds the maximum column width with which all columns fit.
  for (let round = 0; round < 30; round += 1) {
    const middle = (low + high) / 2;
    if (natural.reduce((sum, one) => sum + Math.min(one, middle), 0) > width) high = middle;
    else low = middle;
  }
  const fair = natural.map((one) => Math.min(one, low));
  const rest = width - fair.reduce((sum, one) => sum + one, 0);
  return fair.map((one) => one + rest / count);
}

interface RowShape {
  widths: number[];
  align: Tokens.Table['align'];
  setting: Setting;
  isHead: boolean;
}

/** One piece per line of the highest cell; the first and the last include the padding. */
function setRow(row: RichText[], { widths, align, setting, isHead }: RowShape): Piece[] {
  const { canvas, face, indent, backdrops } = setting;
  const cells = row.map((rich, column): Cell => {
    const room = ((widths[column] ?? 0) - 2 * padX) * 1000;
    return { rich, lines: breakLines(rich.text, room / type.table.size, face.advance) };
  });
  const count = Math.max(1, ...cells.map(({ lines }) => lines.length));
  const total = widths.reduce((sum, one) => sum + one, 0);
  const left = page.left + indent;
  return Array.from({ length: count }, (_, index) => {
    const isFirst = index === 0;
    const isLast = index === count - 1;
    const height = type.table.leading + (isFirst ? padY : 0) + (isLast ? padY : 0);
    return {
      height,
      isKept: isHead || (!isLast && count <= shortRow),
      draw(y) {
        for (const backdrop of backdrops) backdrop(y, height);
        if (isHead) canvas.rect(left, y, total, height, 'sheet2');
        if (isHead && isFirst) canvas.rect(left, y, total, 0.6, 'line2');
        let x = left;
        for (const [column, { rich, lines }] of cells.entries()) {
          const width = widths[column]!;
          const line = lines[index];
          if (line) {
            const taken = (face.width(rich.text.slice(line.start, line.end)) * type.table.size) / 1000;
            const free = width - 2 * padX - taken;
            const shift = align[column] === 'right' ? free : align[column] === 'center' ? free / 2 : 0;
            const baseline = y + (isFirst ? padY : 0) + baselineOf(type.table);
            canvas.line(rich, line, x + padX + shift, baseline, type.table.size);
          }
          canvas.rect(x, y, 0.6, height, 'line2');
          x += width;
        }
        canvas.rect(x, y, 0.6, height, 'line2');
        if (isLast) canvas.rect(left, y + height - 0.6, total + 0.6, 0.6, 'line2');
      },
    };
  });
}
