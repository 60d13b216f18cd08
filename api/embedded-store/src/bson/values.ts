import type { Binary, BSONRegExp, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { badValue } from '../errors.ts';

/** A decoded document: numbers are of the class of their BSON type, fields are in their stored order. */
export interface Doc {
  [field: string]: Value;
}

export type Num = Int32 | Long | Double;
export type Value =
  | null
  | boolean
  | string
  | Date
  | Num
  | ObjectId
  | Binary
  | BSONRegExp
  | Timestamp
  | MinKey
  | MaxKey
  | Value[]
  | Doc;

/**
 * The types that the store supports, by MongoDB's names, with the first byte of their keys. The bytes have MongoDB's order of types.
 * Source: MongoDB manual, "Comparison/Sort Order"; canonicalizeBSONType in bsontypes.h.
 */
export const TAGS = {
  minKey: 0x01,
  null: 0x05,
  int: 0x0a,
  long: 0x0a,
  double: 0x0a,
  string: 0x0f,
  object: 0x14,
  array: 0x19,
  binData: 0x1e,
  objectId: 0x23,
  bool: 0x28,
  date: 0x2d,
  timestamp: 0x2f,
  regex: 0x32,
  maxKey: 0x7f,
};

export type Kind = keyof typeof TAGS;

const KIND_OF_CLASS: Record<string, Kind> = {
  Int32: 'int',
  Long: 'long',
  Double: 'double',
  ObjectId: 'objectId',
  Binary: 'binData',
  BSONRegExp: 'regex',
  Timestamp: 'timestamp',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
};

/** @throws StoreError 2 for deprecated types and Decimal128, which the store does not support */
export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (typeof value !== 'object')
    throw badValue(`BSON type ${typeof value} is not supported by the embedded store`);
  const bsonClass = (value as { _bsontype?: unknown })._bsontype;
  if (bsonClass === undefined) return 'object';
  const kind = typeof bsonClass === 'string' ? KIND_OF_CLASS[bsonClass] : undefined;
  if (!kind) throw badValue(`BSON type ${String(bsonClass)} is not supported by the embedded store`);
  return kind;
}

export const isDoc = (value: Value | undefined): value is Doc =>
  value !== undefined && value !== null && kindOf(value) === 'object';

export function isNum(value: Value | undefined): value is Num {
  if (value === undefined) return false;
  const kind = kindOf(value);
  return kind === 'int' || kind === 'long' || kind === 'double';
}

/** A field of a document or table, never a property that JavaScript objects inherit ('constructor', 'toString'). */
export const fieldOf = <T>(doc: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(doc, name) ? doc[name] : undefined;

/** Whether MongoDB takes a flag such as `$exists` for true: anything but false, null, missing and zero. */
export function isTruthy(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  return isNum(value) ? Number(value) !== 0 : true;
}

/** The name of a value's type in MongoDB's messages. */
export const typeName = (value: Value | undefined) => (value === undefined ? 'missing' : kindOf(value));
