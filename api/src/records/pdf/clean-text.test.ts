import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanText } from './clean-text.ts';
import { readNotoSansSc } from './font-file.ts';

const font = readNotoSansSc();
const covers = (code: number) => font.glyphOf(code) !== 0;
const clean = (text: string) => cleanText(text, covers);

describe('a cleaned text', () => {
  test.each([
    ['plain text', '退款 refund, 3–5 天。\n第二行'],
    ['tabs', 'a\tb', 'a    b'],
    ['line ends', 'a\r\nb\rc\u2028d\ve', 'a\nb\nc\nd\ne'],
    ['control characters', 'a\u0000b\u0007c\u001bd\u0085e\u007f', 'abcd\ne'],
    ['what has no look', 'a\u200bb\u200dc\ufeffd\u202ee\u2066f\u00adg', 'abcdefg'],
    ['an emoji', '好👍', '好□'],
    ['a family of emoji as one', '👨‍👩‍👧‍👦!', '□!'],
    ['an emoji with a tone as one', '👍🏽', '□'],
    ['a flag as one', '🇨🇳', '□'],
    ['rare characters', '𠮷野家', '□野家'],
    ['Hangul by syllables, composed or not', `한국${'한'.normalize('NFD')}`, '□□□'],
    ['Arabic and Hebrew', 'مرحبا שלום', '□□□□□ □□□□'],
    ['letters with marks', 'e\u0301t\u00e9', 'été'],
    ['a mark that nothing composes with', 'q\u0489', 'q□'],
    ['half a surrogate pair', 'a\ud842b', 'a□b'],
  ])('%s', (_name, text, expected = text) => {
    expect(clean(text)).toBe(expected);
  });

  test('contains only characters that the font covers, for any input, and stays unchanged when cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const once = clean(text);
        for (let index = 0; index < once.length; index += 1)
          expect(once[index] === '\n' || covers(once.charCodeAt(index))).toBe(true);
        expect(clean(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});
