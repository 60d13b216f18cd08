import type { KeyRange } from './bounds.ts';
import type { Collection, Index } from './catalogue.ts';
import type { Database } from './database.ts';
import { asBuffer } from './documents.ts';
import {
  type BodyTest,
  between,
  PAGE_BYTES,
  type Position,
  positionOf,
  type Row,
  refuseDropped,
  STEP_MS,
  type Stretch,
  stretchOf,
  take,
} from './paging.ts';
import type { Plan } from './plan.ts';
import type { Source } from './sources.ts';

/** Entries that one pull reads: few at first, as a page of frequent words is found soon. */
const FIRST_ENTRIES = 128;
const MAX_ENTRIES = 8192;

type ProbedPlan = Plan & { index: Index };

export const isProbed = (plan: Plan): plan is ProbedPlan =>
  plan.index !== undefined && plan.probes.length > 0;

/**
 * The documents of a range that have all probed values, in the order of the index. The entries of one value are read, the other values are
 * looked up by their keys, and only documents that have all of them are read.
 */
export function probedScan(
  db: Database,
  collection: Collection,
  plan: ProbedPlan,
  test: BodyTest | undefined,
  expected: number,
  largest: () => number,
): Source<Row> {
  const ranges = [...plan.ranges];
  let after: Position | undefined;
  let entries = Math.max(FIRST_ENTRIES, expected);

  return {
    pull(wanted = Number.POSITIVE_INFINITY) {
      refuseDropped(collection, plan.index);
      const range = ranges[0];
      if (!range) return undefined;
      const stretch = stretchOf(db, plan.index, range, after, plan.reverse, entries);
      const largestNow = Math.min(largest(), expected > 0 ? Math.max(expected, 16) : largest());
      const most = test ? largestNow : Math.min(largestNow, wanted);
      const { where, order, values } = hitsBetween(plan, range, after, stretch.edge);
      const hits = db
        .statement(`SELECT x.k AS k, x.rid AS rid FROM ${plan.index.table} x ${where} ${order} LIMIT ?`)
        .all(...values, most)
        .map(positionOf);
      const rows = fetchAll(db, collection, hits);
      const accepts = ({ body }: Row) => !test || test(body);
      const { found, taken } = take(rows, accepts, wanted, test ? STEP_MS : Number.POSITIVE_INFINITY);
      db.counts.rows += taken;
      const last = taken === hits.length && hits.length < most ? stretch.edge : hits[taken - 1];
      db.counts.entries += entriesRead(db, plan, range, after, stretch, last);
      after = last;
      if (!last) ranges.shift();
      entries = Math.min(entries * 4, MAX_ENTRIES);
      return found;
    },
  };
}

/** Counts the documents that have all probed values, up to `most`, from the index alone. */
export function* countProbed(db: Database, plan: ProbedPlan, most: number): Generator<void, number> {
  let total = 0;
  for (const range of plan.ranges) {
    let after: Position | undefined;
    do {
      if (total >= most) return total;
      const { entries, edge } = stretchOf(db, plan.index, range, after, plan.reverse, MAX_ENTRIES);
      const { where, values } = hitsBetween(plan, range, after, edge);
      const left = Math.min(most - total, MAX_ENTRIES);
      const found = db
        .statement(`SELECT count(*) AS n FROM (SELECT 1 FROM ${plan.index.table} x ${where} LIMIT ?)`)
        .get(...values, left);
      total += Number(found?.n);
      db.counts.entries += entries * (1 + plan.probes.length);
      after = edge;
      if (edge) yield;
    } while (after);
  }
  return total;
}

function hitsBetween(
  { index, probes, reverse }: ProbedPlan,
  range: KeyRange,
  after: Position | undefined,
  edge: Position | undefined,
): ReturnType<typeof between> {
  const { where, order, values } = between('x.k', range, after, reverse, edge);
  const holds = ` AND EXISTS (SELECT 1 FROM ${index.table} y WHERE y.k = CAST(? || substr(x.k, ?) AS BLOB) AND y.rid = x.rid)`;
  // Positions in SQL begin with 1.
  const probed = probes.flatMap(({ prefix, from }) => [prefix, from + 1]);
  return { where: where + holds.repeat(probes.length), order, values: [...values, ...probed] };
}

/** Reads the documents, until they have the bytes of a page. */
function fetchAll(db: Database, { table }: Collection, hits: readonly Position[]): Row[] {
  const fetch = db.statement(`SELECT body FROM ${table} WHERE rid = ?`);
  const rows: Row[] = [];
  let bytes = 0;
  for (const { rid } of hits) {
    const body = asBuffer(fetch.get(rid)?.body as Uint8Array);
    rows.push({ rid, body, doc: undefined });
    bytes += body.length;
    if (bytes > PAGE_BYTES) break;
  }
  return rows;
}

/** How many entries a pull has read: those up to `last`, and as many look-ups of each probed value. */
function entriesRead(
  db: Database,
  { index, probes, reverse }: ProbedPlan,
  range: KeyRange,
  after: Position | undefined,
  { entries, edge }: Stretch,
  last: Position | undefined,
): number {
  const each = 1 + probes.length;
  if (last === edge || !last) return entries * each;
  const { where, values } = between('k', range, after, reverse, last);
  const read = db.statement(`SELECT count(*) AS n FROM ${index.table} ${where}`).get(...values);
  return Number(read?.n) * each;
}
