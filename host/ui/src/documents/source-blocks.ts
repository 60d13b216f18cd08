/** A range of a document's text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** A block of extracted text, which is simple Markdown: headings, paragraphs, lists, code and tables. */
export type SourceBlock =
  | ({ kind: 'heading'; level: number } & Span)
  | ({ kind: 'text' | 'code' } & Span)
  | { kind: 'table'; rows: SourceRow[] };

/** A row with its cells. The first row of a table has the column names, unless the table starts in an earlier part. */
export interface SourceRow extends Span {
  cells: Span[];
  isHead: boolean;
}

const HEADING = /^(#{1,6}) /;
const DIVIDER = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
const FENCE = /^ {0,3}(?:```|~~~)/;

/** Splits the text of a part that begins at unit `start` of its document. Positions are those of the document. */
export function sourceBlocks(text: string, start: number): SourceBlock[] {
  const blocks: SourceBlock[] = [];
  let isCode = false;
  for (const line of linesOf(text)) {
    const span = { start: start + line.start, end: start + line.end };
    const last = blocks.at(-1);
    const words = text.slice(line.start, line.end);
    if (FENCE.test(words)) {
      isCode = !isCode;
      blocks.push({ kind: 'text', ...span, end: span.start });
    } else if (isCode) {
      if (last?.kind === 'code') last.end = span.end;
      else blocks.push({ kind: 'code', ...span });
    } else if (words.trim() === '') {
      // An empty line ends a paragraph or a table.
      if (last && (last.kind === 'table' || last.end > last.start))
        blocks.push({ kind: 'text', start: span.start, end: span.start });
    } else if (HEADING.test(words)) {
      const mark = HEADING.exec(words)![0];
      blocks.push({
        kind: 'heading',
        level: mark.length - 1,
        start: span.start + mark.length,
        end: span.end,
      });
    } else if (words.startsWith('|')) addRow(blocks, words, span);
    else if (last?.kind === 'text' && last.end > last.start) last.end = span.end;
    else blocks.push({ kind: 'text', ...span });
  }
  return blocks.filter((block) => block.kind === 'table' || block.end > block.start);
}

function addRow(blocks: SourceBlock[], words: string, span: Span): void {
  const last = blocks.at(-1);
  if (DIVIDER.test(words)) {
    if (last?.kind === 'table' && last.rows.length === 1) last.rows[0]!.isHead = true;
    return;
  }
  const row: SourceRow = { ...span, cells: cellsOf(words, span.start), isHead: false };
  if (last?.kind === 'table') last.rows.push(row);
  else blocks.push({ kind: 'table', rows: [row] });
}

/** The cells between the separators of a row, trimmed. A backslash escapes a separator. */
function cellsOf(row: string, start: number): Span[] {
  const borders = [...row.matchAll(/(?<!\\)\|/g)].map(({ index }) => index);
  if (borders.at(-1) !== row.trimEnd().length - 1) borders.push(row.trimEnd().length);
  return borders.slice(1).map((border, index) => {
    const from = borders[index]! + 1;
    const words = row.slice(from, border);
    const before = words.length - words.trimStart().length;
    return { start: start + from + before, end: start + from + before + words.trim().length };
  });
}

function* linesOf(text: string): Generator<Span> {
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield { start, end };
    start = end + 1;
  }
}
