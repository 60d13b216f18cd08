import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export type FontFile = ReturnType<typeof openFontFile>;

/** SIL Open Font Licence 1.1; 30,000 characters of Chinese, Latin, Greek, Cyrillic and Japanese. */
export function readNotoSansSc(): FontFile {
  return openFontFile(readFileSync(notoSansScPath()));
}

export function notoSansScPath(): string {
  return createRequire(import.meta.url).resolve(
    '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  );
}

/**
 * Parses a TrueType font file for what a report needs: glyph, width and outline of a character. The tables are
 * specified at https://learn.microsoft.com/typography/opentype/spec/otff.
 * @throws Error for a file without TrueType outlines or without a Unicode character map of format 4.
 */
export function openFontFile(file: Buffer) {
  const tables = readDirectory(file);
  const table = (tag: string): Buffer => {
    const found = tables.get(tag);
    if (!found) throw new Error(`expected a font with the table ${JSON.stringify(tag)}, got one without it`);
    return found;
  };
  const glyphs = readCharacterMap(table('cmap'));
  const head = table('head');
  const [loca, glyf, hmtx] = [table('loca'), table('glyf'), table('hmtx')];
  const isLong = head.readInt16BE(50) === 1;
  const offsetOf = (glyph: number) =>
    isLong ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph);
  const scale = 1000 / head.readUInt16BE(18);
  const lastMetric = table('hhea').readUInt16BE(34) - 1;
  return {
    glyphCount: table('maxp').readUInt16BE(4),
    /** Glyph of a character of the Basic Multilingual Plane; 0 if the font has none. */
    glyphOf: (code: number): number => glyphs[code] ?? 0,
    /** In thousandths of the font size. */
    advanceOf: (glyph: number): number =>
      Math.round(hmtx.readUInt16BE(4 * Math.min(glyph, lastMetric)) * scale),
    /** The glyph's entry of the `glyf` table, a view of the file; empty for a blank. */
    outlineOf: (glyph: number): Buffer => glyf.subarray(offsetOf(glyph), offsetOf(glyph + 1)),
    /** A whole table, a view of the file. */
    table,
  };
}

function readDirectory(file: Buffer): Map<string, Buffer> {
  const tables = new Map<string, Buffer>();
  const count = file.readUInt16BE(4);
  for (let index = 0; index < count; index += 1) {
    const entry = 12 + 16 * index;
    const from = file.readUInt32BE(entry + 8);
    tables.set(
      file.toString('latin1', entry, entry + 4),
      file.subarray(from, from + file.readUInt32BE(entry + 12)),
    );
  }
  return tables;
}

/** Glyphs by UTF-16 unit, from a format 4 subtable. */
function readCharacterMap(cmap: Buffer): Uint16Array {
  const glyphs = new Uint16Array(0x10000);
  const map = cmap.subarray(findFormat4(cmap));
  const segments = map.readUInt16BE(6) / 2;
  for (let segment = 0; segment < segments; segment += 1) {
    const at = 14 + 2 * segment;
    const last = map.readUInt16BE(at);
    const first = map.readUInt16BE(at + 2 + 2 * segments);
    const delta = map.readUInt16BE(at + 2 + 4 * segments);
    const rangeAt = at + 2 + 6 * segments;
    const range = map.readUInt16BE(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const glyph = range === 0 ? code : map.readUInt16BE(rangeAt + range + 2 * (code - first));
      glyphs[code] = range !== 0 && glyph === 0 ? 0 : glyph + delta;
    }
  }
  return glyphs;
}

function findFormat4(cmap: Buffer): number {
  const count = cmap.readUInt16BE(2);
  for (let index = 0; index < count; index += 1) {
    const at = cmap.readUInt32BE(4 + 8 * index + 4);
    if (cmap.readUInt16BE(at) === 4) return at;
  }
  throw new Error('expected a font with a character map of format 4, got one without it');
}
