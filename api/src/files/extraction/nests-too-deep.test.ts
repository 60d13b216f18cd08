import { expect, test } from '@jest/globals';
import { xmlNestsTooDeep } from './nests-too-deep.ts';

const nested = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);

test.each([
  ['elements within each other', nested('<w:p>', '</w:p>', 600)],
  ['a text that looks like an empty element', nested('<w:p>/>', '</w:p>', 600)],
  ['an attribute that looks like the end of an element', nested('<w:p a="/>">', '</w:p>', 600)],
  ['comments that look like ends', nested('<w:p><!-- </w:p> -->', '</w:p>', 600)],
  ['text that looks like ends', nested('<w:p><![CDATA[</w:p>]]>', '</w:p>', 600)],
  ['elements that are never closed', '<a>'.repeat(100_000)],
])('XML nests too deep: %s', (_what, xml) => {
  expect(xmlNestsTooDeep(xml)).toBe(true);
});

test.each([
  ['many elements beside each other', nested('<w:p><w:r/></w:p>', '', 10_000)],
  ['tables within tables', nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 20)],
  ['a tag without an end', '<a "'.repeat(10_000)],
])('XML does not nest too deep: %s', (_what, xml) => {
  expect(xmlNestsTooDeep(xml)).toBe(false);
});
