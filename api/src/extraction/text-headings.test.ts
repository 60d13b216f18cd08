import { expect, test } from '@jest/globals';
import { markHeadings } from './text-headings.ts';

const headingsOf = (text: string) =>
  markHeadings(text)
    .split('\n')
    .filter((line) => line.startsWith('#'));

test.each<[string, string, string[]]>([
  [
    'Chinese ordinals',
    '一、范围\n本办法适用于全体员工。\n\n二、标准\n住宿 500 元。',
    ['## 一、范围', '## 二、标准'],
  ],
  ['chapters and articles', '第一章 总则\n\n第一条 目的\n为了规范。', ['## 第一章 总则', '### 第一条 目的']],
  [
    'numbers',
    '1. Scope\nThe rules hold for all.\n\n1.1 Staff\nAll of them.\n',
    ['## 1. Scope', '### 1.1 Staff'],
  ],
  [
    'underlines',
    'Opening hours\n=============\nNine to five.\n\nHolidays\n--------\nClosed.',
    ['# Opening hours', '## Holidays'],
  ],
  ['capitals', 'Guide\n\nCAR PARK\nIt costs 19 euros a night.', ['# Guide', '## CAR PARK']],
])('%s are headings', (_what, text, expected) => {
  expect(headingsOf(text)).toEqual(expected);
});

test.each<[string, string]>([
  ['items of a list', 'To do\n1. Buy milk\n2. Buy bread\n3. Go home'],
  [
    'numbered paragraphs',
    'Terms hold.\n\n1.1 The carrier collects and delivers goods of the customer within the country\nand stores them.',
  ],
  ['sentences', '一、检修时间：7 月 14 日至 8 月 20 日。\n二、留校条件：须由导师同意。'],
  ['a line of a paragraph', 'This is a text\nthat goes on.'],
])('%s are none', (_what, text) => {
  expect(headingsOf(text)).toEqual([]);
});

test('no other character changes', () => {
  const text = '标题\n\n一、 甲\n内容  空格\n\n\nEND OF IT\n  indented\n';
  expect(markHeadings(text).replace(/^#+ /gm, '')).toBe(text);
});
