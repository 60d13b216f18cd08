import { expect, test } from '@jest/globals';
import { createSay } from '../../i18n/texts-of.ts';
import { duration, percent } from './draw-title-page.ts';

test.each([
  [40, 62, '64.5%'],
  [0, 62, '0%'],
  [62, 62, '100%'],
  [1, 5000, '0.1%'],
  [4999, 5000, '99.9%'],
  [0, 0, '0%'],
])('%d of %d is shown as %s', (part, whole, shown) => {
  expect(percent(part, whole)).toBe(shown);
});

test.each([
  [0, '<0.1 秒'],
  [85, '0.1 秒'],
  [1940, '1.9 秒'],
  [59_949, '59.9 秒'],
  [59_960, '1 分钟'],
  [150_000, '2.5 分钟'],
  [7_200_000, '120 分钟'],
])('%d ms is shown as %s', (ms, shown) => {
  expect(duration(ms, createSay('report', 'zh'))).toBe(shown);
});
