import { expect, test } from '@jest/globals';
import { excerpt } from './search-results.tsx';

const rendered = (parts: { text: string; isHit: boolean }[]) =>
  parts.map(({ text, isHit }) => (isHit ? `<${text}>` : text)).join('');

test('starts near the first match, ends after the maximum length, and marks omitted text', () => {
  const text = `${'前'.repeat(50)}退款${'后'.repeat(50)}退款`;
  const hits = [
    { start: 50, end: 52 },
    { start: 102, end: 104 },
  ];
  expect(rendered(excerpt(text, hits, { lead: 4, length: 10 }))).toBe('…前前前前<退款>后后后后…');
});

test('starts at the beginning if nothing matches', () => {
  expect(rendered(excerpt('很短', [], { lead: 4, length: 10 }))).toBe('很短');
});

test('removes Markdown syntax and never splits a character', () => {
  expect(rendered(excerpt('## 题\n\n- **粗** `码`[2]', [], { lead: 4, length: 40 }))).toBe(' 题 - 粗 码');
  const text = `${'𠮷'.repeat(20)}退款${'𠮷'.repeat(20)}`;
  const parts = excerpt(text, [{ start: 40, end: 42 }], { lead: 5, length: 12 });
  expect(rendered(parts)).toBe('…𠮷𠮷𠮷<退款>𠮷𠮷…');
});

test('truncates matches that cross the end and drops those beyond it', () => {
  expect(
    rendered(
      excerpt(
        'abcdefghij',
        [
          { start: 2, end: 8 },
          { start: 9, end: 10 },
        ],
        { lead: 0, length: 5 },
      ),
    ),
  ).toBe('ab<cde>…');
});
