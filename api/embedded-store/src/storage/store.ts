import { decode } from '../bson/codec.ts';
import { encodeKey } from '../bson/key-encoding.ts';
import { keepFields } from '../bson/top-fields.ts';
import { type Doc, isDoc, kindOf, type Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { compileFilter, filterRoots, type Matcher } from '../query/matcher.ts';
import { type Catalogue, type Collection, openCatalogue } from './catalogue.ts';
import { type Database, openDatabase } from './database.ts';
import { asBuffer, createDocuments, type Documents } from './documents.ts';
import { type KeyField, sortKeyOf } from './index-keys.ts';
import { type BodyTest, PAGE_BYTES, type Row, refuseDropped } from './paging.ts';
import { type Plan, planFor } from './plan.ts';
import { createEstimate, isContiguous, LARGEST_PAGE, scan } from './scan.ts';
import { limited, type Source, withoutFirst } from './sources.ts';

export interface Store {
  db: Database;
  catalogue: Catalogue;
  documents: Documents;
}

export function openStore(file: string): Store {
  const db = openDatabase(file);
  const catalogue = openCatalogue(db);
  return { db, catalogue, documents: createDocuments(db, catalogue) };
}

/** A query; `limit` 0 for all documents. */
export interface Query {
  filter: Doc;
  sort: KeyField[];
  limit: number;
  /** Documents to leave out at the beginning. Default 0. */
  skip?: number;
  /** Only the `_id` of each document is needed. */
  idsOnly?: boolean;
}

export const plannedFor = (store: Store, collection: Collection, filter: Doc, sort: KeyField[]): Plan =>
  planFor(collection, filter, sort, createEstimate(store.db));

/** The rows that match, in order. The filter is checked even if the collection does not exist. */
export function findRows(
  store: Store,
  collection: Collection | undefined,
  query: Query,
  largestPage = () => LARGEST_PAGE,
): Source<Row> {
  const { skip = 0 } = query;
  const match = compileFilter(query.filter);
  if (!collection) return { pull: () => undefined };
  const ids = query.sort.length === 0 ? idsAskedFor(query.filter) : undefined;
  if (ids) return limited(withoutFirst(rowsById(store.db, collection, ids, largestPage), skip), query.limit);
  const asked = query.limit && query.limit + skip;
  const plan = plannedFor(store, collection, query.filter, query.sort);
  const isSkipped = skip > 0 && isContiguous(plan);
  const rows = scan(
    store.db,
    collection,
    plan,
    plan.exact ? undefined : bodyTest(query.filter, match),
    plan.sorted ? (isSkipped ? query.limit : asked) : 0,
    largestPage,
    query.idsOnly === true && plan.exact && plan.sorted,
    isSkipped ? skip : 0,
  );
  const ordered = plan.sorted ? rows : sortedRows(rows, query.sort, asked);
  return limited(isSkipped ? ordered : withoutFirst(ordered, skip), query.limit);
}

/** Decodes only the fields that the filter reads. */
function bodyTest(filter: Doc, match: Matcher): BodyTest {
  const roots = filterRoots(filter);
  return (body) => match(decode(keepFields(body, roots)));
}

/** Sorted distinct keys of a filter of `_id` alone, by value or `$in`: most queries, without a plan. */
function idsAskedFor(filter: Doc): Buffer[] | undefined {
  const names = Object.keys(filter);
  if (names.length !== 1 || names[0] !== '_id') return undefined;
  const operand = filter._id as Value;
  if (isPlain(operand)) return [encodeKey(operand)];
  if (!isDoc(operand)) return undefined;
  const operators = Object.keys(operand);
  const list = operand.$in;
  if (operators.length !== 1 || !Array.isArray(list) || !list.every(isPlain)) return undefined;
  const keys = list.map(encodeKey).sort(Buffer.compare);
  return keys.filter((key, at) => at === 0 || !key.equals(keys[at - 1] as Buffer));
}

const PLAIN: ReadonlySet<string> = new Set(['string', 'objectId', 'int', 'long', 'double', 'date', 'bool']);

function isPlain(value: Value): boolean {
  return PLAIN.has(kindOf(value));
}

const MAX_PAGE = 64;

/** The documents with these keys, in the order of the keys. */
function rowsById(db: Database, collection: Collection, keys: readonly Buffer[], largest: () => number) {
  let at = 0;
  return {
    // With several ids MongoDB leaves the cursor open after a full batch, with a single one it does not.
    isOver: () => keys.length === 1 && at > 0,
    pull(most = MAX_PAGE) {
      refuseDropped(collection, undefined);
      if (at >= keys.length) return undefined;
      const statement = db.statement(`SELECT rid, body FROM ${collection.table} WHERE id = ?`);
      const end = Math.min(keys.length, at + Math.max(1, Math.min(MAX_PAGE, largest())));
      const rows: Row[] = [];
      let bytes = 0;
      while (at < end && bytes < PAGE_BYTES && rows.length < most) {
        const found = statement.get(keys[at++] as Buffer);
        if (!found) continue;
        const body = asBuffer(found.body as Uint8Array);
        rows.push({ rid: Number(found.rid), body, doc: undefined });
        bytes += body.length;
      }
      db.counts.entries += rows.length;
      db.counts.rows += rows.length;
      return rows;
    },
  };
}

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
