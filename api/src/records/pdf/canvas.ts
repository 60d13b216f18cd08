import type { jsPDF } from 'jspdf';
import type { Line } from './break-lines.ts';
import type { EmbeddedFont } from './embedded-font.ts';
import { type Ink, ink, page, type RichText } from './rich-text.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Outline of bold glyphs, by font size: a second weight would double the file size. */
const boldness = 0.026;

export type Canvas = ReturnType<typeof createCanvas>;

/**
 * Draws on the current page of a document. `x` and `y` are points from the left and the top; `y` is the
 * baseline of text.
 * Writes content streams directly. jsPDF's own `text()` searches lists that grow with the text for every
 * character, so its time is quadratic in the size of the document.
 */
export function createCanvas(doc: jsPDF, face: EmbeddedFont) {
  const { out } = doc.internal as unknown as { out(operators: string): void };

  function run(text: string, color: Ink, isBold: boolean, size: number): string {
    const shown = `(${face.encode(text)}) Tj`;
    if (!isBold) return `${ink[color]} rg ${shown}`;
    return `${ink[color]} rg ${ink[color]} RG 2 Tr ${number(size * boldness)} w ${shown} 0 Tr`;
  }
  const at = (x: number, y: number, size: number) =>
    `/${face.key} ${number(size)} Tf 1 0 0 1 ${number(x)} ${number(page.height - y)} Tm`;

  const canvas = {
    text(text: string, x: number, y: number, size: number, color: Ink, isBold: boolean = false): void {
      if (text !== '') out(`BT ${at(x, y, size)} ${run(text, color, isBold, size)} ET`);
    },
    /** Draws one line of styled text. */
    line({ text, runs }: RichText, { start, end }: Line, x: number, y: number, size: number): void {
      if (start === end) return;
      let operators = `BT ${at(x, y, size)}`;
      let from = start;
      let reached = x;
      for (const { end: runEnd, look } of runs) {
        if (runEnd <= from) continue;
        const to = Math.min(runEnd, end);
        const part = text.slice(from, to);
        if (look.isTinted) {
          const width = (face.width(part) * size) / 1000;
          canvas.rect(reached - 1.5, y - size * 0.96, width + 3, size * 1.3, 'sheet3');
        }
        reached += (face.width(part) * size) / 1000;
        operators += ` ${run(part, look.ink, look.isBold, size)}`;
        from = to;
        if (from >= end) break;
      }
      out(`${operators} ET`);
    },
    rect(x: number, y: number, width: number, height: number, color: Ink): void {
      const box = [x, page.height - y - height, width, height].map(number).join(' ');
      out(`${ink[color]} rg ${box} re f`);
    },
    /** Draws an image that jsPDF can read; the same `alias` is stored once. */
    picture(bytes: Uint8Array, format: 'JPEG' | 'PNG', alias: string, { x, y, width, height }: Box): void {
      doc.addImage(bytes, format, x, y, width, height, alias, 'FAST');
    },
  };
  return canvas;
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
