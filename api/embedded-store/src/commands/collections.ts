import { randomUUID } from 'node:crypto';
import { UUID } from 'bson';
import { decode, encode } from '../bson/codec.ts';
import { type Doc, isTruthy } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { compileFilter } from '../query/matcher.ts';
import type { Collection } from '../storage/catalogue.ts';
import { sourceOf } from '../storage/sources.ts';
import { words } from '../unsupported-names.ts';
import { batchOptions } from './cursors.ts';
import { type Command, collectionName, ensureCollection, findCollection } from './request.ts';

export const create: Command = {
  writes: true,
  fields: {
    refused: words(`
      validator validationLevel validationAction indexOptionDefaults viewOn pipeline collation
      timeseries expireAfterSeconds clusteredIndex changeStreamPreAndPostImages encryptedFields`),
    unstable: ['capped', 'size', 'max', 'autoIndexId', 'idIndex', 'storageEngine'],
  },
  run(request) {
    const name = collectionName(request);
    if (findCollection(request))
      throw new StoreError(48, `Collection ${request.database}.${name} already exists.`);
    ensureCollection(request, name);
    return { ok: 1 };
  },
};

/** Dropping a collection that does not exist is no error, as in MongoDB 7. */
export const drop: Command = {
  writes: true,
  run(request) {
    const collection = findCollection(request);
    if (!collection) return { ok: 1 };
    const { db, catalogue } = request.store;
    db.atomically(() => catalogue.drop(collection));
    return { nIndexesWas: collection.indexes.length, ns: `${request.database}.${collection.name}`, ok: 1 };
  },
};

export const dropDatabase: Command = {
  writes: true,
  fields: { required: { dropDatabase: 'number' } },
  run({ command, store, database }) {
    if (Number(command.dropDatabase) !== 1)
      throw new StoreError(5255100, "Have to pass 1 as 'drop' parameter");
    const collections = inDatabase(store.catalogue.all(), database);
    store.db.atomically(() => collections.forEach(store.catalogue.drop));
    return { ok: 1 };
  },
};

const inDatabase = (collections: Collection[], database: string) =>
  collections.filter((collection) => collection.database === database);

/** Tools expect a UUID; collections have none here, so all show the same. */
const shownId = new UUID(randomUUID());

export const listCollections: Command = {
  fields: {
    optional: { filter: 'object', nameOnly: 'bool', authorizedCollections: 'bool', cursor: 'object' },
  },
  *run({ command, cursors, store, database }) {
    const match = compileFilter((command.filter ?? {}) as Doc);
    const shown = inDatabase(store.catalogue.all(), database).map(({ name }) => ({
      name,
      type: 'collection',
      ...(isTruthy(command.nameOnly)
        ? {}
        : {
            options: {},
            info: { readOnly: false, uuid: shownId },
            idIndex: { v: 2, key: { _id: 1 }, name: '_id_' },
          }),
    }));
    const found = shown.map(encode).filter((bytes) => match(decode(bytes)));
    return yield* cursors.first(`${database}.$cmd.listCollections`, sourceOf(found), batchOptions(command));
  },
};

export const listDatabases: Command = {
  fields: { optional: { filter: 'object', nameOnly: 'bool', authorizedDatabases: 'bool' } },
  run({ command, store }) {
    const match = compileFilter((command.filter ?? {}) as Doc);
    const names = [...new Set(store.catalogue.all().map(({ database }) => database))].sort();
    const shown = names.map((name) =>
      isTruthy(command.nameOnly) ? { name } : { name, sizeOnDisk: 0, empty: false },
    );
    const databases = shown.filter((entry) => match(decode(encode(entry))));
    return isTruthy(command.nameOnly) ? { databases, ok: 1 } : { databases, totalSize: 0, ok: 1 };
  },
};
