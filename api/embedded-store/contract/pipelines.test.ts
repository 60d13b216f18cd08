import { afterAll, expect, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { failure, openStoreUnderTest, sortById } from './store-under-test.ts';

type Doc = mongo.BSON.Document;
const { Double, Int32, Long } = mongoose.mongo;

const ALL: Doc[] = [
  { _id: 1, a: 1, b: [1, 2], c: { d: 1, e: [{ f: 1 }, { f: 2 }] }, s: 'x' },
  { _id: 2, a: null, b: [], c: { d: 2 } },
  { _id: 3, b: 5, s: 'y' },
  { _id: 4, a: [1, 2], c: [{ d: 1 }, { d: 2 }, 5] },
];

const store = await openStoreUnderTest();
const docs = store.db.collection('pipelines');
await docs.insertMany(ALL as mongo.OptionalId<Doc>[]);
afterAll(() => store.close());

const run = async (...stages: Doc[]) => sortById(await docs.aggregate(stages).toArray());

test('a missing field is null in an _id of one field, and missing in an _id of several', async () => {
  expect(await run({ $group: { _id: { a: '$a' }, n: { $sum: 1 } } })).toEqual([
    { _id: { a: 1 }, n: 1 },
    { _id: { a: [1, 2] }, n: 1 },
    { _id: { a: null }, n: 2 },
  ]);
  expect(await run({ $match: { _id: 3 } }, { $group: { _id: { a: '$a', s: '$s' } } })).toEqual([
    { _id: { s: 'y' } },
  ]);
});

test('groups by fields within documents and arrays of documents', async () => {
  expect(await run({ $group: { _id: '$c.d', n: { $sum: 1 } } })).toEqual([
    { _id: null, n: 1 },
    { _id: 1, n: 1 },
    { _id: 2, n: 1 },
    { _id: [1, 2], n: 1 },
  ]);
});

test('a path in $group does not descend into arrays within arrays', async () => {
  const nested = store.db.collection<Doc>('nested');
  await nested.insertOne({ a: [[{ x: 1 }], { x: 2 }, 3] });
  expect(await nested.aggregate([{ $group: { _id: '$a.x' } }]).toArray()).toEqual([{ _id: [2] }]);
});

test('sums in the type of the operands', async () => {
  const typeOf = async (one: unknown) => {
    const pipeline = [{ $group: { _id: null, n: { $sum: one } } }];
    return (await docs.aggregate(pipeline, { promoteValues: false }).toArray())[0]?.n._bsontype;
  };
  expect([await typeOf(new Int32(1)), await typeOf(Long.fromNumber(1)), await typeOf(new Double(1))]).toEqual(
    ['Int32', 'Long', 'Double'],
  );
});

test('minima and maxima leave out null and missing values', async () => {
  const few = { $match: { _id: { $in: [1, 2, 3] } } };
  const extremes = { $group: { _id: null, min: { $min: '$a' }, max: { $max: '$a' }, none: { $min: '$x' } } };
  expect(await run(few, extremes)).toEqual([{ _id: null, min: 1, max: 1, none: null }]);
});

test('sums doubles without accumulating rounding errors', async () => {
  const doubles = store.db.collection<Doc>('doubles');
  await doubles.insertMany(Array.from({ length: 10 }, () => ({ n: 0.1 })));
  const [total] = await doubles.aggregate([{ $group: { _id: null, n: { $sum: '$n' } } }]).toArray();
  expect(total).toEqual({ _id: null, n: 1 });
});

const REFUSED: [stage: Doc, code: number][] = [
  [{ $group: { _id: { a: 1 } } }, 17390],
  [{ $group: { _id: { a: true } } }, 17390],
  [{ $group: { _id: { 'a.b': '$a' } } }, 16412],
  [{ $group: { _id: '$a\0' } }, 16411],
  [{ $group: { _id: '$a.' } }, 40353],
  [{ $group: { _id: { $size: ['$a', '$b'] } } }, 16020],
  [{ $group: { _id: { $subtract: ['$a'] } } }, 16020],
  [{ $group: { _id: { $mod: ['$a'] } } }, 16020],
  [{ $group: { _id: { $size: '$a', $mod: ['$a', 1] } } }, 15983],
  [{ $group: { _id: null, a: { $sum: 1, $max: 1 } } }, 40238],
  [{ $group: { _id: null, a: 1 } }, 40234],
  [{ $group: { _id: null, 'a.b': { $sum: 1 } } }, 40235],
  [{ $group: { _id: null, $a: { $sum: 1 } } }, 40236],
  [{ $group: { _id: null, a: { $sum: [1] } } }, 40237],
  [{ $group: { n: { $sum: 1 } } }, 15955],
  [{ $group: null }, 15947],
  [{ $match: null }, 15959],
  [{ $limit: null }, 5107201],
  [{ $limit: -1 }, 5107201],
  [{ $limit: 1.5 }, 5107201],
  [{ $limit: 0 }, 15958],
  [{}, 40323],
  [{ $limit: 1, $match: {} }, 40323],
];

test.each(REFUSED)('refuses %j with %d', async (stage, code) => {
  expect((await failure(docs.aggregate([stage]).toArray())).code).toBe(code);
});
