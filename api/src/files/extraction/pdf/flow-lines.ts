import { sectionNumber } from '../../../text/section-number.ts';
import { placeMark } from '../place-marks.ts';
import { rowsText } from '../table-rows.ts';
import { numberedLevels } from '../text-headings.ts';
import { inColumns } from './pdf-columns.ts';
import { type Cell, type Line, wide } from './pdf-lines.ts';
import {
  areColumnNames,
  mayBeginTable,
  type PdfTable,
  type TableAt,
  wrappedTableAt,
} from './wrapped-tables.ts';

interface Body {
  /** Font size of most of the text. */
  size: number;
  /** Font sizes of headings, largest first. */
  headings: number[];
  /** Line distance within a paragraph, relative to the font size. */
  leading: number;
}

const bullet = /^[•·●○▪■◦‣◆➢✓]\s*(?=\S)/;
const numbered =
  /^(?:\d{1,3}[.)、．](?=\s*[^\s\d])|[（(][\d一二三四五六七八九十]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)/;
/** A caption of a figure or table, and a label before its value, at the start of a line. */
const caption = /^(?:附?[图表]|(?:Figure|Fig\.|Table|Tab\.)\s)\s?\d/;
const label = /^(?:[\p{Script=Han}（）]{1,10}|\p{Lu}[\p{L} -]{1,24})\s?[：:](?!\/)/u;
const dividedWord = /\p{Ll}[-\u2010\u00ad]$/u;
const sentenceEnd = /[.!?。！？：:；;]["'”’」』）)]*$/;

/** Markdown with a mark at the start of every page. A paragraph may continue on the next one. */
export function flowLines(given: readonly Line[][]): string {
  const pages = given.map(inColumns);
  const body = measure(pages);
  const blocks: string[] = [];
  /** Parts of the current block: appending to one string would copy it for every line. */
  let block: string[] = [];
  /** Marks before blocks, by index. */
  const marks = new Map<number, string>();
  let last: Line | null = null;
  let level = 0;
  let table: PdfTable | null = null;
  let tablePage = -1;
  const end = () => {
    if (block.length > 0) blocks.push(`${'#'.repeat(level)}${level > 0 ? ' ' : ''}${block.join('')}`);
    block = [];
  };
  for (const [page, lines] of pages.entries()) {
    const mark = placeMark({ page: page + 1 });
    const right = Math.max(0, ...lines.filter(isRunning).map((line) => line.right));
    const head = Math.min(...lines.filter(isRunning).map(({ y }) => y));
    let isFirst = true;
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at]!;
      const mayBegin = !line.isBlock && !last?.isRow && mayBeginTable(lines, at);
      const found: TableAt | null = mayBegin ? tableAt(lines, at, table) : null;
      if (found) {
        end();
        if (isFirst) marks.set(blocks.length, mark);
        blocks.push(found.markdown);
        ({ table } = found);
        tablePage = page;
        block = [];
        level = 0;
        last = null;
        isFirst = false;
        at = found.next - 1;
        continue;
      }
      if (line.isBlock) {
        end();
        if (isFirst) marks.set(blocks.length, mark);
        blocks.push(line.text);
        level = 0;
        last = null;
        isFirst = false;
        continue;
      }
      const now = levelOf(line, body);
      // A line at the bottom that was drawn first, such as a footer, does not continue the page before.
      const isPageStart: boolean = isFirst && line.y < head + line.size * 2;
      if (
        last &&
        now === level &&
        continues(last, line, { body, right, isFirst, isPageStart, level, start: block[0]! })
      ) {
        append(block, line, last);
        if (isFirst) block.splice(-1, 0, mark);
      } else {
        end();
        if (isFirst) marks.set(blocks.length, mark);
        block = [line.text.replace(bullet, '- ')];
        // A table continues on the next page, not below a text.
        if (page === tablePage) table = null;
      }
      level = now;
      last = line;
      isFirst = false;
    }
  }
  end();
  for (const [index, depth] of numberedLevels(blocks).entries())
    if (depth > 0) blocks[index] = `${'#'.repeat(depth)} ${blocks[index]}`;
  return blocks
    .map((part, index) => gapBefore(part, blocks[index - 1]) + (marks.get(index) ?? '') + part)
    .join('');
}

/** List items are on consecutive lines. */
function gapBefore(part: string, before: string | undefined): string {
  if (before === undefined) return '';
  return part.startsWith('- ') && before.startsWith('- ') ? '\n' : '\n\n';
}

function measure(pages: readonly Line[][]): Body {
  const sizes = new Map<number, number>();
  const leadings = new Map<number, number>();
  for (const lines of pages) {
    for (const [index, line] of lines.filter(({ isBlock }) => !isBlock).entries()) {
      const size = rounded(line.size);
      sizes.set(size, (sizes.get(size) ?? 0) + line.text.length);
      const before = lines[index - 1];
      const leading = before ? Math.round(((line.y - before.y) / line.size) * 10) / 10 : 0;
      if (leading > 0.9 && leading < 2.5) leadings.set(leading, (leadings.get(leading) ?? 0) + 1);
    }
  }
  const size = mode(sizes) ?? 10;
  const headings = [...sizes.keys()].filter((one) => one >= size * 1.14).sort((a, b) => b - a);
  // Many different sizes indicate a poster or form without an outline.
  return { size, headings: headings.length > 8 ? [] : headings, leading: mode(leadings) ?? 1.3 };
}

function isRunning({ isRow, isBlock }: Line): boolean {
  return !isRow && !isBlock;
}

