import { Int32 } from 'bson';
import { decode, encode } from '../bson/codec.ts';
import { sameValue } from '../bson/key-encoding.ts';
import { shellText } from '../bson/shell-text.ts';
import { type Doc, fieldOf, isDoc, isNum, isTruthy, kindOf, type Value } from '../bson/values.ts';
import { badValue, failedToParse, StoreError, typeMismatch, unsupported } from '../errors.ts';
import { compileFilter, isOperators } from '../query/matcher.ts';
import type { Collection, Index } from '../storage/catalogue.ts';
import { asBuffer } from '../storage/documents.ts';
import { mapped, sourceOf } from '../storage/sources.ts';
import { words } from '../unsupported-names.ts';
import { batchOptions } from './cursors.ts';
import { checkFields, type Fields, numberOr } from './fields.ts';
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

/** Checks the specification of one index and returns it as listIndexes shows it. */
function checkSpec(value: Value, apiStrict: Value | undefined): Doc {
  if (!isDoc(value)) throw typeMismatch("BSON field 'createIndexes.indexes' must hold objects");
  checkNames(value);
  checkFields('createIndexes.indexes', value, INDEX_FIELDS);
  const key = value.key as Doc;
  checkKey(key, apiStrict);
  if (value.name === '') throw new StoreError(67, 'index name cannot be empty');
  if (value.name === '*') throw badValue("The index name '*' is not valid.");
  if (Object.keys(key).join() === '_id') checkIdIndex(value);
  else if (value.name === '_id_') throw badValue("The index name '_id_' is reserved for the _id index");
  const version = numberOr(value.v, 2);
  if (version === 1) throw unsupported('an index of version 1');
  if (version !== 2) throw new StoreError(67, `cannot create an index with v=${shellText(value.v as Value)}`);
  checkExpiry(value, key);
  const filter = fieldOf(value, 'partialFilterExpression') as Doc | undefined;
  if (filter) checkPartial(filter);
  return normalised(value, key);
}

export const INDEX_FIELDS = {
  required: { key: 'object', name: 'string' },
  optional: { v: 'number', unique: 'bool', expireAfterSeconds: 'number', partialFilterExpression: 'object' },
  refused: words(`
    background ns sparse storageEngine prepareUnique collation hidden weights
    default_language language_override textIndexVersion 2dsphereIndexVersion bits min max
    wildcardProjection clustered`),
} satisfies Fields;
const KNOWN = new Set([
  ...Object.keys(INDEX_FIELDS.required),
  ...Object.keys(INDEX_FIELDS.optional),
  ...INDEX_FIELDS.refused,
]);

function checkNames(spec: Doc): void {
  for (const name of ['key', 'name']) {
    if (!Object.hasOwn(spec, name))
      throw failedToParse(`The '${name}' field is a required property of an index specification`);
  }
  const unknown = Object.keys(spec).find((name) => !KNOWN.has(name));
  if (unknown) throw new StoreError(197, `The field '${unknown}' is not valid for an index specification.`);
}

/**
 * A partial filter must be decidable for each document. MongoDB allows `$and`, `$or`, `$in`, comparisons and `$type`, too, but the store
 * supports equality and `$exists: true` only. Source: MongoDB manual, "Partial Indexes"
 */
function checkPartial(filter: Doc): void {
  compileFilter(filter);
  for (const [path, operand] of Object.entries(filter)) {
    if (path.startsWith('$')) refusePartial(path);
    if (!isOperators(operand)) continue;
    for (const [name, value] of Object.entries(operand)) {
      if (name === '$exists' && !isTruthy(value)) refusePartial('$exists: false');
      if (name !== '$exists' && name !== '$eq') refusePartial(name);
    }
  }
}

const PARTIAL_IN_MONGODB = new Set(['$and', '$or', '$in', '$gt', '$gte', '$lt', '$lte']);

function refusePartial(what: string): never {
  if (PARTIAL_IN_MONGODB.has(what)) throw unsupported(`${what} in a partial filter`);
  throw new StoreError(67, `Expression not supported in partial index: ${what}`);
}

function checkKey(key: Doc, apiStrict: Value | undefined): void {
  const fields = Object.entries(key);
  if (fields.length === 0) throw new StoreError(67, 'Index keys cannot be an empty object');
  if (fields.length > 32) throw new StoreError(67, 'Index keys may have at most 32 fields');
  for (const [path, direction] of fields) {
    if (path === '' || path.split('.').includes(''))
      throw new StoreError(67, 'Index keys cannot be an empty field.');
    if (path.split('.').some((part) => part.startsWith('$') || /^\d+$/.test(part)))
      throw new StoreError(67, `The embedded store has no index on the path '${path}'`);
    if (direction === 'text' && apiStrict === true)
      throw new StoreError(323, 'text indexes are not allowed with apiStrict:true');
    if (!isNum(direction) || Math.abs(Number(direction)) !== 1)
      throw new StoreError(67, `The embedded store has no index of the kind ${shellText(key)}: use 1 or -1`);
    if (path === '_id' && fields.length === 1 && Number(direction) !== 1)
      throw badValue(`The field 'key' for an _id index must be {_id: 1}, but got ${shellText(key)}`);
  }
}

function checkIdIndex(spec: Doc): void {
  const name = ['unique', 'expireAfterSeconds', 'partialFilterExpression'].find((field) => field in spec);
  if (name) throw new StoreError(197, `The field '${name}' is not valid for an _id index specification.`);
}

/** MongoDB's limit, in seconds: about 68 years. */
const MAX_EXPIRY = 2 ** 31 - 1;

function checkExpiry(spec: Doc, key: Doc): void {
  const seconds = numberOr(spec.expireAfterSeconds, undefined);
  if (seconds === undefined) return;
  if (seconds < 0 || seconds > MAX_EXPIRY) {
    throw new StoreError(
      67,
      `TTL index 'expireAfterSeconds' option must be within 0 and ${MAX_EXPIRY}, got ${seconds}`,
    );
  }
  if (Object.keys(key).length > 1)
    throw new StoreError(67, 'TTL indexes are single-field indexes, compound indexes do not support TTL');
}

/** The specification as listIndexes shows it, without `unique: false`. */
function normalised(spec: Doc, key: Doc): Doc {
  const { unique, expireAfterSeconds, partialFilterExpression } = spec;
  return {
    v: new Int32(2),
    key,
    name: spec.name as string,
    ...(isTruthy(unique) ? { unique: true } : {}),
    ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds }),
    ...(partialFilterExpression === undefined ? {} : { partialFilterExpression }),
  };
}
