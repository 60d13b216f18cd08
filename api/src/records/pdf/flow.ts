import { breakLines } from './break-lines.ts';
import type { Canvas } from './canvas.ts';
import type { EmbeddedFont } from './embedded-font.ts';
import { page, type RichText, type TypeSize } from './rich-text.ts';

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

/** Fills pages from top to bottom. @param addPage returns its number */
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

/** Drawn beside or below every line of a block: the bar of a quotation, the background of code. */
type Backdrop = (y: number, height: number) => void;

export interface Setting {
  canvas: Canvas;
  face: EmbeddedFont;
  /** Returns the printable form of a text, see `cleanText`. */
  clean(text: string): string;
  /** Indentation on both sides, in points. */
  indent: number;
  width: number;
  backdrops: readonly Backdrop[];
}

/** Baseline offset of text within its line. */
export function baselineOf({ size, leading }: TypeSize): number {
  return (leading - size) / 2 + size * 0.88;
}

/**
 * Lays out the lines of a text. A paragraph never leaves only its first or its last line on a page.
 * @param isKept Keeps the whole text on one page with the next piece.
 */
export function setText(rich: RichText, setting: Setting, type: TypeSize, isKept = false): Piece[] {
  const { canvas, face, indent, width, backdrops } = setting;
  const lines = breakLines(rich.text, (width * 1000) / type.size, face.advance);
  const x = page.left + indent;
  const last = lines.length - 1;
  return lines.map((line, index) => ({
    height: type.leading,
    isKept: isKept || (last > 0 && (index === 0 || index === last - 1)),
    draw(y) {
      for (const backdrop of backdrops) backdrop(y, type.leading);
      canvas.line(rich, line, x, y + baselineOf(type), type.size);
    },
  }));
}

/** White space that continues the backdrop of its block. */
export function setSpace(height: number, setting?: Setting, isKept = true): Piece {
  const backdrops = setting?.backdrops ?? [];
  return {
    height,
    isSpace: true,
    isKept,
    draw(y) {
      for (const backdrop of backdrops) backdrop(y, height);
    },
  };
}
