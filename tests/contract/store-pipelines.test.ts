import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { failure, openStoreUnderTest, type StoreUnderTest } from './store-under-test.ts';

type Doc = mongo.BSON.Document;
const { Double, Int32, Long } = mongoose.mongo;

let store: StoreUnderTest;
let docs: mongo.Collection<Doc>;

const ALL: Doc[] = [
  { _id: 1, a: 1, b: [1, 2], c: { d: 1, e: [{ f: 1 }, { f: 2 }] }, s: 'x' },
  { _id: 2, a: null, b: [], c: { d: 2 } },
  { _id: 3, b: 5, s: 'y' },
  { _id: 4, a: [1, 2], c: [{ d: 1 }, { d: 2 }, 5] },
];

beforeAll(async () => {
  store = await openStoreUnderTest();
  docs = store.db.collection('pipelines');
  await docs.insertMany(ALL as mongo.OptionalId<Doc>[]);
});
afterAll(() => store.close());

const run = (...stages: Doc[]) => docs.aggregate([{ $sort: { _id: 1 } }, ...stages]).toArray();

describe('$project', () => {
  test('leaves out the _id alone', async () => {
    const others = ALL.map(({ _id, ...other }) => other);
    expect(await run({ $project: { _id: 0 } })).toEqual(others);
    expect(await run({ $project: { _id: false } })).toEqual(others);
    expect(await run({ $match: { _id: 3 } }, { $project: { _id: 0, s: 1 } })).toEqual([{ s: 'y' }]);
    expect(await run({ $match: { _id: 3 } }, { $project: { _id: 0, s: 0 } })).toEqual([{ b: 5 }]);
  });

  test('sets a computed field in each element of an array on its path', async () => {
    const projected = async (spec: Doc) =>
      (await run({ $project: { _id: 0, ...spec } })).map(({ b, c }) => b ?? c);
    expect(await projected({ 'c.d': 'v' })).toEqual([
      { d: 'v' },
      { d: 'v' },
      { d: 'v' },
      [{ d: 'v' }, { d: 'v' }, { d: 'v' }],
    ]);
    expect(await projected({ 'b.x': { $literal: 1 } })).toEqual([
      [{ x: 1 }, { x: 1 }],
      [],
      { x: 1 },
      { x: 1 },
    ]);
    expect(await projected({ c: { d: 1, z: '$s' } })).toEqual([
      { d: 1, z: 'x' },
      { d: 2 },
      { z: 'y' },
      [{ d: 1 }, { d: 2 }, {}],
    ]);
    expect(await projected({ 'c.e.f': 'v' })).toEqual([
      { e: [{ f: 'v' }, { f: 'v' }] },
      { e: { f: 'v' } },
      { e: { f: 'v' } },
      [{ e: { f: 'v' } }, { e: { f: 'v' } }, { e: { f: 'v' } }],
    ]);
  });
});

test('$project keeps the order of the fields in the document, and adds computed ones at the end', async () => {
  const namesOf = async (spec: Doc) =>
    Object.keys((await run({ $match: { _id: 1 } }, { $project: spec }))[0] ?? {});
  expect(await namesOf({ s: 1, z: '$s', b: 1 })).toEqual(['_id', 'b', 's', 'z']);
  expect(await namesOf({ s: 1, 'a.z': '$s' })).toEqual(['_id', 'a', 's']);
  expect(await namesOf({ s: 1, _id: { x: '$a' } })).toEqual(['_id', 's']);
});

describe('$group', () => {
  test('takes a missing field in an _id of one field for null', async () => {
    const groups = await run({ $group: { _id: { a: '$a' }, n: { $sum: 1 } } }, { $sort: { n: -1, _id: 1 } });
    expect(groups).toEqual([
      { _id: { a: null }, n: 2 },
      { _id: { a: 1 }, n: 1 },
      { _id: { a: [1, 2] }, n: 1 },
    ]);
    const ofTwo = await run({ $match: { _id: 3 } }, { $group: { _id: { a: '$a', s: '$s' } } });
    expect(ofTwo).toEqual([{ _id: { s: 'y' } }]);
  });

  test('sums in the type of what it adds', async () => {
    const typeOf = async (one: unknown) => {
      const pipeline = [{ $group: { _id: null, n: { $sum: one } } }];
      return (await docs.aggregate(pipeline, { promoteValues: false }).toArray())[0]?.n._bsontype;
    };
    expect([
      await typeOf(new Int32(1)),
      await typeOf(Long.fromNumber(1)),
      await typeOf(new Double(1)),
    ]).toEqual(['Int32', 'Long', 'Double']);
  });
});

test('$and, $or, $ifNull and $concat compute no operand after the one that decides', async () => {
  const fails = { $divide: [1, { $subtract: ['$a', '$a'] }] };
  const first = async (x: Doc) => (await run({ $match: { _id: 1 } }, { $project: { x } }))[0]?.x;
  expect(await first({ $and: [false, fails] })).toBe(false);
  expect(await first({ $and: ['$none', fails] })).toBe(false);
  expect(await first({ $or: ['$s', fails] })).toBe(true);
  expect(await first({ $ifNull: ['$none', '$s', fails] })).toBe('x');
  expect(await first({ $concat: ['$s', null, fails] })).toBeNull();
  expect((await failure(first({ $and: [true, fails] }))).code).toBe(2);
});

const REFUSED: [stage: Doc, code: number][] = [
  [{ $project: { a: 0, b: '$a' } }, 31310],
  [{ $project: { a: '$a', b: 0 } }, 31254],
  [{ $project: { a: '$s', 'a.b': '$s' } }, 31249],
  [{ $project: { 'a.b': '$s', a: '$s' } }, 31250],
  [{ $project: { $a: 1 } }, 16410],
  [{ $project: { 'a.': 1 } }, 40353],
  [{ $project: { a: '$b\0c' } }, 16411],
  [{ $project: { a: {} } }, 51270],
  [{ $project: null }, 15969],
  [{ $set: { a: 1, 'a.b': 2 } }, 40176],
  [{ $addFields: { 'a.b': 2, a: 1 } }, 40176],
  [{ $addFields: { a: { b: 1 }, 'a.b': 2 } }, 40176],
  [{ $addFields: { a: {} } }, 40180],
  [{ $addFields: { '': 1 } }, 40352],
  [{ $group: { _id: { a: 1 } } }, 17390],
  [{ $group: { _id: { a: true } } }, 17390],
  [{ $group: { _id: { 'a.b': '$a' } } }, 16412],
  [{ $group: { _id: '$a\0' } }, 16411],
  [{ $group: null }, 15947],
  [{ $sort: { $natural: 1 } }, 16410],
  [{ $sort: { $a: 1 } }, 16410],
  [{ $sort: { a: 'x' } }, 15974],
  [{ $sort: null }, 15973],
  [{ $count: '' }, 40157],
  [{ $count: 'a\0b' }, 40159],
  [{ $count: null }, 40156],
  [{ $facet: null }, 40169],
  [{ $facet: { a: null } }, 40170],
  [{ $facet: { a: [null] } }, 40171],
  [{ $facet: { a: [5] } }, 40171],
  [{ $facet: { 'a.b': [] } }, 16412],
  [{ $facet: { $a: [] } }, 16410],
  [{ $facet: { '': [] } }, 15998],
  [{ $unwind: null }, 15981],
  [{ $skip: null }, 5107200],
  [{ $limit: null }, 5107201],
];

test.each(REFUSED)('refuses %j with %d', async (stage, code) => {
  expect((await failure(docs.aggregate([stage]).toArray())).code).toBe(code);
});
