import { afterAll, expect, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { openStoreUnderTest, sortById } from './store-under-test.ts';

/** Reading only the fields that a command names gives the same results as reading whole documents. */
type Doc = mongo.BSON.Document;
const { Binary, Long } = mongoose.mongo;

const store = await openStoreUnderTest();
const docs = store.db.collection('named');
await docs.insertMany(
  Array.from({ length: 30 }, (_, i) => ({
    _id: i as never,
    terms: Array.from({ length: 200 }, (_, n) => `t${n}`),
    owner: i % 2 ? 'a' : 'b',
    contact: i % 3 ? { id: `c${i % 3}`, name: 'n' } : null,
    at: new Date(i * 1000),
    text: /x\u002ey/,
    bytes: new Binary(Buffer.from([0, 1, 0]), 0),
    large: Long.fromBigInt(2n ** 60n),
    list: [{ k: i }, { k: i + 1 }],
  })),
);
afterAll(() => store.close());

const run = (...pipeline: Doc[]) => docs.aggregate(pipeline).toArray();

test('projects with inclusion and exclusion', async () => {
  const [without] = await docs.find({ _id: 1 as never }, { projection: { terms: 0, bytes: 0 } }).toArray();
  expect(Object.keys(without as Doc)).toEqual(['_id', 'owner', 'contact', 'at', 'text', 'large', 'list']);
  expect(await docs.findOne({ _id: 1 as never }, { projection: { at: 1, owner: 1 } })).toEqual({
    _id: 1,
    owner: 'a',
    at: new Date(1000),
  });
  expect(await docs.findOne({ _id: 1 as never }, { projection: { _id: 0, owner: 1, none: 1 } })).toEqual({
    owner: 'a',
  });
  expect(await docs.findOne({ _id: 1 as never }, { projection: { _id: 1 } })).toEqual({ _id: 1 });
  expect(
    await docs.findOne({ _id: 1 as never }, { projection: { _id: 0, 'contact.id': 1, 'list.k': 1 } }),
  ).toEqual({
    contact: { id: 'c1' },
    list: [{ k: 1 }, { k: 2 }],
  });
  expect(Object.keys((await docs.findOne({}, { projection: { _id: 0 } })) as Doc)).toHaveLength(8);
});

test('filters by fields that follow long ones, within documents and arrays', async () => {
  expect(await docs.countDocuments({ 'contact.id': 'c1', 'list.k': { $gte: 20 } })).toBe(4);
  expect(await docs.countDocuments({ $or: [{ 'contact.id': 'c2' }, { $nor: [{ owner: 'a' }] }] })).toBe(20);
  expect(await docs.countDocuments({ 'list.k': 5, contact: { $ne: null } })).toBe(2);
});

test('groups and counts by named fields', async () => {
  expect(
    sortById(
      await run(
        { $match: { owner: 'a' } },
        { $group: { _id: '$contact.id', n: { $sum: 1 }, last: { $max: '$at' } } },
      ),
    ),
  ).toEqual([
    { _id: null, n: 5, last: new Date(27_000) },
    { _id: 'c1', n: 5, last: new Date(25_000) },
    { _id: 'c2', n: 5, last: new Date(29_000) },
  ]);
  const bySize = { $group: { _id: '$owner', size: { $max: { $size: '$terms' } } } };
  expect(await run({ $limit: 1 }, bySize)).toEqual([{ _id: 'b', size: 200 }]);
  const matching = { $match: { 'contact.id': 'c1', at: { $lt: new Date(9000) } } };
  expect(await run(matching, { $group: { _id: null, n: { $sum: 1 } } })).toEqual([{ _id: null, n: 3 }]);
});

test('returns whole documents if a pipeline does not group them', async () => {
  const [whole] = await run({ $match: { 'contact.id': 'c1' } }, { $limit: 1 }, { $match: { owner: 'a' } });
  expect(Object.keys(whole as Doc)).toHaveLength(9);
  expect(whole?.terms).toHaveLength(200);
});
