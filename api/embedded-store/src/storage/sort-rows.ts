import { decode } from '../bson/codec.ts';
import { keepFields } from '../bson/top-fields.ts';
import { StoreError } from '../errors.ts';
import { type KeyField, sortKeyOf } from './index-keys.ts';
import type { Row } from './paging.ts';
import type { Source } from './sources.ts';

/** MongoDB's limit of a sort in memory, in bytes. */
const MAX_BYTES = 100 * 1024 * 1024;
/** How many rows one pull returns at most. */
const PULL_SIZE = 256;
/** Memory of a row, in bytes; decoding it takes about as much again. */
const sizeOf = (key: Buffer, { body }: Row) => key.length + 2 * body.length;

/**
 * Sorts rows in memory: all are read before the first is returned. The order of rows with equal keys is kept.
 *
 * @param limit only so many are returned; 0 for all
 * @throws StoreError 292 above 100 MB
 */
export function sortedRows(source: Source<Row>, fields: KeyField[], limit: number): Source<Row> {
  const roots = new Set(fields.map(({ parts }) => parts[0] as string));
  let kept: { key: Buffer; row: Row }[] = [];
  let bytes = 0;
  let returned: number | undefined;

  const sort = () => {
    kept.sort((a, b) => Buffer.compare(a.key, b.key));
    if (limit > 0) kept = kept.slice(0, limit);
    bytes = kept.reduce((sum, { key, row }) => sum + sizeOf(key, row), 0);
  };
  const collect = (rows: Row[]) => {
    for (const row of rows) {
      const key = sortKeyOf(decode(keepFields(row.body, roots)), fields);
      kept.push({ key, row });
      bytes += sizeOf(key, row);
    }
    if (limit > 0 && kept.length > 2 * limit + PULL_SIZE) sort();
    if (bytes > MAX_BYTES) throw new StoreError(292, `Sort exceeded memory limit of ${MAX_BYTES} bytes`);
  };

  return {
    pull(most = PULL_SIZE) {
      if (returned !== undefined) {
        const next = kept.slice(returned, returned + Math.min(most, PULL_SIZE));
        returned += next.length;
        return next.length > 0 ? next.map(({ row }) => row) : undefined;
      }
      const rows = source.pull();
      if (rows) collect(rows);
      else {
        sort();
        returned = 0;
      }
      return [];
    },
  };
}
