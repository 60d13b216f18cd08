import { expect, test } from '@jest/globals';
import { linesOf, withoutCopies } from './pdf-lines.ts';

test.each([
  ['10', { text: '6', x: 12, y: 96, width: 3, size: 6 }, '10^6'],
  ['m', { text: '2', x: 12, y: 96, width: 3, size: 6 }, 'm2'],
  ['x1', { text: '2', x: 12, y: 102, width: 3, size: 6 }, 'x12'],
])('a raised number after %p is another number only after a number', (before, after, text) => {
  const [line] = linesOf([{ text: before, x: 0, y: 100, width: 12, size: 10 }, after]);

  expect(line!.text).toBe(text);
});

test('copies that make text bold are left out, whole and character by character', () => {
  const run = (text: string, x: number) => ({ text, x, y: 100, width: text.length * 6, size: 12 });
  const texts = (...runs: ReturnType<typeof run>[]) => withoutCopies(runs).map(({ text }) => text);

  expect(texts(run('通知', 0), run('第一条', 60), run('通知', 0.4), run('第一条', 60.4))).toEqual([
    '通知',
    '第一条',
  ]);
  expect(texts(run('B', 0), run('BO', 0.4), run('OL', 6.4), run('LD', 12.4))).toEqual(['B', 'O', 'L', 'D']);
  expect(texts(run('10', 0), run('10', 12), run('0', 24))).toEqual(['10', '10', '0']);
  expect(texts(run('年', 0), run('年', 0.4), { ...run('年 3', 0), width: 11.8 })).toEqual(['年', '3']);
});
