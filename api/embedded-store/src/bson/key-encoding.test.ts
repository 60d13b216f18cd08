import { expect, test } from '@jest/globals';
import { Binary, BSONRegExp, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import {
  compareValues,
  EMPTY_ARRAY,
  encodeCompound,
  encodeEach,
  encodeKey,
  type KeyPart,
  sameValue,
} from './key-encoding.ts';

const long = (text: string) => Long.fromString(text);
const bytes = (...content: number[]) => new Binary(Buffer.from(content));

/** Values in their order. */
const ASCENDING: KeyPart[] = [
  new MinKey(),
  EMPTY_ARRAY,
  null,
  new Double(Number.NaN),
  new Double(Number.NEGATIVE_INFINITY),
  long('-9223372036854775808'),
  long('-9007199254740993'),
  new Double(-9007199254740992),
  new Double(-1.5),
  new Int32(-1),
  new Double(0),
  new Double(Number.MIN_VALUE),
  new Int32(1),
  new Double(1.5),
  long('9007199254740991'),
  new Double(9007199254740992),
  long('9007199254740993'),
  long('9007199254740994'),
  long('9223372036854775807'),
  new Double(2 ** 63),
  new Double(Number.POSITIVE_INFINITY),
  '',
  'a',
  'a\0',
  'a\0b',
  'aa',
  'b',
  '中',
  '\u{1f600}',
  {},
  { a: new Int32(1) },
  { a: new Int32(1), b: new Int32(1) },
  { a: new Int32(2) },
  { b: new Int32(1) },
  { a: 'x' },
  [],
  [new Int32(1)],
  [new Int32(1), new Int32(1)],
  [new Int32(2)],
  ['a'],
  bytes(),
  bytes(255),
  bytes(0, 0),
  new ObjectId('000000000000000000000000'),
  new ObjectId('ffffffffffffffffffffffff'),
  false,
  true,
  new Date(-8.64e15),
  new Date(-1),
  new Date(0),
  new Date(8.64e15),
  new Timestamp({ t: 1, i: 2 }),
  new Timestamp({ t: 2, i: 1 }),
  new BSONRegExp('a', ''),
  new BSONRegExp('a', 'i'),
  new BSONRegExp('b', ''),
  new MaxKey(),
];

test('keys sort as MongoDB sorts values', () => {
  for (const [i, value] of ASCENDING.entries()) {
    for (const [j, other] of ASCENDING.entries()) {
      expect(Buffer.compare(encodeKey(value), encodeKey(other))).toBe(Math.sign(i - j));
    }
  }
});

test('sorts descending fields in reverse, in compound keys, too', () => {
  const sorted = ASCENDING.flatMap((first) =>
    [new Int32(1), new Int32(2)].map((second) => [first, second] as KeyPart[]),
  );
  const keys = sorted.map((parts) => encodeCompound(parts, [-1, 1]));
  const ordered = [...keys].sort(Buffer.compare);
  const expected = [...ASCENDING]
    .reverse()
    .flatMap((first) => [1, 2].map((second) => encodeCompound([first, new Int32(second)], [-1, 1])));
  expect(ordered.map((key) => key.toString('hex'))).toEqual(expected.map((key) => key.toString('hex')));
});

test('keys that differ in one part equal those encoded one by one', () => {
  const values = ASCENDING.filter((value) => value !== EMPTY_ARRAY);
  for (const directions of [
    [1, 1, 1],
    [1, -1, 1],
    [-1, 1, -1],
    [-1, -1, -1],
  ] as (1 | -1)[][]) {
    for (const at of [0, 1, 2]) {
      const parts: KeyPart[] = ['owner\0', new Double(-1.5), [new Int32(1)]];
      const expected = values.map((value) => encodeCompound(parts.toSpliced(at, 1, value), directions));
      const keys = encodeEach(parts, directions, at, values);
      expect(keys.map((key) => key.toString('hex'))).toEqual(expected.map((key) => key.toString('hex')));
    }
  }
});

test('equal numbers have the same key, whatever their type', () => {
  expect(sameValue(new Int32(5), long('5'))).toBe(true);
  expect(sameValue(new Int32(5), new Double(5))).toBe(true);
  expect(sameValue(new Double(-0), new Int32(0))).toBe(true);
  expect(sameValue({ a: new Int32(1) }, { a: new Double(1) })).toBe(true);
  const [one, two] = [new Int32(1), new Int32(2)];
  expect(sameValue({ a: one, b: two }, { b: two, a: one })).toBe(false);
});

const number = fc.oneof(
  fc.double().map((n) => new Double(n)),
  fc.integer().map((n) => new Int32(n)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => Long.fromBigInt(n)),
);

/** The exact order, by bigints if both are integers. */
function compareNumbers(x: Double | Int32 | Long, y: Double | Int32 | Long): number {
  const [a, b] = [Number(x), Number(y)];
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  const bothIntegers = Number.isInteger(a) && Number.isInteger(b);
  const exact = (n: Double | Int32 | Long) => (n instanceof Long ? n.toBigInt() : BigInt(Number(n)));
  const [left, right] = bothIntegers ? [exact(x), exact(y)] : [a, b];
  return left < right ? -1 : left > right ? 1 : 0;
}

test('sorts any two numbers', () => {
  fc.assert(
    fc.property(number, number, (x, y) => {
      expect(compareValues(x, y)).toBe(compareNumbers(x, y));
    }),
    {
      numRuns: 2000,
      examples: [[new Double(Number.POSITIVE_INFINITY), new Double(Number.POSITIVE_INFINITY)]],
    },
  );
});

test('sorts texts by their UTF-8 bytes, and no key is a prefix of another', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (x, y) => {
      expect(compareValues(x, y)).toBe(Buffer.compare(Buffer.from(x), Buffer.from(y)));
      if (x !== y) expect(encodeKey(y).subarray(0, encodeKey(x).length).equals(encodeKey(x))).toBe(false);
    }),
    { numRuns: 1000 },
  );
});
