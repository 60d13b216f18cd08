import type { SQLOutputValue } from 'node:sqlite';
import { decode } from '../bson/codec.ts';
import type { Doc } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import type { KeyRange } from './bounds.ts';
import { type Collection, collectionDropped, type Index } from './catalogue.ts';
import type { Database } from './database.ts';
import { asBuffer } from './documents.ts';

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
export function take(rows: readonly Row[], accepts: (row: Row) => boolean, most: number, time: number) {
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

export const positionOf = ({ k, rid }: Record<string, SQLOutputValue>): Position => ({
  key: k ? asBuffer(k as Uint8Array) : NO_KEY,
  rid: Number(rid),
});

const NO_KEY = Buffer.alloc(0);

export type Bindable = Buffer | number;

/** The entries of a range after an entry, up to and including the entry `last`, in the order of a plan: as SQL and its parameters. */
export function between(
  column: string,
  { low, high }: KeyRange,
  after: Position | undefined,
  reverse: boolean,
  last?: Position,
): { where: string; order: string; values: Bindable[] } {
  const conditions: string[] = [];
  const values: Bindable[] = [];
  const rid = column.replace(/[^.]+$/, 'rid');
  if (!after || reverse) {
    conditions.push(`${column} >= ?`);
    values.push(low ?? NO_KEY);
  }
  if (high && !(after && reverse)) {
    conditions.push(`${column} < ?`);
    values.push(high);
  }
  if (after) {
    conditions.push(`(${column}, ${rid}) ${reverse ? '<' : '>'} (?, ?)`);
    values.push(after.key, after.rid);
  }
  if (last) {
    conditions.push(`(${column}, ${rid}) ${reverse ? '>=' : '<='} (?, ?)`);
    values.push(last.key, last.rid);
  }
  const order = reverse ? `ORDER BY ${column} DESC, ${rid} DESC` : `ORDER BY ${column}, ${rid}`;
  return { where: `WHERE ${conditions.join(' AND ')}`, order, values };
}

/** Some of the next entries: their number, and the last one; undefined at the end of the range. */
export interface Stretch {
  entries: number;
  edge: Position | undefined;
}

/** Finds the last of the next `most` entries by an offset, which is much faster than reading them. */
export function stretchOf(
  db: Database,
  { table, column }: Pick<Index, 'table' | 'column'>,
  range: KeyRange,
  after: Position | undefined,
  reverse: boolean,
  most: number,
): Stretch {
  const { where, order, values } = between(column, range, after, reverse);
  const from = `FROM ${table} ${where} ${order}`;
  const edge = db.statement(`SELECT ${column} AS k, rid ${from} LIMIT 1 OFFSET ?`).get(...values, most - 1);
  if (edge) return { entries: most, edge: positionOf(edge) };
  const rest = db.statement(`SELECT count(*) AS n FROM (SELECT 1 ${from} LIMIT ?)`).get(...values, most);
  return { entries: Number(rest?.n), edge: undefined };
}
