import { decode, storableOf, toStorable } from '../bson/codec.ts';
import { type Doc, isDoc, type Value } from '../bson/values.ts';
import { failedToParse, StoreError, typeMismatch } from '../errors.ts';
import type { Collection } from '../storage/catalogue.ts';
import { docOf, type Row } from '../storage/scan.ts';
import { findRows, type Store } from '../storage/store.ts';
import { applyUpdate } from '../update/apply-update.ts';
import { parseUpdate, type Update } from '../update/parse-update.ts';
import { checkArrayFilters, type Positions, parseArrayFilters } from '../update/positional.ts';
import { upserted } from '../update/upsert.ts';
import { checkCommand, checkFields } from './fields.ts';
import { collectionName, ensureCollection, flag, type Request, type Steps, writeError } from './request.ts';

const MAX_BATCH = 100_000;
/** How much one command writes before others may have their turn: so many documents, or index entries of theirs. */
const WRITES_A_STEP = 48;
const ENTRIES_A_STEP = 1500;

/** Keeps the steps of a writing command short: of documents with many index entries it takes fewer. */
interface Pace {
  /** How many documents the next step may take. */
  documents(): number;
  /** To be told after each step. */
  took(documents: number): void;
}

function paceOf({ documents }: Store): Pace {
  let size = 2;
  let mark = documents.entriesWritten();
  return {
    documents: () => size,
    took(count) {
      if (count === 0) return;
      const each = (documents.entriesWritten() - mark) / count + 1;
      mark = documents.entriesWritten();
      size = Math.max(1, Math.min(WRITES_A_STEP, 2 * size, Math.floor(ENTRIES_A_STEP / each)));
    },
  };
}

function checkBatch(items: Value[]): void {
  if (items.length > 0 && items.length <= MAX_BATCH) return;
  throw new StoreError(
    16,
    `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${items.length} operations.`,
  );
}

/** `insert`; its documents come as bytes, see the reading of messages. */
export function* insert(request: Request): Steps {
  const { command, store } = request;
  checkCommand('insert', command, {
    required: { documents: 'array' },
    optional: { ordered: 'bool', bypassDocumentValidation: 'bool' },
  });
  const documents = command.documents as unknown as Uint8Array[];
  checkBatch(command.documents as Value[]);
  const name = collectionName(request);
  const writeErrors: object[] = [];
  let n = 0;
  let stepFrom = store.documents.entriesWritten();
  for (const [i, bytes] of documents.entries()) {
    if (!(bytes instanceof Uint8Array))
      throw typeMismatch("BSON field 'insert.documents' must hold documents");
    try {
      const storable = toStorable(bytes);
      store.db.atomically(() => store.documents.insert(ensureCollection(request, name), storable));
      n++;
    } catch (error) {
      writeErrors.push(writeError(i, error));
      if (command.ordered !== false) break;
    }
    const entries = store.documents.entriesWritten() - stepFrom;
    if (i % WRITES_A_STEP < WRITES_A_STEP - 1 && entries < ENTRIES_A_STEP) continue;
    yield;
    stepFrom = store.documents.entriesWritten();
  }
  return answer({ n }, writeErrors);
}

const answer = (fields: object, writeErrors: object[]) =>
  writeErrors.length > 0 ? { ...fields, writeErrors, ok: 1 } : { ...fields, ok: 1 };

export function* update(request: Request): Steps {
  const { command } = request;
  checkCommand('update', command, {
    required: { updates: 'array' },
    optional: { ordered: 'bool', bypassDocumentValidation: 'bool' },
    refused: ['let'],
  });
  const statements = (command.updates as Value[]).map(checkStatement);
  checkBatch(statements);
  const name = collectionName(request);
  const writeErrors: object[] = [];
  const inserted: object[] = [];
  let n = 0;
  let nModified = 0;
  for (const [index, statement] of statements.entries()) {
    try {
      const done = yield* updateOne(request, name, statement);
      n += done.n;
      nModified += done.nModified;
      if (done.upserted) inserted.push({ index, _id: done.upserted._id });
    } catch (error) {
      writeErrors.push(writeError(index, error));
      if (command.ordered !== false) break;
    }
  }
  const fields = inserted.length > 0 ? { n, nModified, upserted: inserted } : { n, nModified };
  return answer(fields, writeErrors);
}

interface Updated {
  n: number;
  nModified: number;
  upserted: Doc | undefined;
}

/** A statement of another form fails the whole command, before the first of them runs. */
function checkStatement(statement: Value): Doc {
  if (!isDoc(statement)) throw typeMismatch("BSON field 'update.updates' must hold objects");
  checkFields('update.updates', statement, {
    required: { q: 'object', u: 'any' },
    optional: { multi: 'bool', upsert: 'bool', arrayFilters: 'array' },
    refused: ['hint', 'collation', 'c', 'sort'],
  });
  return statement;
}

