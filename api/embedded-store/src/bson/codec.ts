import { BSONError, deserialize, ObjectId, serialize } from 'bson';
import { badValue, StoreError } from '../errors.ts';
import { type Doc, kindOf, type Value } from './values.ts';

/** MongoDB's limit of one stored document, in bytes. */
export const MAX_DOCUMENT = 16 * 1024 * 1024;
/** Bytes that a command or a reply with a document of the maximum size may have in addition. */
export const SLACK = 16 * 1024;
/** MongoDB's limit of nesting levels in a stored document. */
const MAX_DEPTH = 100;

const KEEP_TYPES = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;

/** Decodes a document; every number keeps its BSON type. */
export function decode(bytes: Uint8Array, rawArrays: Record<string, boolean> = {}): Doc {
  try {
    return deserialize(bytes, { ...KEEP_TYPES, fieldsAsRaw: rawArrays }) as Doc;
  } catch (error) {
    if (error instanceof BSONError || error instanceof RangeError)
      throw new StoreError(22, `invalid BSON: ${error.message}`);
    throw error;
  }
}

/** Encodes a document or a reply; JavaScript numbers become Int32 or Double. */
export function encode(doc: object): Buffer {
  const bytes = serialize(doc, { ignoreUndefined: true });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A document that was checked against MongoDB's limits, with `_id` first. */
export interface Storable {
  doc: Doc;
  body: Buffer;
}

/** A new document from the bytes that a client sent; a missing `_id` is added. */
export function toStorable(bytes: Uint8Array): Storable {
  const doc = decode(bytes);
  if (hasNumericName(doc) && !encode(doc).equals(bytes)) refuseNumericName();
  const ordered = withIdFirst(doc);
  return checked(ordered, ordered === doc ? Buffer.from(bytes) : encode(ordered));
}

/** The result of an update or an upsert. */
export function storableOf(doc: Doc): Storable {
  const ordered = withIdFirst(doc);
  return checked(ordered, encode(ordered));
}

function checked(doc: Doc, body: Buffer): Storable {
  checkId(doc._id as Value);
  checkValue(doc, 0);
  if (body.length > MAX_DOCUMENT) {
    throw new StoreError(
      10334,
      `BSONObj size: ${body.length} (0x${body.length.toString(16).toUpperCase()}) is invalid. ` +
        `Size must be between 0 and ${MAX_DOCUMENT + SLACK}(16MB)`,
    );
  }
  return { doc, body };
}

function withIdFirst(doc: Doc): Doc {
  if (!Object.hasOwn(doc, '_id')) return { _id: new ObjectId(), ...doc };
  if (Object.keys(doc)[0] === '_id') return doc;
  return { _id: doc._id as Value, ...doc };
}

function checkId(id: Value): void {
  const kind = kindOf(id);
  if (kind === 'array' || kind === 'regex')
    throw new StoreError(53, `The '_id' value cannot be of type ${kind}`);
  if (kind === 'object' && Object.keys(id as Doc).some((name) => name.startsWith('$')))
    throw new StoreError(52, `_id fields may not contain '$'-prefixed fields`);
}

function checkValue(value: Value, depth: number): void {
  if (depth > MAX_DEPTH) throw new StoreError(15, 'BSONObj exceeds maximum nested object depth: 100');
  const kind = kindOf(value);
  if (kind === 'date' && Number.isNaN((value as Date).getTime())) throw badValue('date out of range');
  if (kind === 'array') for (const element of value as Value[]) checkValue(element, depth + 1);
  if (kind !== 'object') return;
  for (const name of Object.keys(value as Doc)) {
    if (name === '__proto__') throw badValue(`field name '__proto__' is not supported by the embedded store`);
    checkValue((value as Doc)[name] as Value, depth + 1);
  }
}

/** JavaScript objects list names like '7' first, in any order of insertion. */
const isNumericName = (name: string) => /^(0|[1-9]\d*)$/.test(name);

function hasNumericName(value: Value): boolean {
  const kind = kindOf(value);
  if (kind === 'array') return (value as Value[]).some(hasNumericName);
  if (kind !== 'object') return false;
  return Object.entries(value as Doc).some(([name, inner]) => isNumericName(name) || hasNumericName(inner));
}

function refuseNumericName(): never {
  throw badValue('the embedded store supports field names that are numbers in ascending order only');
}
