import { expect, test } from '@jest/globals';
import {
  Binary,
  BSONRegExp,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson';
import fc from 'fast-check';
import { decode } from './codec.ts';
import { dropFields, keepFields, rootOf } from './top-fields.ts';
import type { Doc } from './values.ts';

/** A value of every supported type, with bytes in it that could be mistaken for its end. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    new Date(0),
    new Int32(0),
    new Double(1.5),
    Long.fromBigInt(1n << 40n),
    new ObjectId('000000000000000000000000'),
    new Timestamp({ t: 1, i: 0 }),
    new BSONRegExp('a.*b', 'im'),
    new BSONRegExp('', ''),
    new Binary(Buffer.from([0, 0, 1, 0]), 0),
    new Binary(Buffer.alloc(0), 128),
    new MinKey(),
    new MaxKey(),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.array(fc.constantFrom('x', '', '退款'), { maxLength: 5 }),
  fc.record({ a: fc.array(fc.integer(), { maxLength: 3 }), b: fc.record({ a: fc.string() }) }),
);
const name = fc.constantFrom('_id', 'a', 'b', 'ab', '名', '__x', 'terms');

test('picks and drops fields as if it decoded and encoded the document', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value), fc.uniqueArray(name), (doc, names) => {
      const body = Buffer.from(serialize(doc));
      const chosen = new Set<string>(names);
      const picked = (wanted: boolean): Doc =>
        decode(
          serialize(Object.fromEntries(Object.entries(doc).filter(([key]) => chosen.has(key) === wanted))),
        );
      expect(decode(keepFields(body, chosen))).toEqual(picked(true));
      expect(decode(dropFields(body, chosen))).toEqual(picked(false));
      expect(decode(body)).toEqual(decode(serialize(doc)));
    }),
    { numRuns: 500 },
  );
});

test('returns the first part of a path', () => {
  expect(['a', 'a.b.c', '', 'a.'].map(rootOf)).toEqual(['a', 'a', '', 'a']);
});
