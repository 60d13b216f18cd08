import { type Block, eachBlock, type Span } from './structure.ts';

/** A passage as cut from a document: `start` and `end` are UTF-16 units of the document's text. */
export interface CutPassage extends Span {
  /** Headings from the outermost to the one right above. */
  headings: string[];
  /** Start of the nearest heading in the document, -1 above the first. */
  section: number;
  /** The head row of the table that the passage begins in the middle of, else ''. */
  tableHead: string;
}

interface Piece extends Span {
  kind: Block['kind'];
  tableHead: string;
}

const longest = 900;
const longestOverlap = 160;

/**
 * Cuts a document into passages of at most about 900 units: at headings first, then between sentences, list items and table rows.
 * Where a section has to be cut, the next passage begins with the sentence or item before it, so that no pair of neighbours is
 * torn apart. One by one, as the text is read. O(n).
 */
export function* eachPassage(text: string): Generator<CutPassage> {
  const headings: string[] = [];
  let section = -1;
  let pieces: Piece[] = [];
  const finish = function* (): Generator<CutPassage> {
    for (const cut of cutSection(pieces)) yield { ...cut, headings: headings.filter(Boolean), section };
    pieces = [];
  };
  for (const block of eachBlock(text)) {
    if (block.kind !== 'heading') {
      for (const piece of piecesOf(text, block)) pieces.push(piece);
      if (pieces.length > maxWaiting) {
        const cuts = cutSection(pieces);
        const open = cuts.pop()!;
        for (const cut of cuts) yield { ...cut, headings: headings.filter(Boolean), section };
        pieces = pieces.filter(({ start }) => start >= open.start);
      }
      continue;
    }
    yield* finish();
    headings.length = Math.min(headings.length, block.level - 1);
    headings[block.level - 1] = text.slice(block.contentStart, block.end).trim();
    section = block.start;
  }
  yield* finish();
}

/** A long section is cut as it is read, so that other work gets its turn. */
const maxWaiting = 400;

function piecesOf(text: string, block: Block): Piece[] {
  const piece = (span: Span, tableHead = ''): Piece => ({
    kind: block.kind,
    start: span.start,
    end: span.end,
    tableHead,
  });
  if (block.kind === 'paragraph') return block.sentences.map((sentence) => piece(sentence));
  if (block.kind === 'list') return block.items.map((item) => piece(item));
  if (block.kind !== 'table' || block.rows.length === 0) return [piece(block)];
  const head = block.head ? text.slice(block.head.start, block.head.end) : '';
  const [first, ...others] = block.rows;
  return [piece({ start: block.start, end: first!.end }), ...others.map((row) => piece(row, head))];
}

function cutSection(pieces: readonly Piece[]): Array<Span & { tableHead: string }> {
  const cuts: Array<Span & { tableHead: string }> = [];
  let first = 0;
  for (let next = 1; next <= pieces.length; next += 1) {
    const isFull = next === pieces.length || pieces[next]!.end - pieces[first]!.start > longest;
    if (!isFull) continue;
    const from = pieces[first]!;
    cuts.push({ start: from.start, end: pieces[next - 1]!.end, tableHead: from.tableHead });
    first = next < pieces.length && overlaps(pieces, first, next) ? next - 1 : next;
  }
  return cuts;
}

/** Whether the next passage may begin with the last piece of this one: small, not a table's row, and not all of it. */
function overlaps(pieces: readonly Piece[], first: number, next: number): boolean {
  const last = pieces[next - 1]!;
  const size = last.end - last.start;
  const joined = pieces[next]!.end - last.start;
  return next - 1 > first && last.kind !== 'table' && size <= longestOverlap && joined <= longest;
}
