import { expect, test } from '@jest/globals';
import { readXml } from './read-xml.ts';

const nested = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);

test.each([
  ['elements within each other', nested('<w:p>', '</w:p>', 600)],
  ['a text that looks like an empty element', nested('<w:p>/>', '</w:p>', 600)],
  ['an attribute that looks like the end of an element', nested('<w:p a="/>">', '</w:p>', 600)],
  ['comments that look like ends', nested('<w:p><!-- </w:p> -->', '</w:p>', 600)],
  ['text that looks like ends', nested('<w:p><![CDATA[</w:p>]]>', '</w:p>', 600)],
  ['elements that are never closed', '<a>'.repeat(100_000)],
  ['a tag without an end', '<a "'.repeat(10_000)],
])('XML is refused as damaged: %s', (_what, xml) => {
  expect(() => readXml(Buffer.from(xml), {})).toThrow(
    expect.objectContaining({ failure: { kind: 'unreadable', reason: 'damaged' } }),
  );
});

test.each([
  ['many elements beside each other', `<w:body>${'<w:p><w:r/></w:p>'.repeat(10_000)}</w:body>`],
  ['tables within tables', nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 20)],
])('XML is accepted: %s', (_what, xml) => {
  expect(() => readXml(Buffer.from(xml), {})).not.toThrow();
});
