import { expect, test } from '@jest/globals';
import { markHeadings, numberedLevels } from './text-headings.ts';

const headingsOf = (text: string) =>
  markHeadings(text)
    .split('\n')
    .filter((line) => line.startsWith('#'));

test.each<[string, string, string[]]>([
  [
    'numbers above a section that begins with a number',
    '3. Rent\n\n620 pounds a month.\n\n4. Deposit\n1,240 pounds.\n\n5、费用\n620 元每月。',
    ['## 3. Rent', '## 4. Deposit', '## 5、费用'],
  ],
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
  [
    'ordinals in brackets within others',
    '一、考勤\n（一）打卡\n每天两次打卡。\n(二)迟到\n扣半天工资。\n二、请假\n提前三天申请。',
    ['## 一、考勤', '### （一）打卡', '### (二)迟到', '## 二、请假'],
  ],
  [
    'articles in figures',
    '第3条 保密\n双方应当保密。\n\n第4条 违约\n违约方赔偿。',
    ['### 第3条 保密', '### 第4条 违约'],
  ],
  [
    'numbers in full width',
    '１．范围\n全体员工。\n\n２．１ 标准\n每晚五百元。',
    ['## １．范围', '### ２．１ 标准'],
  ],
  [
    'numbers before Chinese without a space',
    '1、范围\n全体员工。\n\n2.标准\n每晚五百元。',
    ['## 1、范围', '## 2.标准'],
  ],
  [
    'Roman numbers',
    'I. Scope\nAll staff are covered.\n\nII. Rates\nA hundred euros.',
    ['## I. Scope', '## II. Rates'],
  ],
  [
    'lines in brackets',
    '【适用范围】\n全体员工。\n\n【标准】\n每晚五百元。',
    ['## 【适用范围】', '## 【标准】'],
  ],
  [
    'indented lines',
    '    一、范围\n    全体员工。\n\n  Rates\n  =====\n  A hundred euros.',
    ['## 一、范围', '# Rates'],
  ],
  [
    'capitals without blank lines',
    'OPENING HOURS\nNine to five.\nHOLIDAYS\nClosed.',
    ['## OPENING HOURS', '## HOLIDAYS'],
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
  ['items of a list before a paragraph', '需要的材料：\n1、身份证\n2、护照\n3、照片\n\n以上材料在当日提交。'],
  ['items of a Chinese list', '需要的材料：\n1、身份证\n2、护照\n3、照片'],
  ['items in full width', '１．携带身份证原件；\n２．填写申请表；\n３．缴纳费用。'],
  [
    'items over several lines',
    '1. Open the settings\n   and choose Account.\n2. Click Delete\n   and confirm.\n3. Done',
  ],
  ['numbers within text', '营业时间\n3天内发货\n1.5倍工资'],
  ['a cry of capitals', 'PLEASE NOTE\nTHE OFFICE IS CLOSED\nON MONDAY'],
  ['sentences', '一、检修时间：7 月 14 日至 8 月 20 日。\n二、留校条件：须由导师同意。'],
  ['a line of a paragraph', 'This is a text\nthat goes on.'],
])('%s are not headings', (_what, text) => {
  expect(headingsOf(text)).toEqual([]);
});

test('no other character changes', () => {
  const text = '标题\n\n一、 甲\n内容  空格\n\n\nEND OF IT\n  indented\n';
  expect(markHeadings(text).replace(/^#+ /gm, '')).toBe(text);
});

test('numbered headings among paragraphs are below the headings above them', () => {
  const paragraphs = [
    '## Terms',
    '1. Scope',
    'All staff.',
    '1.1 Rates',
    'It is 5.',
    '| 1. | a |',
    '# End',
    '2. Law',
    'x',
  ];
  expect(numberedLevels(paragraphs)).toEqual([0, 3, 0, 4, 0, 0, 0, 2, 0]);
});

test('amounts and addresses among paragraphs are no headings', () => {
  const paragraphs = ['1 Scope', 'All.', '14 Quay Street', 'Bremen.', '2 Rates', 'Paid.', '20 euros', 'Net.'];
  expect(numberedLevels(paragraphs)).toEqual([2, 0, 0, 0, 2, 0, 0, 0]);
});
