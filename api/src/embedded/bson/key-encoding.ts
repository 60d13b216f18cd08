import type { Binary, BSONRegExp, Long, ObjectId, Timestamp } from 'bson';
import { type Doc, type Kind, kindOf, type Value } from './values.ts';

/**
 * Bytes that sort, byte by byte, as MongoDB sorts values: one tag for the type (in the order of MongoDB's
 * canonical types), then a payload that ends itself. Equal bytes are equal values, across number types too;
 * and as no encoding is the beginning of another, encodings can be written one after the other (a compound
 * key), each with all bits turned where the index runs downwards.
 *
 * Source of the order: MongoDB manual, "Comparison/Sort Order"; canonicalizeBSONType in bsontypes.h.
 */
export const TAGS: Record<Kind, number> = {
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

/** What an empty array is in an index or a sort: MongoDB's "undefined", before null. */
export const EMPTY_ARRAY = Symbol('empty array');
const EMPTY_ARRAY_TAG = 0x02;
export type KeyPart = Value | typeof EMPTY_ARRAY;

/** One value's key. */
export function encodeKey(value: KeyPart): Buffer {
  const bytes: number[] = [];
  writePart(bytes, value);
  return Buffer.from(bytes);
}

/** A compound key; `directions` (1 or -1) as in the index. */
export function encodeCompound(parts: readonly KeyPart[], directions: readonly (1 | -1)[]): Buffer {
  const bytes: number[] = [];
  parts.forEach((part, i) => {
    const start = bytes.length;
    writePart(bytes, part);
    if (directions[i] === -1)
      for (let j = start; j < bytes.length; j++) bytes[j] = 0xff - (bytes[j] as number);
  });
  return Buffer.from(bytes);
}

/** The key as a string, for Set and Map. */
export const keyText = (value: KeyPart) => encodeKey(value).toString('latin1');

/** Order as MongoDB has it: below, at or above 0. */
export const compareValues = (a: Value, b: Value) => Buffer.compare(encodeKey(a), encodeKey(b));

export const sameValue = (a: Value, b: Value) => encodeKey(a).equals(encodeKey(b));

function writePart(out: number[], value: KeyPart): void {
  if (value === EMPTY_ARRAY) {
    out.push(EMPTY_ARRAY_TAG);
    return;
  }
  const kind = kindOf(value);
  out.push(TAGS[kind]);
  writePayload(out, value, kind);
}

function writePayload(out: number[], value: Value, kind: Kind): void {
  switch (kind) {
    case 'int':
    case 'double':
      writeDouble(out, Number(value));
      break;
    case 'long':
      writeLong(out, (value as Long).toBigInt());
      break;
    case 'string':
      writeText(out, Buffer.from(value as string));
      break;
    case 'object':
      writeObject(out, value as Doc);
      break;
    case 'array':
      for (const element of value as Value[]) writePart(out, element);
      out.push(0);
      break;
    case 'binData':
      writeBinary(out, value as Binary);
      break;
    case 'objectId':
      out.push(...(value as ObjectId).id);
      break;
    case 'bool':
      out.push(value ? 1 : 0);
      break;
    case 'date':
      writeUint64(out, BigInt((value as Date).getTime()) + 2n ** 63n);
      break;
    case 'timestamp':
      writeUint64(out, (value as unknown as Timestamp).toBigInt());
      break;
    case 'regex':
      writeText(out, Buffer.from((value as BSONRegExp).pattern));
      writeText(out, Buffer.from((value as BSONRegExp).options));
      break;
    case 'null':
    case 'minKey':
    case 'maxKey':
  }
}

const scratch = Buffer.alloc(8);
const EXACT = 2 ** 53;

/**
 * IEEE 754 with the sign turned sorts as the numbers do; NaN (eight zero bytes) comes first, -0 is 0.
 * From 2^53 on two bytes follow that tell a Long from the double next to it; a double has 0x8000 there.
 */
function writeDouble(out: number[], number: number, remainder = 0): void {
  if (Number.isNaN(number)) {
    out.push(0, 0, 0, 0, 0, 0, 0, 0);
    return;
  }
  scratch.writeDoubleBE(number === 0 ? 0 : number);
  if ((scratch[0] as number) & 0x80) for (let i = 0; i < 8; i++) scratch[i] = 0xff - (scratch[i] as number);
  else scratch[0] = (scratch[0] as number) | 0x80;
  out.push(...scratch);
  if (Math.abs(number) >= EXACT) out.push(((remainder + 0x8000) >> 8) & 0xff, (remainder + 0x8000) & 0xff);
}

function writeLong(out: number[], long: bigint): void {
  const nearest = Number(long);
  writeDouble(out, nearest, Number(long - BigInt(nearest)));
}

/** Zero bytes are written 00 FF and the end 00 01, so that a beginning sorts before what it begins. */
function writeText(out: number[], bytes: Buffer): void {
  for (const byte of bytes) {
    out.push(byte);
    if (byte === 0) out.push(0xff);
  }
  out.push(0, 1);
}

/** MongoDB compares embedded documents field by field: type, then name, then value. */
function writeObject(out: number[], doc: Doc): void {
  for (const [name, value] of Object.entries(doc)) {
    const kind = kindOf(value);
    out.push(TAGS[kind]);
    writeText(out, Buffer.from(name));
    writePayload(out, value, kind);
  }
  out.push(0);
}

/** Shorter ones come first, then by subtype, then by content. */
function writeBinary(out: number[], binary: Binary): void {
  const { buffer, position, sub_type } = binary;
  out.push(
    (position >>> 24) & 0xff,
    (position >>> 16) & 0xff,
    (position >>> 8) & 0xff,
    position & 0xff,
    sub_type,
  );
  for (let i = 0; i < position; i++) out.push(buffer[i] as number);
}

function writeUint64(out: number[], number: bigint): void {
  scratch.writeBigUInt64BE(BigInt.asUintN(64, number));
  out.push(...scratch);
}
