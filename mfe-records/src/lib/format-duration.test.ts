import { expect, test } from '@jest/globals';
import { formatDuration } from './format-duration.ts';

// The PDF has the same table, in api/src/records/pdf/format-numbers.test.ts.
test.each([
  [0, '<0.1 s'],
  [85, '0.1 s'],
  [1940, '1.9 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min'],
  [150_000, '2.5 min'],
  [7_200_000, '120 min'],
])('formats %d ms as %s', (ms, shown) => {
  const { value, unit } = formatDuration(ms, new Intl.NumberFormat('zh-CN'));
  expect(`${value} ${unit}`).toBe(shown);
});
