import { breakLines } from './break-lines.ts';
import type { Canvas } from './canvas.ts';
import type { EmbeddedFont } from './embedded-font.ts';
import type { Piece } from './flow.ts';
import type { RichText } from './rich-text.ts';
import { bodyWidth, page, type TypeSize } from './theme.ts';

/** Drawn next to or behind every line of a block: the bar of a quotation, the background of code. */
type Backdrop = (y: number, height: number) => void;

export interface Setting {
  canvas: Canvas;
  face: EmbeddedFont;
  /** Indentation on both sides, in points. */
  indent: number;
  width: number;
  backdrops: readonly Backdrop[];
}

/** The whole width of the page. */
export function wholeWidth({ canvas, face }: Pick<Setting, 'canvas' | 'face'>): Setting {
  return { canvas, face, indent: 0, width: bodyWidth, backdrops: [] };
}

interface TextOptions {
  type: TypeSize;
  /** Keeps the whole text on one page with the next piece. */
  isKept?: boolean;
}

/** Baseline offset of text within its line. */
export function baselineOf({ size, leading }: TypeSize): number {
  return (leading - size) / 2 + size * 0.88;
}

/** Lays out the lines of a text. A paragraph never leaves only its first or its last line on a page. */
export function setText(rich: RichText, setting: Setting, { type, isKept }: TextOptions): Piece[] {
  const { canvas, face, indent, width, backdrops } = setting;
  const lines = breakLines(rich.text, (width * 1000) / type.size, face.advance);
  const x = page.left + indent;
  const last = lines.length - 1;
  return lines.map((line, index) => ({
    height: type.leading,
    isKept: (isKept ?? false) || (index === 0 && last > 0) || (index === last - 1 && last > 0),
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
