import type { jsPDF } from 'jspdf';
import type { FontFile } from './font-file.ts';
import { subsetFont } from './subset-font.ts';

/** The structure in which jsPDF stores a font; see its modules ttfsupport and utf8. */
interface FontEntry {
  metadata: {
    subset: { encode(): Uint8Array };
    Unicode: { widths: unknown[] };
    toUnicode: Record<number, number>;
  };
}

const name = 'NotoSansSC';

/** jsPDF numbers its 14 standard fonts first. */
const firstKey = 'F15';

export type EmbeddedFont = ReturnType<typeof createEmbeddedFont>;

/**
 * The font of a document. Characters are numbered in order of first use, so that the embedded font contains
 * only their glyphs and every number stands for one character: selected and searched text is what was
 * written, even if the font draws two characters identically (⼀ and 一, the hyphens).
 */
export function createEmbeddedFont(font: FontFile) {
  const advances = new Uint16Array(0x10000);
  const encoded: (string | undefined)[] = new Array(0x10000);
  const used: number[] = [];
  const glyphs: number[] = [0];
  const covers = (code: number): boolean =>
    code < 0xd800 || code > 0xdfff ? font.glyphOf(code) !== 0 : false;

  function take(code: number): string {
    const glyph = font.glyphOf(code);
    if (glyph === 0) throw new Error(`only covered characters can be written, got U+${code.toString(16)}`);
    used.push(code);
    const number = glyphs.push(glyph) - 1;
    const bytes = escaped(number >> 8) + escaped(number & 0xff);
    encoded[code] = bytes;
    return bytes;
  }
  /** Width of a UTF-16 unit, in thousandths of the font size. */
  function advance(code: number): number {
    const known = advances[code]!;
    if (known > 0) return known;
    const measured = font.advanceOf(font.glyphOf(code));
    advances[code] = measured;
    return measured;
  }

  return {
    /** Its name in content streams. */
    key: firstKey,
    covers,
    advance,
    /** In thousandths of the font size. */
    width(text: string): number {
      let width = 0;
      for (let index = 0; index < text.length; index += 1) width += advance(text.charCodeAt(index));
      return width;
    },
    /** `text` as the content of a literal string in a content stream. Every character must be covered. */
    encode(text: string): string {
      let bytes = '';
      for (let index = 0; index < text.length; index += 1) {
        const code = text.charCodeAt(index);
        bytes += encoded[code] ?? take(code);
      }
      return bytes;
    },
    /** Embeds the font in the document. Call it once, after everything has been written. */
    embed(doc: jsPDF): void {
      take(0x20);
      const file = subsetFont(font, glyphs, glyphs.length - 1);
      doc.addFileToVFS(`${name}.ttf`, file.toString('latin1'));
      const key = doc.addFont(`${name}.ttf`, name, 'normal');
      if (key !== firstKey) throw new Error(`the font must be ${firstKey} of the document, got ${key}`);
      const { metadata } = (
        doc.internal as unknown as { getFont(name: string, style: string): FontEntry }
      ).getFont(name, 'normal');
      // It is a subset already; jsPDF's own subsetting is quadratic in the number of glyphs.
      metadata.subset.encode = () => file;
      metadata.Unicode.widths = [1, used.map((code) => advance(code))];
      metadata.toUnicode = Object.fromEntries(used.map((code, index) => [index + 1, code]));
      // jsPDF only lists fonts that its own text() has used.
      doc.setFont(name, 'normal');
      doc.text(' ', 0, 0);
    },
  };
}

/** A byte within a literal string; a bare CR must be escaped because readers convert it to LF. */
function escaped(byte: number): string {
  if (byte === 0x28 || byte === 0x29 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
  return byte === 0x0d ? '\\r' : String.fromCharCode(byte);
}
