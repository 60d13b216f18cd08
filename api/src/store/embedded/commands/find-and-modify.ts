import { type Doc, isTruthy, type Value } from '../bson/values.ts';
import { failedToParse } from '../errors.ts';
import { compileFilter } from '../query/matcher.ts';
import { compileProjection } from '../query/projection.ts';
import type { Collection } from '../storage/catalogue.ts';
import { parseFindSort } from '../storage/index-keys.ts';
import { docOf, type Row } from '../storage/scan.ts';
import { findRows } from '../storage/store.ts';
import { checkCommand } from './fields.ts';
import { collectionName, type Request, type Steps } from './request.ts';
import { insertUpserted, prepareUpdate, updateRow } from './write.ts';

/** Finds one document and changes or removes it, with nothing in between. */
export function* findAndModify(request: Request): Steps {
  const { command, store, database } = request;
  check(command);
  const name = collectionName(request);
  const filter = (command.query ?? {}) as Doc;
  const project = compileProjection(command.fields as Doc | undefined) ?? ((doc: Doc) => doc);
  const remove = isTruthy(command.remove);
  const change = remove
    ? undefined
    : prepareUpdate(filter, command.update as Value, command.arrayFilters as Value[] | undefined);
  const collection = store.catalogue.find(database, name);
  const row = yield* findOne(request, collection, filter);
  if (!row || !collection) {
    if (!change || !isTruthy(command.upsert)) {
      const lastErrorObject = remove ? { n: 0 } : { n: 0, updatedExisting: false };
      return { lastErrorObject, value: null, ok: 1 };
    }
    const doc = insertUpserted(request, name, filter, change);
    return {
      lastErrorObject: { n: 1, updatedExisting: false, upserted: doc._id },
      value: isTruthy(command.new) ? project(doc) : null,
      ok: 1,
    };
  }
  const before = docOf(row);
  if (!change) {
    store.db.atomically(() => store.documents.remove(collection, row.rid, before));
    return { lastErrorObject: { n: 1 }, value: project(before), ok: 1 };
  }
  updateRow(store, collection, row, change);
  return {
    lastErrorObject: { n: 1, updatedExisting: true },
    value: project(isTruthy(command.new) ? docOf(row) : before),
    ok: 1,
  };
}

function check(command: Doc): void {
  checkCommand('findAndModify', command, {
    optional: {
      query: 'object',
      sort: 'object',
      fields: 'object',
      update: 'any',
      remove: 'bool',
      new: 'bool',
      upsert: 'bool',
      arrayFilters: 'array',
      bypassDocumentValidation: 'bool',
    },
    refused: ['hint', 'collation', 'let'],
  });
  const remove = isTruthy(command.remove);
  if (remove && command.update !== undefined)
    throw failedToParse('Cannot specify both an update and remove=true');
  if (!remove && command.update === undefined) {
    throw failedToParse('Either an update or remove=true must be specified');
  }
  if (remove && isTruthy(command.upsert))
    throw failedToParse('Cannot specify both upsert=true and remove=true');
  if (remove && isTruthy(command.new)) {
    throw failedToParse(
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    );
  }
}

/** Looks again where the search took several turns and the document changed meanwhile. */
function* findOne(
  { store, command }: Request,
  collection: Collection | undefined,
  filter: Doc,
): Generator<void, Row | undefined> {
  const match = compileFilter(filter);
  const sort = parseFindSort((command.sort ?? {}) as Doc);
  for (;;) {
    const rows = findRows(store, collection, { filter, sort, skip: 0, limit: 1 });
    let found: Row | undefined;
    let waited = false;
    for (let page = rows.pull(); page && !found; page = rows.pull()) {
      found = page[0];
      if (found) break;
      waited = true;
      yield;
    }
    if (!found || !collection || !waited) return found;
    const now = store.documents.read(collection, found.rid);
    if (now && match(now.doc)) return { rid: found.rid, ...now };
  }
}
