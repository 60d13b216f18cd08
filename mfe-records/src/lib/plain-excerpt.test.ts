import { expect, test } from '@jest/globals';
import { plainExcerpt } from './plain-excerpt.ts';

test('returns the beginning of an answer as one plain line', () => {
  expect(plainExcerpt('## 办法\n\n1. **先**确认 [1]\n2. 再看[文档](https://example.com)')).toBe(
    '办法 先确认 再看文档',
  );
  expect(plainExcerpt('设置 `MONGODB_URI` 后__重启__')).toBe('设置 MONGODB_URI 后重启');
  expect(plainExcerpt('来自 2411-Performance\\_Up.pptx，\\*不是强调\\*')).toBe(
    '来自 2411-Performance_Up.pptx，*不是强调*',
  );
  expect(plainExcerpt('```bash\ncurl /v1\n```\n> 引文')).toBe('curl /v1 引文');
});

test('reads the cells of a table and addresses with brackets', () => {
  expect(
    plainExcerpt('| 城市 | 每晚 |\n|:---|---:|\n| 一线 | 600 元 |\n\n---\n\n见[说明](/wiki/a_(b))。'),
  ).toBe('城市 每晚 一线 600 元 见说明。');
});

test('truncates long answers without splitting characters', () => {
  expect([...plainExcerpt('𠮷'.repeat(400))]).toHaveLength(160);
});
