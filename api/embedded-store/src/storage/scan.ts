import type { StatementSync } from 'node:sqlite';
import type { KeyRange } from './bounds.ts';
import type { Collection, Index } from './catalogue.ts';
import type { Database } from './database.ts';
import { asBuffer } from './documents.ts';
import {
  type Bindable,
  type BodyTest,
  between,
  PAGE_BYTES,
  type Position,
  positionOf,
  type Row,
  refuseDropped,
  STEP_MS,
  stretchOf,
  take,
} from './paging.ts';
import type { Plan } from './plan.ts';
import { countProbed, isProbed, probedScan } from './probes.ts';
import type { Source } from './sources.ts';

const FIRST_PAGE = 64;
export const LARGEST_PAGE = 512;

/**
 * The documents of a plan, page by page. No statement stays open between pages, as each page begins after the last key of the one before. So
 * other commands can run in between, also writes, and the WAL can be checkpointed.
 *
 * @param expected how many documents the query asks for; 0 if it does not say
 * @param largest the maximum of documents in the next page
 * @param idsOnly the bodies have the `_id` only, so that long documents need not be read
 * @param skip documents to leave out at the beginning, without reading them; only for a contiguous plan
 */
export function scan(
  db: Database,
  collection: Collection,
  plan: Plan,
  test: BodyTest | undefined,
  expected: number,
  largest: () => number,
  idsOnly = false,
  skip = 0,
): Source<Row> {
  if (isProbed(plan)) return probedScan(db, collection, plan, test, expected, largest);
  const read = plan.index
    ? indexReader(db, collection, plan.index, plan.reverse, idsOnly && plan.index.id !== 0)
    : tableReader(db, collection);
  const seen = plan.repeats ? new Set<number>() : undefined;
  const ranges = [...plan.ranges];
  let size = expected > 0 ? expected : FIRST_PAGE;
  let after: Position | undefined;
  let toSkip = skip;

  const accepts = (row: Row) => {
    if (seen?.has(row.rid)) return false;
    seen?.add(row.rid);
    return !test || test(row.body);
  };

  return {
    pull(most = Number.POSITIVE_INFINITY) {
      refuseDropped(collection, plan.index);
      const range = ranges[0];
      if (!range) return undefined;
      if (toSkip > 0 && plan.index) {
        after = stretchOf(db, plan.index, range, undefined, plan.reverse, toSkip).edge;
        db.counts.entries += toSkip;
        toSkip = 0;
        if (!after) return undefined;
      }
      size = Math.min(size, largest());
      const page = read(range, after, test || seen ? size : Math.min(size, most));
      const { found, taken } = take(page.rows, accepts, most, test ? STEP_MS : Number.POSITIVE_INFINITY);
      db.counts.entries += taken;
      db.counts.rows += taken;
      const isWhole = taken === page.rows.length;
      after = page.positions[taken - 1];
      if (isWhole && page.ended) {
        ranges.shift();
        after = undefined;
      }
      size = isWhole ? size * 2 : Math.max(1, taken);
      return found;
    },
  };
}

/** Whether the documents of a plan are one range of index entries, so that a number of entries can be skipped. */
export const isContiguous = ({ index, ranges, exact, sorted, repeats, probes }: Plan): boolean =>
  index !== undefined && exact && sorted && !repeats && probes.length === 0 && ranges.length === 1;

interface Page {
  rows: Row[];
  /** The index entries of the rows. */
  positions: Position[];
  ended: boolean;
}

type Reader = (range: KeyRange, after: Position | undefined, size: number) => Page;

function indexReader(
  db: Database,
  { table }: Collection,
  index: Index,
  reverse: boolean,
  idsOnly: boolean,
): Reader {
  const from =
    index.id === 0
      ? `SELECT x.id AS k, x.rid AS rid, x.body AS body FROM ${table} x INDEXED BY ${table}_id`
      : `SELECT x.k AS k, x.rid AS rid, c.${idsOnly ? 'id' : 'body'} AS body FROM ${index.table} x CROSS JOIN ${table} c ON c.rid = x.rid`;
  const column = index.id === 0 ? 'x.id' : 'x.k';
  const bodyOf = (rid: number) => {
    const found = db.statement(`SELECT body FROM ${table} WHERE rid = ?`).get(rid);
    return asBuffer(found?.body as Uint8Array);
  };

  return (range, after, size) => {
    const { where, order, values } = between(column, range, after, reverse);
    const page = readPage(db.statement(`${from} ${where} ${order} LIMIT ?`), values, size);
    if (idsOnly) for (const row of page.rows) row.body = idDocument(row.body) ?? bodyOf(row.rid);
    return page;
  };
}

function tableReader(db: Database, { table }: Collection): Reader {
  return (_range, after, size) => {
    const statement = db.statement(`SELECT rid, body FROM ${table} WHERE rid > ? ORDER BY rid LIMIT ?`);
    return readPage(statement, [after?.rid ?? 0], size);
  };
}

function readPage(statement: StatementSync, values: Bindable[], size: number): Page {
  const rows: Row[] = [];
  const positions: Position[] = [];
  let bytes = 0;
  for (const found of statement.iterate(...values, size)) {
    const body = asBuffer(found.body as Uint8Array);
    const position = positionOf(found);
    rows.push({ rid: position.rid, body, doc: undefined });
    positions.push(position);
    bytes += body.length;
    if (bytes > PAGE_BYTES) return { rows, positions, ended: false };
  }
  return { rows, positions, ended: rows.length < size };
}

/** The entries that a count reads in one step. */
const COUNT_SLICE = 20_000;

/** Counts in steps, without reading documents. Only for an exact plan that finds no document twice. */
export function* countEntries(
  db: Database,
  collection: Collection,
  plan: Plan,
  most: number,
): Generator<void, number> {
  if (isProbed(plan)) return yield* countProbed(db, plan, most);
  const index = plan.index ?? { table: collection.table, column: 'id' };
  let total = 0;
  for (const range of plan.ranges) {
    let after: Position | undefined;
    for (;;) {
      const step = Math.min(COUNT_SLICE, most - total);
      if (step <= 0) return total;
      const { entries, edge } = stretchOf(db, index, range, after, false, step);
      total += entries;
      db.counts.entries += entries;
      if (!edge) break;
      after = edge;
      yield;
    }
  }
  return total;
}

/** Counts entries for the planner, up to a limit; included in the read counts. */
export const createEstimate =
  (db: Database) =>
  (index: Index, range: KeyRange, limit: number): number => {
    const { entries } = stretchOf(db, index, range, undefined, false, limit);
    db.counts.entries += entries;
    return entries;
  };

const STRING_TAG = 0x0f;
const TYPE_OF_STRING = 0x02;

/** `{ _id }` as BSON, derived from the index key; undefined unless the id is a string without NUL. */
function idDocument(key: Buffer): Buffer | undefined {
  const end = key.length - 2;
  if (key[0] !== STRING_TAG || key.indexOf(0, 1) !== end) return undefined;
  const length = end - 1;
  const body = Buffer.alloc(length + 15);
  body.writeInt32LE(length + 15, 0);
  body[4] = TYPE_OF_STRING;
  body.write('_id', 5, 'latin1');
  body.writeInt32LE(length + 1, 9);
  key.copy(body, 13, 1, end);
  return body;
}
