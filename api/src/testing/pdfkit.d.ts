/** Only the part needed for sample files. */
declare module 'pdfkit' {
  interface Options {
    size?: string | [number, number];
    compress?: boolean;
    info?: { Title?: string };
    userPassword?: string;
    ownerPassword?: string;
  }

  class PDFDocument {
    constructor(options?: Options);
    on(event: 'data', listener: (chunk: Buffer) => void): this;
    on(event: 'end', listener: () => void): this;
    font(path: string): this;
    fontSize(size: number): this;
    text(text: string, x?: number, y?: number, options?: { lineBreak?: boolean }): this;
    moveDown(lines?: number): this;
    list(items: readonly string[]): this;
    image(image: Buffer, x: number, y: number, options: { width: number }): this;
    /** Attaches a file. */
    file(content: Buffer, options: { name: string }): this;
    addPage(): this;
    end(): void;
  }

  export default PDFDocument;
}
