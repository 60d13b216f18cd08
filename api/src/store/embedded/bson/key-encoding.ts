import type { Binary, BSONRegExp, Long, ObjectId, Timestamp } from 'bson';
import { badValue } from '../errors.ts';
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
  length = 0;
  writePart(value);
  return Buffer.copyBytesFrom(space, 0, length);
}

/** A compound key; `directions` (1 or -1) as in the index. */
export function encodeCompound(parts: readonly KeyPart[], directions: readonly (1 | -1)[]): Buffer {
  length = 0;
  for (const [i, part] of parts.entries()) {
    const start = length;
    writePart(part);
    if (directions[i] === -1) turn(start);
  }
  return Buffer.copyBytesFrom(space, 0, length);
}

/** The compound keys of several values of part `at`, beside which every other part is the same: those are written once. */
export function encodeEach(
  parts: readonly KeyPart[],
  directions: readonly (1 | -1)[],
  at: number,
  values: readonly Value[],
): Buffer[] {
  const before = encodeCompound(parts.slice(0, at), directions);
  const after = encodeCompound(parts.slice(at + 1), directions.slice(at + 1));
  return values.map((value) => {
    length = 0;
    writeBytes(before);
    writePart(value);
    if (directions[at] === -1) turn(before.length);
    writeBytes(after);
    return Buffer.from(space.subarray(0, length));
  });
}

/** Turns all bits from `start` on. */
function turn(start: number): void {
  for (let i = start; i < length; i++) space[i] = 0xff - (space[i] as number);
}

/** The key as a string, for Set and Map. */
export const keyText = (value: KeyPart) => encodeKey(value).toString('latin1');

/** Order as MongoDB has it: below, at or above 0. */
export const compareValues = (a: Value, b: Value) => Buffer.compare(encodeKey(a), encodeKey(b));

export const sameValue = (a: Value, b: Value) => encodeKey(a).equals(encodeKey(b));

/** Where the key in the making is written: kept between keys, grown as needed. */
let space = Buffer.alloc(1024);
let length = 0;

function reserve(bytes: number): void {
  if (length + bytes <= space.length) return;
  const larger = Buffer.alloc(Math.max(2 * space.length, length + bytes));
  space.copy(larger, 0, 0, length);
  space = larger;
}

function writeByte(byte: number): void {
  reserve(1);
  space[length++] = byte;
}

function writePart(value: KeyPart): void {
  if (value === EMPTY_ARRAY) {
    writeByte(EMPTY_ARRAY_TAG);
    return;
  }
  const kind = kindOf(value);
  writeByte(TAGS[kind]);
  writePayload(value, kind);
}

function writePayload(value: Value, kind: Kind): void {
  switch (kind) {
    case 'int':
    case 'double':
      writeDouble(Number(value), 0);
      break;
    case 'long':
      writeLong((value as Long).toBigInt());
      break;
    case 'string':
      writeText(value as string);
      break;
    case 'object':
      writeObject(value as Doc);
      break;
    case 'array':
      for (const element of value as Value[]) writePart(element);
      writeByte(0);
      break;
    case 'binData':
      writeBinary(value as Binary);
      break;
    case 'objectId':
      writeBytes((value as ObjectId).id);
      break;
    case 'bool':
      writeByte(value ? 1 : 0);
      break;
    case 'date':
      writeDate((value as Date).getTime());
      break;
    case 'timestamp':
      writeUint64((value as unknown as Timestamp).toBigInt());
      break;
    case 'regex':
      writeText((value as BSONRegExp).pattern);
      writeText((value as BSONRegExp).options);
      break;
    case 'null':
    case 'minKey':
    case 'maxKey':
  }
}

const EXACT = 2 ** 53;

/**
 * IEEE 754 with the sign turned sorts as the numbers do; NaN (eight zero bytes) comes first, -0 is 0.
 * From 2^53 on two bytes follow that tell a Long from the double next to it; a double has 0x8000 there.
 */
function writeDouble(number: number, remainder: number): void {
  reserve(10);
  const start = length;
  length += 8;
  if (Number.isNaN(number)) {
    space.fill(0, start, length);
    return;
  }
  space.writeDoubleBE(number === 0 ? 0 : number, start);
  if (number < 0) for (let i = start; i < length; i++) space[i] = 0xff - (space[i] as number);
  else space[start] = (space[start] as number) | 0x80;
  if (Math.abs(number) < EXACT) return;
  space.writeUInt16BE(remainder + 0x8000, length);
  length += 2;
}

function writeLong(long: bigint): void {
  const nearest = Number(long);
  writeDouble(nearest, Number(long - BigInt(nearest)));
}

/** Zero bytes are written 00 FF and the end 00 01, so that a beginning sorts before what it begins. */
function writeText(text: string): void {
  reserve(3 * text.length + 2);
  if (text.includes('\0')) writeEscaped(Buffer.from(text));
  else length += space.write(text, length);
  writeByte(0);
  writeByte(1);
}

function writeEscaped(bytes: Buffer): void {
  for (const byte of bytes) {
    writeByte(byte);
    if (byte === 0) writeByte(0xff);
  }
}

/** MongoDB compares embedded documents field by field: type, then name, then value. */
function writeObject(doc: Doc): void {
  for (const [name, value] of Object.entries(doc)) {
    const kind = kindOf(value);
    writeByte(TAGS[kind]);
    writeText(name);
    writePayload(value, kind);
  }
  writeByte(0);
}

/** Shorter ones come first, then by subtype, then by content. */
function writeBinary({ buffer, position, sub_type }: Binary): void {
  reserve(5);
  length = space.writeUInt32BE(position, length);
  writeByte(sub_type);
  writeBytes(buffer.subarray(0, position));
}

function writeBytes(bytes: Uint8Array): void {
  reserve(bytes.length);
  space.set(bytes, length);
  length += bytes.length;
}

function writeDate(ms: number): void {
  if (Number.isNaN(ms)) throw badValue('date out of range');
  writeUint64(BigInt(ms) + 2n ** 63n);
}

function writeUint64(number: bigint): void {
  reserve(8);
  length = space.writeBigUInt64BE(BigInt.asUintN(64, number), length);
}
