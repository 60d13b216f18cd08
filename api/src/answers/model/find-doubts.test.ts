import { describe, expect, test } from '@jest/globals';
import { markDoubts } from '../extract/mark-doubts.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { findDoubts } from './find-doubts.ts';

const passage = (text: string, title = '') => ({ title, place: '', text }) as KnowledgePassage;
const delivery = passage(
  '普通件三个工作日送达，加急件 24 小时内送达，运费 1,200.50 元。电话 010-88886666。',
  '配送',
);
const returns = passage('Damaged goods can be returned within fourteen days of 3 May 2024.', 'Returns');

/** The answer as people see it, with `?` after what has no support. */
const seen = (text: string, cited = [delivery, returns], known: string[] | null = []) =>
  markDoubts(text, findDoubts({ text, cited, language: 'zh', known }), '?');

describe('citations', () => {
  test('stay if their sentence shares a content word or a number with the passage', () => {
    const text = '普通件会在几天后送达[1]。要付 1200.5 [1]。';
    expect(seen(text)).toBe(text);
  });

  test('are removed if they share neither, and the sentence is marked', () => {
    expect(seen('普通件三天送达[1]。节日期间顺延[1]。')).toBe('普通件三天送达[1]。节日期间顺延?。');
    expect(seen('The office closes early[2]. Damaged goods go back.[2]')).toBe(
      'The office closes early?. Damaged goods go back.[2]',
    );
  });

  test('of several one with support is enough', () => {
    const other = passage('年会在十二月举行。');
    expect(seen('加急件一天送达[1][2]。', [delivery, other])).toBe('加急件一天送达[1]。');
  });

  test('after the end of a sentence, in lists and in rows belong to what is before them', () => {
    expect(
      seen(
        '普通件三天送达。[1]\n\n- 节日期间顺延 [1]\n- 加急件更快[1]\n\n| 项 | 值 |\n|---|---|\n| 休假 | 顺延 [1] |',
      ),
    ).toBe(
      '普通件三天送达。[1]\n\n- 节日期间顺延?\n- 加急件更快[1]\n\n| 项 | 值 |\n|---|---|\n| 休假 | 顺延? |',
    );
  });

  test('of a passage in another language, and of sentences without content stay', () => {
    const text = '可以的[1]。破损商品能退[2]。';
    expect(seen(text)).toBe(text);
  });

  test('code is left alone', () => {
    const text = '普通件三天送达[1]。\n\n```\nargv[1] = 99\n```\n\n用 `list[2]` 和 `77`。';
    expect(seen(text)).toBe(text);
  });
});

describe('numbers', () => {
  test.each([
    ['普通件 3 个工作日送达[1]。'],
    ['运费 1200.5 元[1]，电话 010 8888 6666[1]。'],
    ['Within 14 days of 2024-05-03[2].'.replace('-05-', ' May ')],
    ['1. 普通件三天送达[1]\n2. 加急件更快[1]\n\n以上 2 点。'],
  ])('in a cited passage in any writing stand: %s', (text) => {
    expect(seen(text)).toBe(text);
  });

  test.each([
    ['普通件 5 个工作日送达[1]。', '普通件 5? 个工作日送达[1]。'],
    ['运费 **1.2万** 元[1]。', '运费 **1.2?万** 元[1]。'],
    ['加急件打电话 010-88886667[1]。', '加急件打电话 010-88886667?[1]。'],
    ['加急件加收 15%(含税)[1]。', '加急件加收 15%?(含税)[1]。'],
  ])('in none are marked: %s', (text, marked) => {
    expect(seen(text)).toBe(marked);
  });

  test('of the question, and of pictures are not marked', () => {
    expect(seen('寄 7 件加急件[1]。', [delivery], ['寄 7 件要多久'])).toBe('寄 7 件加急件[1]。');
    expect(seen('图上有 7 件加急件[1]。', [delivery], null)).toBe('图上有 7 件加急件[1]。');
  });

  test('of a passage whose citation is removed do not count', () => {
    const other = passage('年会在十二月 9 日举行。');
    expect(seen('普通件顺延[2]。加急件 9 天[1]。', [delivery, other])).toBe('普通件顺延?。加急件 9? 天[1]。');
  });
});

test('a very long answer is only checked at its beginning', () => {
  const text = '普通件三个工作日送达[1]。节日期间顺延 5 天[1]。\n\n'.repeat(8000);
  const doubts = findDoubts({ text, cited: [delivery], language: 'zh', known: [] });
  expect(doubts.length).toBeGreaterThan(500);
  expect(doubts.at(-1)!.end).toBeLessThan(text.length / 10);
});
