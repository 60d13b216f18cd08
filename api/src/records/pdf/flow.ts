import { page } from './theme.ts';

/** A part of a page that is never split: a line of text or of a table, an image. Heights are in points. */
export interface Piece {
  height: number;
  /** Whether it must be on the same page as the next piece. */
  isKept?: boolean;
  /** White space: omitted at the top of a page. */
  isSpace?: boolean;
  /** Repeated at the top of a page that starts with this piece: the header of a table. */
  head?: readonly Piece[];
  draw?(y: number): void;
  /** Called when its position is known; `y` is its upper edge. */
  onPlaced?(pageNumber: number, y: number): void;
}

const top = page.top;
const bottom = page.height - page.bottom;

/** Maximum height of pieces that are kept together, as a fraction of the page; longer ones may be split. */
const maxChainHeight = (bottom - top) * 0.6;

/**
 * Fills pages from top to bottom.
 * @param addPage Adds a page and returns its number.
 */
export function createFlow(addPage: () => number) {
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
    add(piece: Piece): void {
      chain.push(piece);
      chainHeight += piece.height;
      if (!piece.isKept || chainHeight > maxChainHeight) placeChain();
    },
    /** Starts a new page with the next piece. */
    breakPage(): void {
      placeChain();
      y = bottom;
      if (pageNumber > 0) nextPage();
    },
    /** Places the remaining pieces. */
    end: placeChain,
  };
}