function* updateOne(request: Request, name: string, statement: Doc): Generator<void, Updated> {
  const { store, database } = request;
  const filter = statement.q as Doc;
  const change = prepareUpdate(filter, statement.u as Value, statement.arrayFilters as Value[] | undefined);
  const multi = flag(statement.multi);
  if (multi && 'replacement' in change.update) {
    throw failedToParse('multi update is not supported for replacement-style update');
  }
  const collection = store.catalogue.find(database, name);
  const pace = paceOf(store);
  const query = { filter, sort: [], skip: 0, limit: multi ? 0 : 1 };
  const rows = findRows(store, collection, query, pace.documents);
  const seen = new Set<number>();
  const done: Updated = { n: 0, nModified: 0, upserted: undefined };
  for (let page = rows.pull(); page; page = rows.pull()) {
    for (const row of page) {
      if (seen.has(row.rid)) continue;
      seen.add(row.rid);
      if (updateRow(store, collection as Collection, row, change)) done.nModified++;
      done.n++;
    }
    pace.took(page.length);
    yield;
  }
  if (done.n > 0 || !flag(statement.upsert)) return done;
  return { n: 1, nModified: 0, upserted: insertUpserted(request, name, filter, change) };
}

/** An update that was read and checked once, for all the documents it meets. */
export interface PreparedUpdate {
  update: Update;
  positions: Positions;
  /** The documents' own fields that it may change; undefined for a replacement. */
  touched: ReadonlySet<string> | undefined;
}

export function prepareUpdate(filter: Doc, change: Value, arrayFilters: Value[] = []): PreparedUpdate {
  const update = parseUpdate(change);
  const positions = { filter, arrayFilters: parseArrayFilters(arrayFilters) };
  checkArrayFilters('changes' in update ? update.changes.map(({ path }) => path) : [], positions);
  const touched =
    'changes' in update ? new Set(update.changes.map(({ path }) => path[0] as string)) : undefined;
  return { update, positions, touched };
}

/**
 * Where nothing changed, nothing is written.
 *
 * @returns whether the document counts as modified: as in MongoDB also when a replacement without an `_id` is what was there
 */
export function updateRow(store: Store, collection: Collection, row: Row, change: PreparedUpdate): boolean {
  const next = storableOf(applyUpdate(decode(row.body), change.update, change.positions, false));
  if (next.body.equals(row.body))
    return 'replacement' in change.update && !Object.hasOwn(change.update.replacement, '_id');
  store.db.atomically(() => store.documents.replace(collection, row.rid, docOf(row), next, change.touched));
  row.doc = next.doc;
  row.body = next.body;
  return true;
}

export function insertUpserted(request: Request, name: string, filter: Doc, change: PreparedUpdate): Doc {
  const storable = storableOf(upserted(filter, change.update, change.positions));
  const { db, documents } = request.store;
  db.atomically(() => documents.insert(ensureCollection(request, name), storable));
  return storable.doc;
}

function* deleteSteps(request: Request): Steps {
  const { command, store, database } = request;
  checkCommand('delete', command, {
    required: { deletes: 'array' },
    optional: { ordered: 'bool' },
    refused: ['let'],
  });
  const statements = (command.deletes as Value[]).map(parseDelete);
  checkBatch(command.deletes as Value[]);
  const name = collectionName(request);
  const writeErrors: object[] = [];
  let n = 0;
  for (const [index, { filter, limit }] of statements.entries()) {
    try {
      n += yield* deleteMatching(store, store.catalogue.find(database, name), filter, limit);
    } catch (error) {
      writeErrors.push(writeError(index, error));
      if (command.ordered !== false) break;
    }
  }
  return answer({ n }, writeErrors);
}

export { deleteSteps as delete };

function parseDelete(statement: Value): { filter: Doc; limit: number } {
  if (!isDoc(statement)) throw typeMismatch("BSON field 'delete.deletes' must hold objects");
  checkFields('delete.deletes', statement, {
    required: { q: 'object', limit: 'natural' },
    refused: ['hint', 'collation'],
  });
  const limit = Number(statement.limit);
  if (limit > 1) throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${limit}`);
  return { filter: statement.q as Doc, limit };
}

/** Page by page, so that the deletion of many stalls nobody and the WAL stays small. */
export function* deleteMatching(
  store: Store,
  collection: Collection | undefined,
  filter: Doc,
  limit: number,
): Generator<void, number> {
  const pace = paceOf(store);
  const rows = findRows(store, collection, { filter, sort: [], skip: 0, limit }, pace.documents);
  let n = 0;
  for (let page = rows.pull(); page; page = rows.pull()) {
    const found = page;
    store.db.atomically(() => {
      for (const row of found) store.documents.remove(collection as Collection, row.rid, docOf(row));
    });
    n += found.length;
    pace.took(found.length);
    yield;
  }
  return n;
}
