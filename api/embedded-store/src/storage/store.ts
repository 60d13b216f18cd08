import { decode } from '../bson/codec.ts';
import { keepFields } from '../bson/top-fields.ts';
import type { Doc } from '../bson/values.ts';
import { compileFilter, filterRoots, type Matcher } from '../query/matcher.ts';
import { idsAskedFor, rowsById } from './by-id.ts';
import { type Catalogue, type Collection, openCatalogue } from './catalogue.ts';
import { type Database, openDatabase } from './database.ts';
import { createDocuments, type Documents } from './documents.ts';
import type { KeyField } from './index-keys.ts';
import type { BodyTest, Row } from './paging.ts';
import { type Plan, planFor } from './plan.ts';
import { createEstimate, isContiguous, LARGEST_PAGE, scan } from './scan.ts';
import { sortedRows } from './sort-rows.ts';
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
