import { expect, test } from '@jest/globals';
import { findQuote } from './find-quote.ts';

const passage = { text: '前文。退款在 3 天内到账。后文。退款在 3 天内到账。', start: 100 };
const quote = '退款在 3 天内到账。';
const marked = (citation: { quote: string; start: number; end: number }) => findQuote(passage, citation);

test('finds the quote by its position in the document', () => {
  const second = passage.text.lastIndexOf(quote);
  expect(marked({ quote, start: 100 + second, end: 100 + second + quote.length })).toEqual([
    second,
    second + quote.length,
  ]);
});

test('finds the quote by its text when the position does not match', () => {
  expect(marked({ quote, start: 5, end: 9 })).toEqual([3, 3 + quote.length]);
});

test('returns an empty range when the text does not contain the quote', () => {
  expect(marked({ quote: '别的话', start: 0, end: 3 })).toEqual([0, 0]);
});
