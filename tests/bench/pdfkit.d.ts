/** Types for the part of pdfkit that the benchmark uses, since it has none. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream';

  interface TextOptions {
    lineGap?: number;
    lineBreak?: boolean;
    align?: 'left' | 'right';
    width?: number;
  }
  export default class PDFDocument extends Readable {
    constructor(options: {
      size: string;
      margin: number;
      bufferPages: boolean;
      info: Record<string, string>;
    });
    font(file: string | Uint8Array): this;
    fontSize(size: number): this;
    fillColor(color: string): this;
    text(text: string, options?: TextOptions): this;
    text(text: string, x: number, y: number, options?: TextOptions): this;
    moveDown(lines?: number): this;
    bufferedPageRange(): { start: number; count: number };
    switchToPage(page: number): this;
    end(): void;
  }
}
