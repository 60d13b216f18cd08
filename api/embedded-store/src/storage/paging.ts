import { decode } from '../bson/codec.ts';
import type { Doc } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import type { KeyRange } from './bounds.ts';
import { type Collection, collectionDropped, type Index } from './catalogue.ts';

/** A stored document; `doc` is set when it was decoded. */
export interface Row {
  rid: number;
  body: Buffer;
  doc: Doc | undefined;
}

export const docOf = (row: Row): Doc => {
  row.doc ??= decode(row.body);
  return row.doc;
};

/** Whether a document matches, by its bytes. */
export type BodyTest = (body: Buffer) => boolean;

/** A page ends after this number of bytes of documents. */
export const PAGE_BYTES = 4 * 1024 * 1024;

/** Time, in ms, after which a step ends, so that a slow filter does not delay other commands and maxTimeMS is checked. */
export const STEP_MS = 5;

/**
 * Filters rows until `most` are accepted or `time` has passed, in ms.
 *
 * @returns the accepted rows, and how many were tested; the others must be read again later, as they may change until then
 */
export function take(
  rows: readonly Row[],
  accepts: (row: Row) => boolean,
  most: number,
  time: number,
): { found: Row[]; taken: number } {
  const end = performance.now() + time;
  const found: Row[] = [];
  let taken = 0;
  for (const row of rows) {
    taken++;
    if (accepts(row)) found.push(row);
    if (found.length >= most || performance.now() > end) break;
  }
  return { found, taken };
}

export function refuseDropped(collection: Collection, index: Index | undefined): void {
  if (collection.isDropped) throw collectionDropped();
  if (index && !collection.indexes.includes(index))
    throw new StoreError(175, `query plan killed :: index '${index.name}' dropped`);
}

/** An entry of an index. */
export interface Position {
  key: Buffer;
  rid: number;
}

export type Bindable = Buffer | number;

/** The part of a range after an entry, as SQL conditions and their parameters. */
export function between(
  column: string,
  { low, high }: KeyRange,
  after: Position | undefined,
  reverse: boolean,
): { conditions: string[]; values: Bindable[] } {
  const conditions: string[] = [];
  const values: Bindable[] = [];
  const rid = column.replace(/[^.]+$/, 'rid');
  if (low && !(after && !reverse)) {
    conditions.push(`${column} >= ?`);
    values.push(low);
  }
  if (high && !(after && reverse)) {
    conditions.push(`${column} < ?`);
    values.push(high);
  }
  if (after) {
    conditions.push(`(${column}, ${rid}) ${reverse ? '<' : '>'} (?, ?)`);
    values.push(after.key, after.rid);
  }
  return { conditions, values };
}
