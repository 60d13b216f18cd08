import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { termsOf } from './terms.ts';

const words = (text: string) => termsOf(text).map(({ term }) => term);

test('traditional and simplified, full and half width, upper and lower case give the same terms', () => {
  expect(words('刪除帳號 ＡＢＣ１２')).toEqual(words('删除帐号 abc12'));
});

test('Chinese gives characters and pairs of neighbours', () => {
  expect(words('删除会话')).toEqual(['删', '删除', '除', '除会', '会', '会话', '话']);
});

test('English words are stemmed; possessives and thousands separators are removed', () => {
  expect(words("deleting the user's 8,000 conversations")).toEqual([
    'delet',
    'the',
    'user',
    '8000',
    'convers',
  ]);
});

test('Latin words and digits next to Chinese characters are separate terms', () => {
  expect(words('用Node24运行')).toEqual(['用', 'node', '24', '运', '运行', '行']);
});

test('a character outside the basic plane is one character', () => {
  expect(termsOf('𠮷野').map(({ term, start, end }) => [term, start, end])).toEqual([
    ['𠮷', 0, 2],
    ['𠮷野', 0, 3],
    ['野', 2, 3],
  ]);
});

test('every term has its position in the original text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      for (const { start, end } of termsOf(text)) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
      }
    }),
  );
});
