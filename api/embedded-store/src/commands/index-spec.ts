import { Int32 } from 'bson';
import { shellText } from '../bson/shell-text.ts';
import { type Doc, fieldOf, isDoc, isNum, isTruthy, type Value } from '../bson/values.ts';
import { badValue, failedToParse, StoreError, typeMismatch, unsupported } from '../errors.ts';
import { compileFilter, isOperators } from '../query/matcher.ts';
import { checkFields, type Fields, numberOr } from './fields.ts';

/** Checks the specification of one index and returns it as listIndexes shows it. */
export function checkSpec(value: Value, apiStrict: Value | undefined): Doc {
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
  optional: {
    v: 'number',
    unique: 'bool',
    expireAfterSeconds: 'number',
    partialFilterExpression: 'object',
  },
  refused: [
    'background',
    'ns',
    'sparse',
    'storageEngine',
    'prepareUnique',
    'collation',
    'hidden',
    'weights',
    'default_language',
    'language_override',
    'textIndexVersion',
    '2dsphereIndexVersion',
    'bits',
    'min',
    'max',
    'wildcardProjection',
    'clustered',
  ],
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
    if (path.split('.').some((part) => part.startsWith('$') || /^\d+$/.test(part))) {
      throw new StoreError(67, `The embedded store has no index on the path '${path}'`);
    }
    if (direction === 'text' && apiStrict === true) {
      throw new StoreError(323, 'text indexes are not allowed with apiStrict:true');
    }
    if (!isNum(direction) || Math.abs(Number(direction)) !== 1) {
      throw new StoreError(67, `The embedded store has no index of the kind ${shellText(key)}: use 1 or -1`);
    }
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
  if (Object.keys(key).length > 1) {
    throw new StoreError(67, 'TTL indexes are single-field indexes, compound indexes do not support TTL');
  }
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
