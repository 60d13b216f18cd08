import { decode } from '../bson/codec.ts';
import type { Doc } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import type { KeyRange } from './bounds.ts';
import { type Collection, collectionDropped, type Index } from './catalogue.ts';

/** A stored document as it was found; `doc` is there once it was decoded. */
export interface Row {
  rid: number;
  body: Buffer;
  doc: Doc | undefined;
}

export const docOf = (row: Row): Doc => {
  row.doc ??= decode(row.body);
  return row.doc;
};

/** Tells of a document's bytes whether it matches. */
export type BodyTest = (body: Buffer) => boolean;

/** Bytes of documents that one page may have. */
export const PAGE_BYTES = 4 * 1024 * 1024;

/** A step ends after this time, in ms, so that a slow filter neither delays others nor outlives maxTimeMS by much. */
export const STEP_MS = 5;

/**
 * The rows that are accepted, of those at the beginning that the wanted number and the time, in ms, allow.
 *
 * @returns how many rows were taken; the others are read again, as they may have changed by then
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

/** The part of a range behind an entry, as conditions of SQL and what they are bound to. */
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
