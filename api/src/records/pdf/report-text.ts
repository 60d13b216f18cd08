import { breakLines } from './break-lines.ts';
import type { Canvas } from './canvas.ts';
import { cleanText, missingMark } from './clean-text.ts';
import type { EmbeddedFont } from './embedded-font.ts';
import { type Piece, type Setting, setText } from './flow.ts';
import {
  bodyWidth,
  createRichText,
  type Ink,
  type Look,
  look,
  type RichText,
  type TypeSize,
} from './rich-text.ts';

export type ReportText = ReturnType<typeof createReportText>;

/** Text functions shared by all parts of a report. */
export function createReportText(canvas: Canvas, face: EmbeddedFont) {
  let isMissing = false;
  const marks = (text: string) => text.split(missingMark).length;
  const clean = (text: string) => {
    const cleaned = cleanText(text, face.covers);
    if (!isMissing && cleaned !== text) isMissing = marks(cleaned) > marks(text);
    return cleaned;
  };
  const widthOf = (text: string, size: number) => (face.width(text) * size) / 1000;
  /** The whole width of a page. */
  const setting: Setting = { canvas, face, clean, indent: 0, width: bodyWidth, backdrops: [] };

  /** A cleaned text in one style. */
  function plain(text: string, style: Look): RichText {
    const builder = createRichText(clean);
    builder.add(text, style);
    return builder.build();
  }

  return {
    canvas,
    face,
    clean,
    hasMissed: () => isMissing,
    plain,
    setting,
    /** Lays out a text in one style across the page. `isKept` as in `setText`. */
    set(
      text: string,
      ink: Ink,
      type: TypeSize,
      { isBold = false, isKept = false }: { isBold?: boolean; isKept?: boolean } = {},
    ): Piece[] {
      return setText(plain(text, look(ink, { isBold })), setting, type, isKept);
    },
    /** Draws a single line, truncated with … if too long. Returns its width. */
    fit(
      text: string,
      x: number,
      y: number,
      room: number,
      { size, ink, isBold }: { size: number; ink: Ink; isBold?: boolean },
    ): number {
      const whole = clean(text).replaceAll('\n', ' ');
      const shown = widthOf(whole, size) <= room ? whole : shortened(whole, room, size);
      canvas.text(shown, x, y, size, ink, isBold);
      return widthOf(shown, size);
    },
    /** In points. */
    widthOf,
  };

  function shortened(text: string, room: number, size: number): string {
    const width = ((room - widthOf('…', size)) * 1000) / size;
    const [line = { start: 0, end: 0 }] = breakLines(text.slice(0, 1000), Math.max(width, 0), face.advance);
    return `${text.slice(line.start, line.end)}…`;
  }
}

/** A mobile number in groups, 138 0013 8000; any other id unchanged. */
export function spacedId(id: string): string {
  return /^1\d{10}$/.test(id) ? `${id.slice(0, 3)} ${id.slice(3, 7)} ${id.slice(7)}` : id;
}
