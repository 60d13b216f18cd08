import { describe, expect, test } from '@jest/globals';
import { createEmbeddedFont, subsetFont } from './embedded-font.ts';
import { openFontFile, readNotoSansSc } from './font-file.ts';

const font = readNotoSansSc();
const covered = Array.from({ length: 0xd800 - 0x20 }, (_, index) => index + 0x20).filter(
  (code) => font.glyphOf(code) !== 0,
);

describe('the face', () => {
  test('numbers characters in order of use, in strings that decode to the same bytes', () => {
    const face = createEmbeddedFont(font);
    const text = String.fromCharCode(...covered.slice(0, 20_000));

    const written = face.encode(text);

    expect(written).not.toMatch(/(?<!\\)\r/);
    const bytes = Buffer.from(readLiteral(written), 'latin1');
    const numbers = Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(2 * index));
    expect(numbers).toEqual(Array.from({ length: text.length }, (_, index) => index + 1));
    expect(face.encode(text.slice(0, 9))).toBe(written.slice(0, 18));
  });

  test('distinguishes characters that look the same', () => {
    const face = createEmbeddedFont(font);
    expect(font.glyphOf(0x2f00)).toBe(font.glyphOf(0x4e00));
    expect(face.encode('⼀')).not.toBe(face.encode('一'));
  });

  test('throws for characters that it does not cover instead of omitting them', () => {
    const face = createEmbeddedFont(font);
    expect(face.covers('한'.charCodeAt(0))).toBe(false);
    expect(face.covers(0xd842)).toBe(false);
    expect(() => face.encode('한')).toThrow('U+d55c');
  });

  test('measures like the font', () => {
    const face = createEmbeddedFont(font);
    expect(face.width('汉字')).toBe(2000);
    expect(face.width('iW')).toBe(face.advance(0x69) + face.advance(0x57));
    expect(face.advance(0x57)).toBeGreaterThan(3 * face.advance(0x69));
  });
});

describe('a subset of the font', () => {
  test('has the outlines and widths of its glyphs, in their order', () => {
    const glyphs = [0, ...covered.filter((_, index) => index % 9 === 0).map((code) => font.glyphOf(code))];

    const subset = openFontFile(subsetFont(font, glyphs, 1));

    expect(subset.glyphCount).toBeGreaterThanOrEqual(glyphs.length);
    expect(subset.glyphOf(0x20)).toBe(1);
    for (const [index, glyph] of glyphs.entries()) {
      const outline = font.outlineOf(glyph);
      const isCompound = outline.length > 0 && outline.readInt16BE(0) < 0;
      if (!isCompound && !subset.outlineOf(index).subarray(0, outline.length).equals(outline))
        throw new Error(`glyph ${glyph} must be number ${index} of the subset`);
      if (subset.advanceOf(index) !== font.advanceOf(glyph))
        throw new Error(`glyph ${glyph} must keep its width`);
    }
  });

  test('includes the components of compound glyphs', () => {
    // Two adjacent letters: a compound glyph of two others, which follow the requested ones.
    const [first, second] = [font.glyphOf(0x41), font.glyphOf(0x42)];
    const compound = Buffer.alloc(10 + 6 + 6);
    compound.writeInt16BE(-1, 0);
    compound.writeUInt16BE(0x20, 10);
    compound.writeUInt16BE(first, 12);
    compound.writeUInt16BE(second, 18);
    const glyph = font.glyphOf(0x43);
    const withCompound = {
      ...font,
      outlineOf: (wanted: number) => (wanted === glyph ? compound : font.outlineOf(wanted)),
    };

    const subset = openFontFile(subsetFont(withCompound, [0, second, glyph], 1));

    expect(subset.glyphCount).toBe(4);
    expect(subset.outlineOf(2).readUInt16BE(12)).toBe(3);
    expect(subset.outlineOf(2).readUInt16BE(18)).toBe(1);
    const outline = font.outlineOf(first);
    expect(subset.outlineOf(3).subarray(0, outline.length).equals(outline)).toBe(true);
  });
});

/** Decodes the content of a literal string, see ISO 32000-1, 7.3.4.2. */
function readLiteral(written: string): string {
  return written.replaceAll(/\\(.)/gs, (_whole, escaped: string) => (escaped === 'r' ? '\r' : escaped));
}
