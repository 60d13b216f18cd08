import { type Doc, isTruthy, type Value } from '../bson/values.ts';
import { failedToParse } from '../errors.ts';
import { compileProjection } from '../query/projection.ts';
import type { Collection } from '../storage/catalogue.ts';
import { docOf } from '../storage/paging.ts';
import { findRows, type Store } from '../storage/store.ts';
import { parseUpdate } from '../update/parse-update.ts';
import { type Command, collectionName } from './request.ts';
import { insertUpserted, updateRow } from './write.ts';

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

/** The document was read in this turn of the event loop, so nothing can have changed it yet. */
function* findOne(store: Store, collection: Collection | undefined, filter: Doc) {
  const rows = findRows(store, collection, { filter, sort: [], limit: 1 });
  for (let page = rows.pull(); page; page = rows.pull()) {
    if (page[0]) return page[0];
    yield;
  }
  return undefined;
}
