import { expect, test } from '@jest/globals';
import { collectNotices } from './collect-notices.ts';

test('equal notices are counted, and consecutive pages are one range', () => {
  const found = [3, 3, 4, 5, 9].map((page) => ({
    code: 'text_not_decoded' as const,
    at: { page },
    count: 10,
  }));
  expect(collectNotices([...found, { code: 'page_damaged', at: { page: 10 } }])).toEqual([
    { code: 'text_not_decoded', at: { page: 3 }, until: 5, count: 40 },
    { code: 'text_not_decoded', at: { page: 9 }, count: 10 },
    { code: 'page_damaged', at: { page: 10 }, count: 1 },
  ]);
});

test('rows belong to their sheet, and a whole sheet is no range of its rows', () => {
  const code = 'formula_without_value';
  expect(
    collectNotices([
      { code, at: { sheet: 'A', row: 2 } },
      { code, at: { sheet: 'A', row: 3 } },
      { code, at: { sheet: 'B', row: 4 } },
      { code: 'chart_not_read', at: { sheet: 'B' } },
      { code: 'chart_not_read', at: { sheet: 'B' } },
    ]),
  ).toEqual([
    { code, at: { sheet: 'A', row: 2 }, until: 3, count: 2 },
    { code, at: { sheet: 'B', row: 4 }, count: 1 },
    { code: 'chart_not_read', at: { sheet: 'B' }, count: 2 },
  ]);
});

test('the number of notices is limited; beyond it, notices are counted without their places', () => {
  const pages = Array.from({ length: 500 }, (_, index) => index * 2 + 1);
  const notices = collectNotices([
    ...pages.map((page) => ({ code: 'page_too_slow' as const, at: { page } })),
    { code: 'mostly_unread' },
  ]);
  expect(notices).toHaveLength(22);
  expect(notices[0]).toEqual({ code: 'mostly_unread', count: 1 });
  expect(notices.at(-1)).toEqual({ code: 'page_too_slow', count: 480 });
});
