import { areClauses, type Block, eachBlock, type Span } from './structure.ts';

/** The span of a passage in the text of its document. */
export interface CutPassage extends Span {
  /** The headings above it, from the outermost to the nearest. */
  headings: string[];
  /** Start of the nearest heading above; -1 without one. */
  section: number;
  /** The header row if the passage begins within a table, else ''. */
  tableHead: string;
}

interface Piece extends Span {
  kind: Block['kind'];
  tableHead: string;
  /** Whether a passage begins here: a clause is one of its own. */
  isFirst: boolean;
}

/** Maximum length of a passage of several pieces, and of a repeated piece, in UTF-16 units. */
const maxLength = 900;
const maxOverlap = 160;

/**
 * Cuts a document into passages of about 900 units at most: at headings and before clauses, then between
 * sentences, list items and table rows. Within a section or clause, each passage repeats the last sentence or
 * item of the one before, so that any two neighbours are in one passage. Lazy; O(n).
 */
export function* eachPassage(text: string): Generator<CutPassage> {
  const headings: string[] = [];
  let section = -1;
  let pieces: Piece[] = [];
  const passage = (cut: SectionCut) => ({ ...cut, headings: headings.filter(Boolean), section });
  for (const block of eachBlock(text)) {
    if (block.kind !== 'heading') {
      for (const piece of piecesOf(text, block)) pieces.push(piece);
      if (pieces.length > maxPending) {
        const cuts = cutSection(pieces);
        const open = cuts.pop()!;
        yield* cuts.map(passage);
        pieces = pieces.filter(({ start }) => start >= open.start);
      }
      continue;
    }
    yield* cutSection(pieces).map(passage);
    pieces = [];
    headings.length = Math.min(headings.length, block.level - 1);
    headings[block.level - 1] = text.slice(block.contentStart, block.end).replaceAll('**', '').trim();
    section = block.start;
  }
  yield* cutSection(pieces).map(passage);
}

/** Longer sections are cut before they are read completely, so that the caller can yield. */
const maxPending = 400;

function piecesOf(text: string, block: Block): Piece[] {
  const piece = ({ start, end }: Span, tableHead = '', isFirst = false): Piece => ({
    kind: block.kind,
    start,
    end,
    tableHead,
    isFirst,
  });
  if (block.kind === 'paragraph')
    return block.sentences.map((sentence, at) => piece(sentence, '', block.isClause && at === 0));
  if (block.kind === 'list') {
    const isFirst = areClauses(text, block);
    return block.items.map((item) => piece(item, '', isFirst));
  }
  if (block.kind !== 'table' || block.rows.length === 0) return [piece(block)];
  const head = block.head ? text.slice(block.head.start, block.head.end) : '';
  const [first, ...others] = block.rows;
  return [piece({ start: block.start, end: first!.end }), ...others.map((row) => piece(row, head))];
}

type SectionCut = Pick<CutPassage, 'start' | 'end' | 'tableHead'>;

function cutSection(pieces: readonly Piece[]): SectionCut[] {
  const cuts: SectionCut[] = [];
  let first = 0;
  for (let next = 1; next <= pieces.length; next += 1) {
    const piece = pieces[next];
    const isFull = !piece || piece.isFirst || piece.end - pieces[first]!.start > maxLength;
    if (!isFull) continue;
    const from = pieces[first]!;
    cuts.push({ start: from.start, end: pieces[next - 1]!.end, tableHead: from.tableHead });
    first = piece && !piece.isFirst && overlaps(pieces, next) ? next - 1 : next;
  }
  return cuts;
}

/** Whether the next passage repeats the last piece: a small one that is no table row and fits. */
function overlaps(pieces: readonly Piece[], next: number): boolean {
  const last = pieces[next - 1]!;
  const size = last.end - last.start;
  const joined = pieces[next]!.end - last.start;
  return last.kind !== 'table' && size <= maxOverlap && joined <= maxLength;
}