function mode(counts: ReadonlyMap<number, number>): number | undefined {
  return [...counts].reduce<[number, number] | undefined>(
    (most, one) => (most === undefined || one[1] > most[1] ? one : most),
    undefined,
  )?.[0];
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2;
}

/** 0 if it is not a heading. */
function levelOf(line: Line, { headings }: Body): number {
  if (line.isRow || line.text.length > 120 || /[。；;，,]$/.test(line.text)) return 0;
  if (!/[\p{L}]/u.test(line.text)) return 0;
  return Math.min(headings.indexOf(rounded(line.size)) + 1, 4);
}

function continues(
  last: Line,
  line: Line,
  {
    body,
    right,
    isFirst,
    isPageStart,
    level,
    start,
  }: { body: Body; right: number; isFirst: boolean; isPageStart: boolean; level: number; start: string },
): boolean {
  if (last.isRow || line.isRow) return last.isRow && line.isRow && !isFirst;
  if (last.hasField || line.hasField) return false;
  if (bullet.test(line.text) || numbered.test(line.text)) return false;
  if ((sectionNumber.test(line.text) || caption.test(line.text)) && sentenceEnd.test(last.text)) return false;
  if (label.test(line.text) && label.test(start)) return false;
  if (rounded(last.size) !== rounded(line.size)) return Math.abs(last.y - line.y) < body.size * 0.5;
  const isFull =
    dividedWord.test(last.text) ||
    last.right > (last.edge ?? right) - line.size * (wide.test(last.text) ? 2.5 : 8);
  const goesOn = level === 0 && !sentenceEnd.test(last.text);
  if (isFirst) return isPageStart && goesOn && isFull;
  const leading = (line.y - last.y) / line.size;
  // The next column starts further up, to the right.
  if (leading < -2 && line.edge !== undefined && line.x > last.right) return goesOn && isFull;
  if (leading > Math.max(body.leading * 1.25, level > 0 ? 1.8 : 0) || leading < -0.5) return false;
  if (level > 0) return true;
  // A short line ends its paragraph; an indented one starts a new one.
  const isSetIn = line.x - last.x > line.size * 0.9 && !bullet.test(last.text) && !numbered.test(last.text);
  return isFull && !(isSetIn && sentenceEnd.test(last.text));
}

/** Appends a line to a block: hyphenated words are joined, Chinese continues without a space. */
function append(block: string[], line: Line, last: Line): void {
  const end = last.text.slice(-2);
  const start = line.text[0]!;
  if (last.isRow && line.isRow) block.push('\n', line.text);
  else if (dividedWord.test(end) && /\p{Ll}/u.test(start)) {
    block.push(block.pop()!.slice(0, -1), line.text);
  } else if (wide.test(end.at(-1)!) || wide.test(start)) block.push(line.text);
  else block.push(' ', line.text);
}

const minRows = 2;
/** Maximum distance of a cell from its column, in multiples of the font size. */
const maxDistance = 4;

/**
 * The table whose header is the line at `from`, or that continues `before` there, for example on the next
 * page: each cell in the column above it. null if the lines are no table.
 */
function tableAt(lines: readonly Line[], from: number, before: PdfTable | null): TableAt | null {
  const plain = plainTableAt(lines, from, before);
  const wrapped = wrappedTableAt(lines, from, before);
  return wrapped && wrapped.next > (plain?.next ?? from) ? wrapped : plain;
}

/** The same with every row on one line. */
function plainTableAt(lines: readonly Line[], from: number, before: PdfTable | null): TableAt | null {
  const first = lines[from]!;
  const isSame = before !== null && first.cells.map(({ text }) => text).join('\n') === before.head.join('\n');
  const isContinued = before !== null && (isSame || rowOf(first, before.columns) !== null);
  if (!isContinued && !isHead(first)) return null;
  const table: PdfTable = isContinued
    ? { columns: before.columns.map((column) => ({ ...column })), head: before.head }
    : {
        columns: first.cells.map(({ x, right }) => ({ x, right })),
        head: first.cells.map(({ text }) => text),
      };
  const rows: string[][] = [];
  let next = isContinued && !isSame ? from : from + 1;
  let count = 0;
  for (; next < lines.length && lines[next]!.isRow; next += 1, count += 1) {
    const row = rowOf(lines[next]!, table.columns);
    if (row === null) break;
    rows.push(row.cells);
    table.columns = row.columns;
  }
  if (count < (isContinued ? 1 : minRows)) return null;
  return { markdown: rowsText(table.head, rows), next, table };
}

function isHead({ cells }: Line): boolean {
  return cells.length > 1 && areColumnNames(cells.map(({ text }) => text));
}

/** Assigns the cells of a line to columns, which may become wider; null if they do not fit. */
function rowOf(line: Line, columns: PdfTable['columns']) {
  if (line.cells.length < 2 || line.cells.length > columns.length) return null;
  const cells = columns.map(() => '');
  const widened = columns.map((column) => ({ ...column }));
  for (const cell of line.cells) {
    const at = columnOf(cell, columns, line.size);
    if (at < 0 || cells[at] !== '') return null;
    cells[at] = cell.text;
    widened[at] = { x: Math.min(columns[at]!.x, cell.x), right: Math.max(columns[at]!.right, cell.right) };
  }
  return { cells, columns: widened };
}

function columnOf(cell: Cell, columns: PdfTable['columns'], size: number): number {
  // A negative distance is an overlap.
  const distances = columns.map(({ x, right }) => Math.max(x - cell.right, cell.x - right));
  const nearest = Math.min(...distances);
  return nearest > size * maxDistance ? -1 : distances.indexOf(nearest);
}
