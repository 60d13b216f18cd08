import { page } from './theme.ts';

/** A piece of a page that is never cut: a line of a text, of a table, a picture. Heights are points. */
export interface Piece {
  height: number;
  /** Not to be parted from the next piece by the end of a page. */
  isKept?: boolean;
  /** White space: left away at the top of a page. */
  isSpace?: boolean;
  /** Repeated on top of a page that begins with this piece: the head of a table. */
  head?: readonly Piece[];
  draw?(y: number): void;
  /** Called when its place is known; `y` is its upper edge. */
  onPlaced?(pageNumber: number, y: number): void;
}

/** Fills pages from the top down. */
export interface Flow {
  add(piece: Piece): void;
  /** What is added next begins a page. */
  breakPage(): void;
  /** Places what is still kept back. */
  end(): void;
}

const top = page.top;
const bottom = page.height - page.bottom;
/** Pieces that are kept together take this share of a page at most: then they may be parted after all. */
const longestChain = (bottom - top) * 0.6;

/** @param addPage Begins a page and tells its number. */
export function createFlow(addPage: () => number): Flow {
  let pageNumber = 0;
  let y = bottom;
  let chain: Piece[] = [];
  let chainHeight = 0;

  function nextPage(): void {
    pageNumber = addPage();
    y = top;
  }
  function place(piece: Piece): void {
    if (piece.isSpace && y <= top) return;
    if (y + piece.height > bottom && y > top) {
      nextPage();
      if (piece.isSpace) return;
      for (const repeated of piece.head ?? []) put(repeated);
    }
    put(piece);
  }
  function put(piece: Piece): void {
    piece.onPlaced?.(pageNumber, y);
    piece.draw?.(y);
    y += piece.height;
  }
  function placeChain(): void {
    if (chain.length === 0) return;
    if (pageNumber === 0) nextPage();
    if (y + chainHeight > bottom && y > top && chainHeight <= bottom - top) {
      nextPage();
      const first = chain.find(({ isSpace }) => !isSpace);
      for (const repeated of first?.head ?? []) put(repeated);
    }
    for (const piece of chain) place(piece);
    chain = [];
    chainHeight = 0;
  }

  return {
    add(piece) {
      chain.push(piece);
      chainHeight += piece.height;
      if (!piece.isKept || chainHeight > longestChain) placeChain();
    },
    breakPage() {
      placeChain();
      y = bottom;
      if (pageNumber > 0) nextPage();
    },
    end: placeChain,
  };
}
