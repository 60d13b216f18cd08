import { expect, test } from '@jest/globals';
import { sourceBlocks } from './source-blocks.ts';

const TEXT =
  '# Prices\n\nAll prices\nin euros.\n| Code | Price |\n| --- | --- |\n| A\\|1 | 3 |\n| B |  |\n\n```\n| x |\n```\nEnd';

test('headings, paragraphs, tables and code keep their positions in the document', () => {
  const said = ({ start, end }: { start: number; end: number }) => TEXT.slice(start - 100, end - 100);
  const blocks = sourceBlocks(TEXT, 100).map((block) =>
    block.kind === 'table'
      ? block.rows.map(({ cells, isHead }) => [isHead, ...cells.map(said)])
      : `${block.kind}: ${said(block)}`,
  );
  expect(blocks).toEqual([
    'heading: Prices',
    'text: All prices\nin euros.',
    [
      [true, 'Code', 'Price'],
      [false, 'A\\|1', '3'],
      [false, 'B', ''],
    ],
    'code: | x |',
    'text: End',
  ]);
});

test('a table that continues from the previous part has no row of column names', () => {
  const [table] = sourceBlocks('| C | 4 |\n| D | 5 |', 0);
  expect(table).toMatchObject({ kind: 'table', rows: [{ isHead: false }, { isHead: false }] });
});

test('text without an end of line, and an empty text', () => {
  expect(sourceBlocks('', 0)).toEqual([]);
  expect(sourceBlocks('one', 5)).toEqual([{ kind: 'text', start: 5, end: 8 }]);
});
