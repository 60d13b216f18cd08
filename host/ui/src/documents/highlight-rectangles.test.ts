import { expect, test } from '@jest/globals';
import { findOnPage } from './find-on-page.ts';
import { highlightRectangles, type PlacedRun } from './highlight-rectangles.ts';

/** A page of 200 × 100 units; the viewport's y axis points downwards. */
const PAGE = { width: 200, height: 100, convertToViewportPoint: (x: number, y: number) => [x, 100 - y] };
const STYLES = { sans: { ascent: 0.8, descent: -0.2 }, vertical: { vertical: true } };
const widthOf = (text: string) => text.length;

const run = (str: string, x: number, y: number, more: Partial<PlacedRun> = {}): PlacedRun => ({
  str,
  transform: [10, 0, 0, 10, x, y],
  width: str.length * 5,
  height: 10,
  fontName: 'sans',
  ...more,
});

const rounded = (runs: PlacedRun[], quote: string, page = PAGE) =>
  highlightRectangles(runs, findOnPage(runs, quote), STYLES, page, widthOf).map((rectangle) =>
    Object.fromEntries(
      Object.entries(rectangle).map(([key, value]) => [key, Math.round(value * 1000) / 1000]),
    ),
  );

test('covers the quoted letters of a run from descender to ascender', () => {
  expect(rounded([run('abcd efgh', 20, 50)], 'efgh')).toEqual([
    { left: 0.225, top: 0.42, width: 0.1, height: 0.1 },
  ]);
});

test('has one rectangle for each line, however many runs it has', () => {
  const runs = [run('abcd', 20, 50), run(' ', 40, 50), run('efgh', 42, 50), run('ijkl', 20, 30)];
  expect(rounded(runs, 'abcd efgh ijkl')).toEqual([
    { left: 0.1, top: 0.42, width: 0.21, height: 0.1 },
    { left: 0.1, top: 0.62, width: 0.1, height: 0.1 },
  ]);
});

test('columns stay separate', () => {
  const [left, right] = [run('abcd', 20, 50), run('efgh', 120, 50)];
  expect(rounded([left, right], 'abcdefgh')).toHaveLength(2);
  expect(rounded([right, left], 'efghabcd')).toHaveLength(2);
});

test('follows rotated text, and text that is written downwards', () => {
  expect(rounded([run('abcd', 50, 20, { transform: [0, 10, -10, 0, 50, 20] })], 'cd')).toEqual([
    { left: 0.21, top: 0.6, width: 0.05, height: 0.1 },
  ]);
  const downwards = run('一二三四', 100, 90, { fontName: 'vertical', width: 10, height: 40 });
  expect(rounded([downwards], '三四')).toEqual([{ left: 0.475, top: 0.3, width: 0.05, height: 0.2 }]);
});

test('has no rectangle for runs without size', () => {
  expect(rounded([run('abcd', 20, 50, { width: 0, height: 0 })], 'abcd')).toEqual([]);
});
