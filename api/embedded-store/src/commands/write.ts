import { decode, storableOf, toStorable } from '../bson/codec.ts';
import { type Doc, isDoc, isTruthy, type Value } from '../bson/values.ts';
import { failedToParse, StoreError, typeMismatch } from '../errors.ts';
import { compileProjection } from '../query/projection.ts';
import type { Collection } from '../storage/catalogue.ts';
import { docOf, type Row } from '../storage/paging.ts';
import { findRows, type Store } from '../storage/store.ts';
import { applyUpdate, upserted } from '../update/apply-update.ts';
import { type Change, checkUpdateType, parseUpdate } from '../update/parse-update.ts';
import { checkFields, type Fields } from './fields.ts';
import { type Command, collectionName, ensureCollection, type Request, writeError } from './request.ts';

const MAX_BATCH = 100_000;
/** Documents and index entries that a command writes at most before others may run. */
const WRITES_A_STEP = 48;
const ENTRIES_A_STEP = 1500;

/** Limits the steps of a writing command: fewer documents where they have many index entries. */
function paceOf({ documents }: Store) {
  let size = 2;
  let mark = documents.entriesWritten();
  return {
    documents: () => size,
    /** Must be called after each step. */
    took(count: number): void {
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

/** `insert`. Its documents are the bytes that the client sent, see wire/messages.ts. */
export const insert: Command = {
  writes: true,
  fields: {
    required: { documents: 'array' },
    optional: { ordered: 'bool' },
    refused: ['bypassDocumentValidation'],
  },
  *run(request) {
    const { command, store } = request;
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
    return batchReply({ n }, writeErrors);
  },
};

const batchReply = (fields: object, writeErrors: object[]) =>
  writeErrors.length > 0 ? { ...fields, writeErrors, ok: 1 } : { ...fields, ok: 1 };

export const UPDATE_STATEMENT_FIELDS: Fields = {
  required: { q: 'object', u: 'any' },
  optional: { multi: 'bool', upsert: 'bool' },
  refused: ['arrayFilters', 'hint', 'collation', 'c', 'sort'],
};

export const update: Command = {
  writes: true,
  fields: {
    required: { updates: 'array' },
    optional: { ordered: 'bool' },
    refused: ['let', 'bypassDocumentValidation'],
  },
  *run(request) {
    const { command } = request;
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
    return batchReply(fields, writeErrors);
  },
};

interface Updated {
  n: number;
  nModified: number;
  upserted: Doc | undefined;
}

/** All statements are checked before the first one runs. */
function checkStatement(statement: Value): Doc {
  if (!isDoc(statement)) throw typeMismatch("BSON field 'update.updates' must hold objects");
  checkFields('update.updates', statement, UPDATE_STATEMENT_FIELDS);
  checkUpdateType(statement.u as Value);
  return statement;
}

function* updateOne(request: Request, name: string, statement: Doc): Generator<void, Updated> {
  const { store, database } = request;
  const filter = statement.q as Doc;
  const changes = parseUpdate(statement.u as Value);
  const multi = isTruthy(statement.multi);
  const collection = store.catalogue.find(database, name);
  const pace = paceOf(store);
  const query = { filter, sort: [], limit: multi ? 0 : 1 };
  const rows = findRows(store, collection, query, pace.documents);
  const seen = new Set<number>();
  const done: Updated = { n: 0, nModified: 0, upserted: undefined };
  for (let page = rows.pull(); page; page = rows.pull()) {
    for (const row of page) {
      if (seen.has(row.rid)) continue;
      seen.add(row.rid);
      if (updateRow(store, collection as Collection, row, changes)) done.nModified++;
      done.n++;
    }
    pace.took(page.length);
    yield;
  }
  if (done.n > 0 || !isTruthy(statement.upsert)) return done;
  return { n: 1, nModified: 0, upserted: insertUpserted(request, name, filter, changes) };
}

/** @returns whether the document changed; if not, nothing is written */
function updateRow(store: Store, collection: Collection, row: Row, changes: readonly Change[]) {
  const doc = decode(row.body);
  applyUpdate(doc, changes, false);
  const next = storableOf(doc);
  if (next.body.equals(row.body)) return false;
  const touched = new Set(changes.map(({ path }) => path[0] as string));
  store.db.atomically(() => store.documents.replace(collection, row.rid, docOf(row), next, touched));
  row.doc = next.doc;
  row.body = next.body;
  return true;
}

function insertUpserted(request: Request, name: string, filter: Doc, changes: readonly Change[]): Doc {
  const storable = storableOf(upserted(filter, changes));
  const { db, documents } = request.store;
  db.atomically(() => documents.insert(ensureCollection(request, name), storable));
  return storable.doc;
}

export const DELETE_STATEMENT_FIELDS: Fields = {
  required: { q: 'object', limit: 'natural' },
  refused: ['hint', 'collation'],
};

export const deleteCommand: Command = {
  writes: true,
  fields: { required: { deletes: 'array' }, optional: { ordered: 'bool' }, refused: ['let'] },
  *run(request) {
    const { command, store, database } = request;
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
    return batchReply({ n }, writeErrors);
  },
};

function parseDelete(statement: Value): { filter: Doc; limit: number } {
  if (!isDoc(statement)) throw typeMismatch("BSON field 'delete.deletes' must hold objects");
  checkFields('delete.deletes', statement, DELETE_STATEMENT_FIELDS);
  const limit = Number(statement.limit);
  if (limit > 1) throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${limit}`);
  return { filter: statement.q as Doc, limit };
}

/** Deletes page by page, so that other commands run meanwhile and the WAL stays small. */
export function* deleteMatching(
  store: Store,
  collection: Collection | undefined,
  filter: Doc,
  limit: number,
): Generator<void, number> {
  const pace = paceOf(store);
  const rows = findRows(store, collection, { filter, sort: [], limit }, pace.documents);
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

export const findAndModify: Command = {
  writes: true,
  fields: {
    optional: {
      query: 'object',
      fields: 'object',
      update: 'any',
      remove: 'bool',
      new: 'bool',
      upsert: 'bool',
    },
    refused: ['sort', 'arrayFilters', 'bypassDocumentValidation', 'hint', 'collation', 'let'],
  },
  *run(request) {
    const { command, store, database } = request;
    refuseContradictions(command);
    const name = collectionName(request);
    const filter = (command.query ?? {}) as Doc;
    const project = compileProjection(command.fields as Doc | undefined) ?? ((doc: Doc) => doc);
    const remove = isTruthy(command.remove);
    const changes = remove ? undefined : parseUpdate(command.update as Value);
    const collection = store.catalogue.find(database, name);
    const row = yield* findOne(store, collection, filter);
    if (!row || !collection) {
      if (!changes || !isTruthy(command.upsert)) {
        const lastErrorObject = remove ? { n: 0 } : { n: 0, updatedExisting: false };
        return { lastErrorObject, value: null, ok: 1 };
      }
      const doc = insertUpserted(request, name, filter, changes);
      return {
        lastErrorObject: { n: 1, updatedExisting: false, upserted: doc._id },
        value: isTruthy(command.new) ? project(doc) : null,
        ok: 1,
      };
    }
    const before = docOf(row);
    if (!changes) {
      store.db.atomically(() => store.documents.remove(collection, row.rid, before));
      return { lastErrorObject: { n: 1 }, value: project(before), ok: 1 };
    }
    updateRow(store, collection, row, changes);
    return {
      lastErrorObject: { n: 1, updatedExisting: true },
      value: project(isTruthy(command.new) ? docOf(row) : before),
      ok: 1,
    };
  },
};

function refuseContradictions(command: Doc): void {
  const remove = isTruthy(command.remove);
  if (remove && command.update !== undefined)
    throw failedToParse('Cannot specify both an update and remove=true');
  if (!remove && command.update === undefined)
    throw failedToParse('Either an update or remove=true must be specified');
  if (remove && isTruthy(command.upsert))
    throw failedToParse('Cannot specify both upsert=true and remove=true');
  if (remove && isTruthy(command.new)) {
    throw failedToParse(
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    );
  }
}

/** The document was read in this turn of the event loop, so nothing can have changed it yet. */
function* findOne(store: Store, collection: Collection | undefined, filter: Doc) {
  const rows = findRows(store, collection, { filter, sort: [], limit: 1 });
  for (let page = rows.pull(); page; page = rows.pull()) {
    if (page[0]) return page[0];
    yield;
  }
  return undefined;
}
