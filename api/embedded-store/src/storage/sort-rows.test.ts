import { expect, test } from '@jest/globals';
import { encode } from '../bson/codec.ts';
import { keyField } from './index-keys.ts';
import { docOf, type Row } from './paging.ts';
import type { Source } from './sources.ts';
import { sortedRows } from './store.ts';

/** Documents of 150 KB in pages of ten, in descending order. */
function largeRows(count: number): Source<Row> {
  let left = count;
  const row = (n: number): Row => ({
    rid: n,
    body: Buffer.from(encode({ _id: n, n, text: 'x'.repeat(150_000) })),
    doc: undefined,
  });
  return {
    pull() {
      if (left === 0) return undefined;
      const page = Array.from({ length: 10 }, (_, at) => row(left - at));
      left -= 10;
      return page;
    },
  };
}

function read(source: Source<Row>): unknown[] {
  const found = [];
  for (let page = source.pull(); page; page = source.pull()) found.push(...page.map((one) => docOf(one).n));
  return found.map(Number);
}

test('keeps no more rows in memory than are asked for, and refuses to keep more than 100 MB', () => {
  const fields = [keyField('n', 1)];
  expect(() => read(sortedRows(largeRows(600), fields, 0))).toThrow('Sort exceeded memory limit');
  expect(read(sortedRows(largeRows(600), fields, 2))).toEqual([1, 2]);
});
