import { expect, test } from '@jest/globals';
import { GAP, layOutPages, pagesNear, pixelsOf, positionAt } from './page-layout.ts';

const A4 = { width: 595, height: 842 };

test('of a long document only the visible pages and their neighbours are drawn', () => {
  const layout = layOutPages(500, new Map(), A4, 595);
  expect(layout.height).toBe(500 * (842 + GAP) + GAP);
  const top = pixelsOf(layout, { page: 250, share: 0.5 });
  expect(pagesNear(layout, top, top + 700)).toEqual([249, 250, 251, 252]);
  expect(pagesNear(layout, 0, 700)).toEqual([1, 2]);
  expect(pagesNear(layout, layout.height - 700, layout.height)).toEqual([499, 500]);
});

test('a position stays the same when the zoom changes or a size becomes known', () => {
  const sizes = new Map([[2, { width: 842, height: 595 }]]);
  const before = layOutPages(5, new Map(), A4, 400);
  const position = positionAt(before, pixelsOf(before, { page: 4, share: 0.25 }));
  expect(position).toEqual({ page: 4, share: 0.25 });
  const after = layOutPages(5, sizes, A4, 800);
  expect(positionAt(after, pixelsOf(after, position)).page).toBe(4);
  expect(after.heights[1]).toBe(Math.round((800 * 595) / 842));
});
