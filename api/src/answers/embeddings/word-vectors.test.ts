import { expect, test } from '@jest/globals';
import { dot, wordVectors } from './word-vectors.ts';
import { wordsOf } from './words-of.ts';

const { vectorOf } = wordVectors();
const cosine = (one: string, other: string) => dot(vectorOf(one), vectorOf(other));

test('words are stems, and Chinese words by longest match; what the vocabulary lacks is left out', () => {
  const vocabulary = new Set(['invoic', '年假', '年', '休']);
  expect(wordsOf('Invoices: 休年假3天, x9', vocabulary)).toEqual(['invoic', '休', '年假']);
  expect(wordsOf('請休年假', vocabulary)).toEqual(['休', '年假']);
  expect(wordsOf('', vocabulary)).toEqual([]);
});

test('texts that share no word are near if they mean the same, across languages too', () => {
  expect(cosine('How do I get my money back?', 'Refunds')).toBeGreaterThan(
    cosine('How do I get my money back?', 'Parking'),
  );
  expect(cosine('工资什么时候发', '薪酬发放日期')).toBeGreaterThan(cosine('工资什么时候发', '停车收费标准'));
  expect(cosine('salary', '薪水')).toBeGreaterThan(cosine('salary', '窗户'));
});

test('vectors have length 1, and only zeros without a known word', () => {
  expect(dot(vectorOf('annual leave'), vectorOf('annual leave'))).toBeCloseTo(1, 5);
  expect(vectorOf('qwxzv 123').every((one) => one === 0)).toBe(true);
});
