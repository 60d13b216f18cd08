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
  type Row,
  refuseDropped,
  STEP_MS,
  take,
} from './paging.ts';
import type { Probe } from './plan.ts';
import type { Source } from './sources.ts';

/** Entries that one pull reads: few at first, as a page of frequent words is found soon. */
const FIRST_ENTRIES = 128;
const MAX_ENTRIES = 8192;

interface Probed {
  db: Database;
  index: Index;
  probes: readonly Probe[];
  reverse: boolean;
}

/** The entries that one pull reads: their number, and the last one; undefined at the end of the range. */
interface Stretch {
  entries: number;
  edge: Position | undefined;
}

/**
 * The documents of a range that have all probed values, in the order of the index. The entries of one value are read, the other values are
 * looked up by their keys, and only documents that have all of them are read.
 */
export function probedScan(
  db: Database,
  collection: Collection,
  plan: { index: Index; ranges: readonly KeyRange[]; probes: readonly Probe[]; reverse: boolean },
  test: BodyTest | undefined,
  expected: number,
  largest: () => number,
): Source<Row> {
  const probed: Probed = { db, ...plan };
  const ranges = [...plan.ranges];
  let after: Position | undefined;
  let entries = Math.max(FIRST_ENTRIES, expected);

  return {
    pull(wanted = Number.POSITIVE_INFINITY) {
      refuseDropped(collection, plan.index);
      const range = ranges[0];
      if (!range) return undefined;
      const stretch = stretchOf(probed, range, after, entries);
      const largestNow = Math.min(largest(), expected > 0 ? Math.max(expected, 16) : largest());
      const most = test ? largestNow : Math.min(largestNow, wanted);
      const hits = hitsOf(probed, range, after, stretch.edge, most);
      const rows = fetchAll(db, collection, hits);
      const accepts = ({ body }: Row) => !test || test(body);
      const { found, taken } = take(rows, accepts, wanted, test ? STEP_MS : Number.POSITIVE_INFINITY);
      db.counts.rows += taken;
      const last = taken === hits.length && hits.length < most ? stretch.edge : hits[taken - 1];
      db.counts.entries += entriesRead(probed, range, after, stretch, last);
      after = last;
      if (!last) ranges.shift();
      entries = Math.min(entries * 4, MAX_ENTRIES);
      return found;
    },
  };
}

/** Counts the documents that have all probed values, up to `most`, from the index alone. */
export function* countProbed(
  db: Database,
  plan: { index: Index; ranges: readonly KeyRange[]; probes: readonly Probe[] },
  most: number,
): Generator<void, number> {
  const probed: Probed = { db, ...plan, reverse: false };
  let total = 0;
  for (const range of plan.ranges) {
    let after: Position | undefined;
    do {
      if (total >= most) return total;
      const { entries, edge } = stretchOf(probed, range, after, MAX_ENTRIES);
      const { where, values } = hitsWhere(probed, range, after, edge);
      const left = Math.min(most - total, MAX_ENTRIES);
      const found = db
        .statement(`SELECT count(*) AS n FROM (SELECT 1 FROM ${probed.index.table} x WHERE ${where} LIMIT ?)`)
        .get(...values, left);
      total += Number(found?.n);
      db.counts.entries += entries * (1 + plan.probes.length);
      after = edge;
      if (edge) yield;
    } while (after);
  }
  return total;
}

/** Finds the last of the next `most` entries, by an offset, which is much faster than reading them. */
function stretchOf(
  { db, index, reverse }: Probed,
  range: KeyRange,
  after: Position | undefined,
  most: number,
): Stretch {
  const { conditions, values } = between('x.k', range, after, reverse);
  const from = `FROM ${index.table} x WHERE ${conditions.join(' AND ')} ${orderOf(reverse)}`;
  const edge = db
    .statement(`SELECT x.k AS k, x.rid AS rid ${from} LIMIT 1 OFFSET ?`)
    .get(...values, most - 1);
  if (edge) return { entries: most, edge: { key: asBuffer(edge.k as Uint8Array), rid: Number(edge.rid) } };
  const rest = db.statement(`SELECT count(*) AS n FROM (SELECT 1 ${from} LIMIT ?)`).get(...values, most);
  return { entries: Number(rest?.n), edge: undefined };
}

const orderOf = (reverse: boolean) => (reverse ? 'ORDER BY x.k DESC, x.rid DESC' : 'ORDER BY x.k, x.rid');

function hitsWhere(
  { index, probes, reverse }: Probed,
  range: KeyRange,
  after: Position | undefined,
  edge: Position | undefined,
): { where: string; values: Bindable[] } {
  const { conditions, values } = between('x.k', range, after, reverse);
  if (edge) {
    conditions.push(`(x.k, x.rid) ${reverse ? '>=' : '<='} (?, ?)`);
    values.push(edge.key, edge.rid);
  }
  for (const { prefix, from } of probes) {
    conditions.push(
      `EXISTS (SELECT 1 FROM ${index.table} y WHERE y.k = CAST(? || substr(x.k, ?) AS BLOB) AND y.rid = x.rid)`,
    );
    // Positions in SQL begin with 1.
    values.push(prefix, from + 1);
  }
  return { where: conditions.join(' AND '), values };
}

function hitsOf(
  probed: Probed,
  range: KeyRange,
  after: Position | undefined,
  edge: Position | undefined,
  most: number,
): Position[] {
  const { where, values } = hitsWhere(probed, range, after, edge);
  const found = probed.db
    .statement(
      `SELECT x.k AS k, x.rid AS rid FROM ${probed.index.table} x WHERE ${where} ${orderOf(probed.reverse)} LIMIT ?`,
    )
    .all(...values, most);
  return found.map(({ k, rid }) => ({ key: asBuffer(k as Uint8Array), rid: Number(rid) }));
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
  { db, index, probes, reverse }: Probed,
  range: KeyRange,
  after: Position | undefined,
  { entries, edge }: Stretch,
  last: Position | undefined,
): number {
  const each = 1 + probes.length;
  if (last === edge || !last) return entries * each;
  const { conditions, values } = between('x.k', range, after, reverse);
  conditions.push(`(x.k, x.rid) ${reverse ? '>=' : '<='} (?, ?)`);
  const read = db
    .statement(`SELECT count(*) AS n FROM ${index.table} x WHERE ${conditions.join(' AND ')}`)
    .get(...values, last.key, last.rid);
  return Number(read?.n) * each;
}
