import { describe, expect, test } from '@jest/globals';
import { readWords } from './search-words.ts';

const parts = (query: string, text: string) =>
  (readWords(query)?.highlights({ question: text, answer: '' }) ?? []).map(({ start, end }) =>
    text.slice(start, end),
  );

describe('the index terms of a query', () => {
  test.each([
    ['退款', ['退款'], false],
    ['退', ['退'], false],
    ['申请退款', ['申请', '请退', '退款'], true],
    ['「退款」', ['退款'], false],
    ['Refunds REFUNDED', ['refund'], false],
    ['１,000', ['1000'], false],
    ['"late orders"', ['late', 'order'], true],
    ['微信支付API', ['微信', '信支', '支付', 'api'], true],
    ['5" pipe', ['5', 'pipe'], false],
  ])('%s', (query, terms, isLoose) => {
    expect(readWords(query)).toMatchObject({ terms, isLoose });
  });

  test.each(['', '  ', '？！', '""', '"…"', '👍'])('%j has no words', (query) => {
    expect(readWords(query)).toBeNull();
  });

  test('are limited for queries of any length', () => {
    const words = Array.from(
      { length: 200 },
      (_, n) => `w${String.fromCharCode(97 + (n % 26))}${'x'.repeat(n)}`,
    );
    const long = readWords(words.join(' '))!;

    expect(long.terms.length).toBeLessThanOrEqual(24);
    expect(long.matches({ question: words.join(' '), answer: '' })).toBe(true);
    expect(long.matches({ question: words.slice(1).join(' '), answer: '' })).toBe(false);
  });

  test('are the same for different spellings', () => {
    expect(readWords('退款 Refund')!.key).toBe(readWords('ＲＥＦＵＮＤＳ  退款')!.key);
    expect(readWords('"a  b"')!.key).toBe(readWords('“A B”')!.key);
    expect(readWords('"refund"')!.key).not.toBe(readWords('refund')!.key);
  });
});

describe('positions of the words', () => {
  test.each([
    ['退款', '申請退款，再退款', ['退款', '退款']],
    ['看看', '看看看', ['看看看']],
    ['退款 申请退', '申请退款', ['申请退款']],
    ['申请退款 请退', '申请退款', ['申请退款']],
    ['refund', 'Refunds were refunded to the refundee', ['Refunds', 'refunded']],
    ['api', 'ＡＰＩ api Api2', ['ＡＰＩ', 'api', 'Api']],
    ['𠮷野家', '去𠮷野家吃', ['𠮷野家']],
    ['"a.c"', 'abc a.c', ['a.c']],
    ['"b c"', 'a b\n  c b cc', ['b\n  c']],
    ['"3"', '3.5 3 13', ['3']],
    ['"(.*"', 'x (.* y', []],
    ['"x (.*"', 'x (.* y', ['x (.*']],
    ["don't", "Don’t don't dont", ['Don’t', "don't", 'dont']],
  ])('%s in %j', (query, text, expected) => {
    expect(parts(query, text)).toEqual(expected);
  });

  test('are in units of the original text', () => {
    const text = '㎏ 𠮷𠮷 電話';

    expect(readWords('电话')!.highlights({ question: '', answer: text })).toEqual([
      { field: 'answer', start: 7, end: 9 },
    ]);
    expect(parts('kg', text)).toEqual(['㎏']);
  });
});

test('words may be spread over question and answer, a phrase must be in one of them', () => {
  const record = { question: 'order', answer: 'late' };

  expect(readWords('"order" "late"')!.matches(record)).toBe(true);
  expect(readWords('"order late"')!.matches(record)).toBe(false);
});
