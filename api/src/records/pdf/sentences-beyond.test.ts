import { expect, test } from '@jest/globals';
import { sentencesBeyond } from './set-record.ts';

test.each([
  ['退款三天到账。', '退款三天到账。[1]', ''],
  ['1. 打开菜单。\n2. 选「删除」。', '1. 打开菜单。\n2. 选**「删除」**。 [1]', ''],
  [
    'Refunds take three days. Keep the receipt.',
    '- Refunds take three days. [1]\n- Keep the receipt. [2]',
    '',
  ],
  ['退款三天到账。周末顺延。', '三天到账。', '退款三天到账。周末顺延。'],
  ['退款三天到账。周末顺延。', '退款三天到账。[1]', '… 周末顺延。'],
  ['凭证要留好。退款三天到账。周末顺延。', '退款三天到账。', '凭证要留好。 … 周末顺延。'],
  ['原文\n在此', '别的话', '原文 在此'],
  ['', '别的话', ''],
])('quote %j without answer %j leaves %j', (quote, answer, rest) => {
  expect(sentencesBeyond(quote, answer)).toBe(rest);
});
