import { expect, test } from '@jest/globals';
import { quotedPages } from './quote-pages.ts';

const TEXT = '# One\nfirst page text\n# Two\nsecond page\n';
const SECOND = TEXT.indexOf('# Two');
const PART = {
  start: 100,
  end: 100 + TEXT.length,
  text: TEXT,
  length: 1000,
  places: [
    { start: 100, page: 7 },
    { start: 100 + SECOND, page: 8 },
  ],
};
const span = (from: string, to: string) => ({
  start: 100 + TEXT.indexOf(from),
  end: 100 + TEXT.indexOf(to) + to.length,
});

test('a quote on one page has the share of letters before it', () => {
  const [only, ...rest] = quotedPages(PART, span('second', 'page\n'));
  expect(only).toMatchObject({ page: 8, text: expect.stringContaining('second') });
  expect(rest).toEqual([]);
});

test('a quote across pages is split, and ends that are only spaces are left out', () => {
  expect(quotedPages(PART, span('text', 'Two')).map(({ page, text }) => [page, text])).toEqual([
    [7, 'text\n'],
    [8, '# Two'],
  ]);
  expect(quotedPages(PART, { start: 100, end: 100 + SECOND + 2 }).map(({ page }) => page)).toEqual([7]);
});

test('is empty without a quote or without pages', () => {
  expect(quotedPages(PART, { start: 100, end: 100 })).toEqual([]);
  expect(quotedPages({ ...PART, places: [{ start: 100 }] }, span('second', 'Two'))).toEqual([]);
});
