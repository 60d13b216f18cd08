import { Int32 } from 'bson';
import { shellText } from '../bson/shell-text.ts';
import { type Doc, fieldOf, isDoc, isNum, type Value } from '../bson/values.ts';
import { StoreError, typeMismatch } from '../errors.ts';
import { compileFilter } from '../query/matcher.ts';
import { checkFields, numberOr, refuseUnstable } from './fields.ts';

const UNSTABLE = ['sparse', 'bucketSize', 'storageEngine', 'prepareUnique'];

/** One index as createIndexes takes it, checked and in the form listIndexes shows. */
export function checkSpec(value: Value, apiStrict: Value | undefined): Doc {
  if (!isDoc(value)) throw typeMismatch("BSON field 'createIndexes.indexes' must hold objects");
  refuseUnstable('createIndexes.indexes', value, UNSTABLE, apiStrict);
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
    refused: [
      ...UNSTABLE,
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
  });
  const key = value.key as Doc;
  checkKey(key, apiStrict);
  if (value.name === '' || value.name === '*') {
    throw new StoreError(67, `The index name '${value.name as string}' is not valid`);
  }
  checkExpiry(value, key);
  const filter = fieldOf(value, 'partialFilterExpression') as Doc | undefined;
  if (filter) compileFilter(filter);
  return normalised(value, key);
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
    throw new StoreError(67, 'The field expireAfterSeconds cannot be specified for an _id index');
}

/** As listIndexes shows it; `unique: false` says nothing. */
function normalised(spec: Doc, key: Doc): Doc {
  const { unique, expireAfterSeconds, partialFilterExpression } = spec;
  return {
    v: new Int32(2),
    key,
    name: spec.name as string,
    ...(unique === true ? { unique } : {}),
    ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds }),
    ...(partialFilterExpression === undefined ? {} : { partialFilterExpression }),
  };
}
