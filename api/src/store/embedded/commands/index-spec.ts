import { Int32 } from 'bson';
import { shellText } from '../bson/shell-text.ts';
import { type Doc, fieldOf, isDoc, isNum, isTruthy, kindOf, type Value } from '../bson/values.ts';
import { badValue, failedToParse, StoreError, typeMismatch, unsupported } from '../errors.ts';
import { compileFilter, isOperators } from '../query/matcher.ts';
import { checkFields, numberOr } from './fields.ts';

/** One index as createIndexes takes it, checked and in the form listIndexes shows. */
export function checkSpec(value: Value, apiStrict: Value | undefined): Doc {
  if (!isDoc(value)) throw typeMismatch("BSON field 'createIndexes.indexes' must hold objects");
  checkNames(value);
  checkFields('createIndexes.indexes', value, {
    required: { key: 'object', name: 'string' },
    optional: {
      v: 'number',
      unique: 'bool',
      expireAfterSeconds: 'number',
      partialFilterExpression: 'object',
      background: 'bool',
      ns: 'string',
    },
    refused: NOT_HERE,
  });
  const key = value.key as Doc;
  checkKey(key, apiStrict);
  if (value.name === '') throw new StoreError(67, 'index name cannot be empty');
  if (value.name === '*') throw badValue("The index name '*' is not valid.");
  if (![1, 2].includes(numberOr(value.v, 2)))
    throw new StoreError(67, `cannot create an index with v=${shellText(value.v as Value)}`);
  checkExpiry(value, key);
  const filter = fieldOf(value, 'partialFilterExpression') as Doc | undefined;
  if (filter) checkPartial(filter);
  return normalised(value, key);
}

/** Known to MongoDB, and refused here by name. */
const NOT_HERE = [
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
];
const KNOWN = new Set([
  ...NOT_HERE,
  'key',
  'name',
  'v',
  'unique',
  'expireAfterSeconds',
  'partialFilterExpression',
  'background',
  'ns',
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
 * A partial filter takes no negation. MongoDB before 6.0 takes neither `$or` nor `$in`, so they are refused here.
 * Source: MongoDB manual, "Partial Indexes"; `_checkValidFilterExpressions` in index_catalog_impl.cpp
 */
function checkPartial(filter: Doc): void {
  compileFilter(filter);
  for (const [path, operand] of Object.entries(filter)) {
    if (path === '$and') (operand as Doc[]).forEach(checkPartial);
    else if (path === '$or') throw unsupported('$or in a partial filter');
    else if (path.startsWith('$')) refusePartial(path);
    else checkPartialField(operand);
  }
}

const PARTIAL = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$type']);

function checkPartialField(operand: Value): void {
  if (kindOf(operand) === 'regex') refusePartial('a regular expression');
  if (!isOperators(operand)) return;
  for (const [name, value] of Object.entries(operand)) {
    if (name === '$in') throw unsupported('$in in a partial filter');
    if (name === '$exists' ? !isTruthy(value) : !PARTIAL.has(name))
      refusePartial(name === '$exists' ? '$exists: false' : name);
  }
}

function refusePartial(what: string): never {
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

/** MongoDB's limit: no more than 68 years. */
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
  if ('_id' in key)
    throw new StoreError(197, "The field 'expireAfterSeconds' is not valid for an _id index specification.");
}

/** As listIndexes shows it; `unique: false` says nothing. */
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
