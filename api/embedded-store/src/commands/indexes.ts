import { decode, encode } from '../bson/codec.ts';
import { sameValue } from '../bson/key-encoding.ts';
import { shellText } from '../bson/shell-text.ts';
import { type Doc, fieldOf, isDoc, kindOf, type Value } from '../bson/values.ts';
import { StoreError, typeMismatch } from '../errors.ts';
import type { Collection, Index } from '../storage/catalogue.ts';
import { asBuffer } from '../storage/documents.ts';
import { mapped, sourceOf } from '../storage/sources.ts';
import { batchOptions } from './cursors.ts';
import { checkSpec } from './index-spec.ts';
import { type Command, collectionName, ensureCollection, findCollection, type Request } from './request.ts';

/** `createIndexes`: ascending, descending, compound and multikey; unique, partial, TTL. All or nothing. */
export const createIndexes: Command = {
  writes: true,
  fields: { required: { indexes: 'array' }, refused: ['commitQuorum'] },
  *run(request) {
    const { command, store, database } = request;
    const specs = (command.indexes as Value[]).map((spec) => checkSpec(spec, command.apiStrict));
    if (specs.length === 0) throw new StoreError(2, 'Must specify at least one index to create');
    const name = collectionName(request);
    const createdCollectionAutomatically = !store.catalogue.find(database, name);
    const collection = ensureCollection(request, name);
    const numIndexesBefore = collection.indexes.length;
    const made: Index[] = [];
    try {
      for (const spec of specs) {
        while (collection.indexes.some(({ ready }) => !ready) && !made.some(({ ready }) => !ready)) yield;
        if (isThere(collection, spec)) continue;
        const index = store.db.atomically(() => store.catalogue.addIndex(collection, spec));
        made.push(index);
        yield* fill(request, collection, index);
      }
      store.db.atomically(() => made.forEach(store.catalogue.markReady));
    } catch (error) {
      store.db.atomically(() => {
        for (const index of made) store.catalogue.dropIndex(collection, index);
        if (createdCollectionAutomatically) store.catalogue.drop(collection);
      });
      throw error;
    }
    return {
      numIndexesBefore,
      numIndexesAfter: collection.indexes.length,
      createdCollectionAutomatically,
      ...(made.length === 0 ? { note: 'all indexes already exist' } : {}),
      ok: 1,
    };
  },
};

const FILL_PAGE = 200;

/** Adds the keys of the existing documents. Documents that are written meanwhile add their keys themselves. */
function* fill({ store }: Request, collection: Collection, index: Index): Generator<void> {
  let last = 0;
  for (;;) {
    const page = store.db
      .statement(`SELECT rid, body FROM ${collection.table} WHERE rid > ? ORDER BY rid LIMIT ?`)
      .all(last, FILL_PAGE);
    if (page.length === 0) return;
    store.db.atomically(() => {
      for (const row of page) {
        const body = asBuffer(row.body as Uint8Array);
        store.documents.addToIndex(collection, index, Number(row.rid), decode(body));
      }
    });
    last = Number(page.at(-1)?.rid);
    yield;
  }
}

/** @throws StoreError 85: equal with another name or options, 86: another one with the same name */
function isThere(collection: Collection, spec: Doc): boolean {
  for (const { spec: other } of collection.indexes) {
    const sameShape = sameField(spec, other, 'key') && sameField(spec, other, 'partialFilterExpression');
    const isId = other.name === '_id_' && sameField(spec, other, 'key');
    const sameOptions =
      isId || (sameField(spec, other, 'unique') && sameField(spec, other, 'expireAfterSeconds'));
    if (spec.name === other.name) {
      if (sameShape && sameOptions) return true;
      throw new StoreError(
        86,
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${shellText(spec)}, existing index: ${shellText(other)}`,
      );
    }
    if (!sameShape) continue;
    if (isId) return true;
    throw new StoreError(
      85,
      sameOptions
        ? `Index already exists with a different name: ${other.name as string}`
        : `An equivalent index already exists with a different name and options. Requested index: ${shellText(spec)}, existing index: ${shellText(other)}`,
    );
  }
  return false;
}

const sameField = (a: Doc, b: Doc, field: string) =>
  sameValue(fieldOf(a, field) ?? null, fieldOf(b, field) ?? null);

export const listIndexes: Command = {
  fields: { optional: { cursor: 'object' } },
  *run(request) {
    const { command, cursors, database } = request;
    const collection = findCollection(request);
    const namespace = `${database}.${collectionName(request)}`;
    if (!collection) throw new StoreError(26, `ns does not exist: ${namespace}`);
    const specs = collection.indexes.filter(({ ready }) => ready).map(({ spec }) => spec);
    return yield* cursors.first(namespace, mapped(sourceOf(specs), encode), batchOptions(command));
  },
};

export const dropIndexes: Command = {
  writes: true,
  fields: { required: { index: 'any' } },
  run(request) {
    const { command, store, database } = request;
    const collection = findCollection(request);
    if (!collection) throw new StoreError(26, `ns not found ${database}.${collectionName(request)}`);
    const nIndexesWas = collection.indexes.length;
    const chosen = chooseIndexes(collection, command.index as Value);
    store.db.atomically(() => {
      for (const index of chosen) store.catalogue.dropIndex(collection, index);
    });
    return { nIndexesWas, ok: 1 };
  },
};

function chooseIndexes(collection: Collection, wanted: Value): Index[] {
  if (wanted === '*') return collection.indexes.slice(1);
  if (!isDoc(wanted) && !['string', 'array'].includes(kindOf(wanted)))
    throw typeMismatch("BSON field 'dropIndexes.index' is the wrong type, expected types '[string, object]'");
  const names = Array.isArray(wanted) ? wanted : [wanted];
  return names.map((name) => {
    const found = isDoc(name)
      ? collection.indexes.find(({ spec }) => sameValue(spec.key as Value, name))
      : collection.indexes.find((index) => index.name === name);
    if (!found) {
      throw isDoc(name)
        ? new StoreError(27, `can't find index with key: ${shellText(name)}`)
        : new StoreError(27, `index not found with name [${String(name)}]`);
    }
    if (found.id === 0) throw new StoreError(72, 'cannot drop _id index');
    return found;
  });
}
