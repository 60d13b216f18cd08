import { type Block, eachBlock, type Span } from './structure.ts';

/** A passage of a document; `start` and `end` are UTF-16 units of the document's text. */
export interface CutPassage extends Span {
  /** Headings from the outermost to the nearest one above. */
  headings: string[];
  /** Start of the nearest heading above; -1 if there is none. */
  section: number;
  /** The header row of the table that the passage begins within; '' if it begins within none. */
  tableHead: string;
}

interface Piece extends Span {
  kind: Block['kind'];
  tableHead: string;
}

const maxLength = 900;
const maxOverlap = 160;

/**
 * Cuts a document into passages of at most about 900 units: at headings, then between sentences, list items and table rows. Within a section the
 * next passage repeats the last sentence or item of the one before, so that each pair of neighbours is in one passage. Lazy; O(n).
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
      if (pieces.length > maxPending) {
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

/** Long sections are cut before they are read completely, so that the caller can yield to other work. */
const maxPending = 400;

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
    const isFull = next === pieces.length || pieces[next]!.end - pieces[first]!.start > maxLength;
    if (!isFull) continue;
    const from = pieces[first]!;
    cuts.push({ start: from.start, end: pieces[next - 1]!.end, tableHead: from.tableHead });
    first = next < pieces.length && overlaps(pieces, next) ? next - 1 : next;
  }
  return cuts;
}

/** Whether the next passage may repeat the last piece of this one: a small one, and no table row. The only one of a passage never fits. */
function overlaps(pieces: readonly Piece[], next: number): boolean {
  const last = pieces[next - 1]!;
  const size = last.end - last.start;
  const joined = pieces[next]!.end - last.start;
  return last.kind !== 'table' && size <= maxOverlap && joined <= maxLength;
}
