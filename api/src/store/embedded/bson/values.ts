import type { Binary, BSONRegExp, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { badValue } from '../errors.ts';

/** A document as it was written: numbers keep the class of their BSON type, fields their order. */
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

/** BSON's own names of the types the store keeps, as `$type` takes them. */
export type Kind =
  | 'minKey'
  | 'null'
  | 'int'
  | 'long'
  | 'double'
  | 'string'
  | 'object'
  | 'array'
  | 'binData'
  | 'objectId'
  | 'bool'
  | 'date'
  | 'timestamp'
  | 'regex'
  | 'maxKey';

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

/** The BSON type of a value; refuses the deprecated and decimal types, which the store does not keep. */
export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (typeof value !== 'object')
    throw badValue(`BSON type ${typeof value} is not kept by the embedded store`);
  const bsonClass = (value as { _bsontype?: unknown })._bsontype;
  if (bsonClass === undefined) return 'object';
  const kind = typeof bsonClass === 'string' ? KIND_OF_CLASS[bsonClass] : undefined;
  if (!kind) throw badValue(`BSON type ${String(bsonClass)} is not kept by the embedded store`);
  return kind;
}

export const isDoc = (value: Value | undefined): value is Doc =>
  value !== undefined && value !== null && kindOf(value) === 'object';

export function isNum(value: Value | undefined): value is Num {
  if (value === undefined) return false;
  const kind = kindOf(value);
  return kind === 'int' || kind === 'long' || kind === 'double';
}

/** A field of its own, never one that every JavaScript object inherits ('constructor', 'toString'). */
export const fieldOf = (doc: Doc, name: string): Value | undefined =>
  Object.hasOwn(doc, name) ? doc[name] : undefined;

/** Truth as MongoDB sees it in flags such as `$exists`: all but false, null, missing and zero. */
export function isTruthy(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  return isNum(value) ? Number(value) !== 0 : true;
}

/** MongoDB's word for a type in its messages. */
export const typeName = (value: Value | undefined) => (value === undefined ? 'missing' : kindOf(value));
