import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { openStoreUnderTest, type StoreUnderTest } from './store-under-test.ts';

/** Who names fields gets what whole documents would give: also by sorts, groups and facets over documents with much else in them. */
type Doc = mongo.BSON.Document;
const { Binary, Long } = mongoose.mongo;

let store: StoreUnderTest;
let docs: mongo.Collection<Doc>;

beforeAll(async () => {
  store = await openStoreUnderTest();
  docs = store.db.collection('named');
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
});
afterAll(() => store.close());

const run = (...pipeline: Doc[]) => docs.aggregate(pipeline).toArray();

test('projects fields in and out', async () => {
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

test('filters by fields behind long ones, within documents and arrays', async () => {
  expect(await docs.countDocuments({ 'contact.id': 'c1', 'list.k': { $gte: 20 } })).toBe(4);
  expect(await docs.countDocuments({ $or: [{ 'contact.id': 'c2' }, { $nor: [{ owner: 'a' }] }] })).toBe(20);
  expect(await docs.countDocuments({ list: { $elemMatch: { k: 5 } }, contact: { $ne: null } })).toBe(2);
});

test('groups, sorts and counts by named fields, and by the whole document', async () => {
  expect(
    await run(
      { $match: { owner: 'a' } },
      { $group: { _id: '$contact.id', n: { $sum: 1 }, last: { $max: '$at' } } },
      { $sort: { _id: 1 } },
    ),
  ).toEqual([
    { _id: null, n: 5, last: new Date(27_000) },
    { _id: 'c1', n: 5, last: new Date(25_000) },
    { _id: 'c2', n: 5, last: new Date(29_000) },
  ]);
  const [newest] = await run(
    { $sort: { at: -1 } },
    { $group: { _id: '$owner', doc: { $first: '$$ROOT' } } },
    { $sort: { _id: 1 } },
  );
  expect(newest?.doc.terms).toHaveLength(200);
  expect(
    await run({ $sort: { at: -1 } }, { $limit: 1 }, { $group: { _id: null, of: { $push: '$$ROOT.owner' } } }),
  ).toEqual([{ _id: null, of: ['a'] }]);
  expect(
    await run(
      { $unwind: '$list' },
      { $match: { 'list.k': { $lt: 2 } } },
      { $group: { _id: '$list.k', at: { $min: '$at' } } },
      { $sort: { _id: 1 } },
    ),
  ).toEqual([
    { _id: 0, at: new Date(0) },
    { _id: 1, at: new Date(0) },
  ]);
  expect(await run({ $match: { 'contact.id': 'c1', at: { $lt: new Date(9000) } } }, { $count: 'n' })).toEqual(
    [{ n: 3 }],
  );
  expect(await run({ $match: { 'contact.id': 'none' } }, { $count: 'n' })).toEqual([]);
});

test('projects and adds computed fields, in facets too', async () => {
  expect(
    await run(
      { $limit: 1 },
      { $project: { _id: 0, who: { $concat: ['$owner', '!'] }, 'contact.id': 1, at: 1 } },
    ),
  ).toEqual(
    [{ contact: null, at: new Date(0), who: 'b!' }].map(({ contact, ...rest }) => ({
      ...(contact === null ? {} : { contact }),
      ...rest,
    })),
  );
  const [kept] = await run({ $limit: 1 }, { $project: { terms: 0 } });
  expect(kept).toMatchObject({ owner: 'b', list: [{ k: 0 }, { k: 1 }] });
  const [added] = await run(
    { $limit: 1 },
    { $addFields: { size: { $size: '$terms' } } },
    { $group: { _id: '$owner', size: { $max: '$size' } } },
  );
  expect(added).toEqual({ _id: 'b', size: 200 });
  const [both] = await run({
    $facet: {
      owners: [{ $group: { _id: '$owner', n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      some: [{ $match: { 'contact.id': 'c1' } }, { $count: 'n' }],
    },
  });
  expect(both).toEqual({
    owners: [
      { _id: 'a', n: 15 },
      { _id: 'b', n: 15 },
    ],
    some: [{ n: 10 }],
  });
  const [whole] = await run({ $facet: { all: [{ $limit: 1 }], n: [{ $count: 'n' }] } });
  expect(whole?.all[0].terms).toHaveLength(200);
});
