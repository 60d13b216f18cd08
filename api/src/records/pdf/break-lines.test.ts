import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { breakLines } from './break-lines.ts';
import { cleanText } from './clean-text.ts';
import { createEmbeddedFont } from './embedded-font.ts';
import { readNotoSansSc } from './font-file.ts';

const face = createEmbeddedFont(readNotoSansSc());
/** Wide characters are one em, others half an em. */
const halves = (code: number) => (code > 0x2e7f ? 2 : 1);
const linesOf = (text: string, width: number, advance = halves) =>
  breakLines(text, width, advance).map(({ start, end }) => text.slice(start, end));

const neverFirst = '，。！？；：、）》」』】”’…';
const neverLast = '（《「『【“‘';

describe('lines', () => {
  test.each([
    ['breaks Chinese anywhere', '如何导出聊天记录', 8, ['如何导出', '聊天记录']],
    ['takes the character before closing punctuation along', '如何导出，记录', 8, ['如何导', '出，记录']],
    ['takes opening punctuation to the word it opens', '如何导（出）吗', 8, ['如何导', '（出）吗']],
    ['keeps Latin words whole', '支持 MongoDB 数据', 10, ['支持', 'MongoDB 数', '据']],
    ['cuts a word that is longer than a line', 'abcdefghijkl mn', 5, ['abcde', 'fghij', 'kl mn']],
    ['leaves spaces at the end of a line away', 'ab    cd', 3, ['ab', 'cd']],
    ['keeps the spaces that a line begins with', '  ab\n    cd', 9, ['  ab', '    cd']],
    ['keeps empty lines', 'a\n\nb', 9, ['a', '', 'b']],
    ['keeps numbers and their points whole', '约 3.1415 个', 8, ['约', '3.1415', '个']],
    ['breaks behind hyphens of words', 'well-known fact', 6, ['well-', 'known', 'fact']],
    ['keeps pairs of dashes', '他说——好', 5, ['他说', '——好']],
    ['keeps apostrophes in their words', "don’t can't", 6, ['don’t', "can't"]],
    ['keeps brackets with their words', 'call f(x) now', 6, ['call', 'f(x)', 'now']],
    ['takes several closing marks along', '你好吗？」吧', 8, ['你好', '吗？」吧']],
    ['has one line for an empty text', '', 5, ['']],
  ])('%s', (_name, text, width, expected) => {
    expect(linesOf(text, width)).toEqual(expected);
  });

  const han = fc.constantFrom(...'的一是在不了有和人这中大为上个国我以要他');
  const word = fc.stringMatching(/^[A-Za-z]{1,9}$/).map((text) => `${text} `);
  const mark = fc.constantFrom(...neverFirst, ...neverLast);
  const prose = fc
    .array(
      fc.oneof({ weight: 6, arbitrary: han }, { weight: 2, arbitrary: word }, { weight: 2, arbitrary: mark }),
      {
        maxLength: 200,
      },
    )
    .map((parts) => parts.join(''))
    // A line of punctuation only has to be cut somewhere.
    .filter((text) => !/[，。！？；：、）》」』】”’…（《「『【“‘]{5}/.test(text));

  test('never start with closing or end with opening punctuation', () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 24, max: 60 }), (text, width) => {
        const lines = linesOf(text, width);
        for (const line of lines.slice(1)) expect(neverFirst).not.toContain(line[0] ?? ' ');
        for (const line of lines.slice(0, -1)) expect(neverLast).not.toContain(line.at(-1) ?? ' ');
      }),
      { numRuns: 500 },
    );
  });

  test('never break a word that fits into a line', () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 24, max: 60 }), (text, width) => {
        const words = (some: string) => some.match(/[A-Za-z]+/g) ?? [];
        expect(linesOf(text, width).flatMap(words)).toEqual(words(text));
      }),
      { numRuns: 300 },
    );
  });

  test('contain exactly the text and fit the width, for any text and font', () => {
    const anything = fc.oneof(
      prose,
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ maxLength: 300 }),
    );
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 40 }), (raw, ems) => {
        const text = cleanText(raw, face.covers);
        const lines = breakLines(text, ems * 1000, face.advance);
        let reached = 0;
        for (const { start, end } of lines) {
          expect(text.slice(reached, start)).toMatch(/^[ \u3000\u2000-\u200a\u205f\u1680]*\n?$/);
          const line = text.slice(start, end);
          const isOneCharacter = [...line.replace(/\p{M}/gu, '')].length <= 1;
          if (!isOneCharacter) expect(face.width(line)).toBeLessThanOrEqual(ems * 1000);
          reached = end;
        }
        expect(text.slice(reached).trim()).toBe('');
      }),
      { numRuns: 500 },
    );
  });

  test('take time proportional to the text', () => {
    for (const piece of ['长', 'x', ' ', '，', 'a ']) {
      const text = piece.repeat(20_000);
      let measured = 0;
      breakLines(text, 90, () => {
        measured += 1;
        return 1;
      });
      // Characters that did not fit are measured once more for the next line.
      expect(measured).toBeLessThanOrEqual(2 * text.length);
    }
  });
});
