import type { Binary, BSONRegExp, Long, ObjectId, Timestamp } from 'bson';
import { badValue } from '../errors.ts';
import { type Doc, type Kind, kindOf, TAGS, type Value } from './values.ts';

/*
 * Keys are bytes that sort as MongoDB sorts values: the tag of the type, then a self-delimiting payload. Equal numbers of different
 * types have equal keys. As no key is a prefix of another, keys can be concatenated to a compound key; those of descending fields
 * have all bits inverted.
 */

/** Stands for an empty array in an index or a sort: MongoDB's "undefined", which sorts before null. */
export const EMPTY_ARRAY = Symbol('empty array');
const EMPTY_ARRAY_TAG = 0x02;
export type KeyPart = Value | typeof EMPTY_ARRAY;

export function encodeKey(value: KeyPart): Buffer {
  length = 0;
  writePart(value);
  return Buffer.copyBytesFrom(space, 0, length);
}

/** A compound key; `directions` are those of the index's fields. */
export function encodeCompound(parts: readonly KeyPart[], directions: readonly (1 | -1)[]): Buffer {
  length = 0;
  for (const [i, part] of parts.entries()) {
    const start = length;
    writePart(part);
    if (directions[i] === -1) invert(start);
  }
  return Buffer.copyBytesFrom(space, 0, length);
}

/** The compound keys that differ in part `at` only, one for each of `values`; the other parts are encoded once. */
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
    if (directions[at] === -1) invert(before.length);
    writeBytes(after);
    return Buffer.from(space.subarray(0, length));
  });
}

/** Inverts all bits from `start` on. */
function invert(start: number): void {
  for (let i = start; i < length; i++) space[i] = 0xff - (space[i] as number);
}

/** The key as a string, for Set and Map. */
export const keyText = (value: KeyPart) => encodeKey(value).toString('latin1');

/** MongoDB's order of two values: negative, 0 or positive. */
export const compareValues = (a: Value, b: Value) => Buffer.compare(encodeKey(a), encodeKey(b));

export const sameValue = (a: Value, b: Value) => encodeKey(a).equals(encodeKey(b));

/** The buffer in which a key is built. It is reused, and grows as needed. */
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
 * IEEE 754 with the sign bit inverted (all bits of negative numbers) sorts as the numbers do. NaN is eight zero bytes and sorts first; -0 is
 * encoded as 0. From 2^53 on two more bytes hold the difference of a Long to the nearest double; a double has 0x8000 there.
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

/** A zero byte is encoded as 00 FF and the end as 00 01, so that a prefix sorts before longer texts. */
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

/** Sorted by length, then by subtype, then by content. */
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
