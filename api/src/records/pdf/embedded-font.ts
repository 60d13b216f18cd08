import type { jsPDF } from 'jspdf';
import type { FontFile } from './font-file.ts';

/** The structure in which jsPDF stores a font; see its modules ttfsupport and utf8. */
interface FontEntry {
  metadata: {
    subset: { encode(): Uint8Array };
    Unicode: { widths: unknown[] };
    toUnicode: Record<number, number>;
  };
}
type JsPdfFonts = { getFont(name: string, style: string): FontEntry };

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
  const covers = (code: number) => (code < 0xd800 || code > 0xdfff) && font.glyphOf(code) !== 0;

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
      const { metadata } = (doc.internal as unknown as JsPdfFonts).getFont(name, 'normal');
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

/** Tables that do not depend on the glyphs are copied. `name` contains the font's licence. */
const copied = ['OS/2', 'name', 'post', 'prep'];

/**
 * Creates a TrueType font that contains only `glyphs`, in that order: its glyph n is glyph `glyphs[n]` of
 * `font`. The first one has to be 0, the placeholder glyph. Components of compound glyphs are appended. Its
 * character map contains only `space` (a PDF refers to glyphs by number, but jsPDF requires a map).
 */
export function subsetFont(font: FontFile, glyphs: readonly number[], space: number): Buffer {
  const { outlines, sources } = collectOutlines(font, glyphs);
  const count = outlines.length;
  const loca = Buffer.alloc(4 * (count + 1));
  const hmtx = Buffer.alloc(4 * count);
  const originalHmtx = font.table('hmtx');
  let length = 0;
  for (let index = 0; index < count; index += 1) {
    hmtx.writeUInt16BE(originalHmtx.readUInt16BE(4 * sources[index]!), 4 * index);
    hmtx.writeUInt16BE(originalHmtx.readUInt16BE(4 * sources[index]! + 2), 4 * index + 2);
    length += outlines[index]!.length;
    loca.writeUInt32BE(length, 4 * (index + 1));
  }
  const head = Buffer.from(font.table('head'));
  head.writeInt16BE(1, 50);
  head.writeUInt32BE(0, 8);
  const hhea = Buffer.from(font.table('hhea'));
  hhea.writeUInt16BE(count, 34);
  const maxp = Buffer.from(font.table('maxp'));
  maxp.writeUInt16BE(count, 4);
  return writeTables([
    ...copied.slice(0, 1).map((tag): [string, Buffer] => [tag, font.table(tag)]),
    ['cmap', characterMap(space)],
    ['glyf', Buffer.concat(outlines, length)],
    ['head', head],
    ['hhea', hhea],
    ['hmtx', hmtx],
    ['loca', loca],
    ['maxp', maxp],
    ...copied.slice(1).map((tag): [string, Buffer] => [tag, font.table(tag)]),
  ]);
}

/** Outlines padded to even lengths, and the original glyph of each. */
function collectOutlines(font: FontFile, glyphs: readonly number[]) {
  const sources = [...glyphs];
  const numbers = new Map(sources.map((glyph, index) => [glyph, index]));
  const numberOf = (glyph: number): number => {
    const known = numbers.get(glyph);
    if (known !== undefined) return known;
    numbers.set(glyph, sources.length);
    return sources.push(glyph) - 1;
  };
  const outlines: Buffer[] = [];
  for (let index = 0; index < sources.length; index += 1) {
    const outline = font.outlineOf(sources[index]!);
    const isCompound = outline.length > 0 && outline.readInt16BE(0) < 0;
    outlines.push(padded(isCompound ? renumberParts(outline, numberOf) : outline));
  }
  return { outlines, sources };
}

function renumberParts(outline: Buffer, numberOf: (glyph: number) => number): Buffer {
  const copy = Buffer.from(outline);
  let at = 10;
  for (let more = true; more; ) {
    const flags = copy.readUInt16BE(at);
    copy.writeUInt16BE(numberOf(copy.readUInt16BE(at + 2)), at + 2);
    at += flags & 0x1 ? 8 : 6;
    if (flags & 0x8) at += 2;
    else if (flags & 0x40) at += 4;
    else if (flags & 0x80) at += 8;
    more = (flags & 0x20) !== 0;
  }
  return copy;
}

function padded(outline: Buffer): Buffer {
  const rest = outline.length % 4;
  return rest === 0 ? outline : Buffer.concat([outline, Buffer.alloc(4 - rest)]);
}

/** A format 4 table with one character and the required end segment. */
function characterMap(space: number): Buffer {
  const words = [0, 1, 3, 1, 0, 12, 4, 32, 0, 4, 4, 1, 0];
  words.push(0x20, 0xffff, 0, 0x20, 0xffff, (space - 0x20) & 0xffff, 1, 0, 0);
  const map = Buffer.alloc(2 * words.length);
  for (const [index, word] of words.entries()) map.writeUInt16BE(word, 2 * index);
  return map;
}

function writeTables(tables: [tag: string, bytes: Buffer][]): Buffer {
  const power = Math.floor(Math.log2(tables.length));
  const directory = Buffer.alloc(12 + 16 * tables.length);
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(tables.length, 4);
  directory.writeUInt16BE(16 * 2 ** power, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE(16 * (tables.length - 2 ** power), 10);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  for (const [index, [tag, bytes]] of tables.entries()) {
    const entry = 12 + 16 * index;
    const whole = padded(bytes);
    directory.write(tag, entry, 'latin1');
    directory.writeUInt32BE(checksum(whole), entry + 4);
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(bytes.length, entry + 12);
    parts.push(whole);
    offset += whole.length;
  }
  return Buffer.concat(parts, offset);
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}
