import { afterAll, beforeEach, expect, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { failure, openStoreUnderTest } from './store-under-test.ts';

type Doc = mongo.BSON.Document;
const { Long, Double, Int32 } = mongoose.mongo;

let docs: mongo.Collection<Doc>;

const store = await openStoreUnderTest();
afterAll(() => store.close());
beforeEach(async () => {
  docs = store.db.collection('writes');
  await docs.drop();
});

const put = (doc: Doc) => docs.insertOne(doc as mongo.OptionalId<Doc>);
const read = (_id: unknown = 1) => docs.findOne({ _id: _id as never });
const change = (update: Doc, options: mongo.UpdateOptions = {}, filter: Doc = {}) =>
  docs.updateOne({ _id: 1 as never, ...filter }, update, options);

/** The document before, the update, the document after. */
const UPDATES: [name: string, before: Doc, update: Doc, after: Doc][] = [
  ['sets and makes what is on the way', { a: 1 }, { $set: { 'b.c': 2 } }, { a: 1, b: { c: 2 } }],
  ['appends new fields by name', { m: 1 }, { $set: { z: 1, b: 2 } }, { m: 1, b: 2, z: 1 }],
  [
    'unsets',
    { a: 1, d: { e: 1, f: 2 } },
    { $unset: { a: '', 'd.e': '', x: '', 'y.z': '' } },
    { d: { f: 2 } },
  ],
  ['increments', { a: 1, b: 3 }, { $inc: { a: 2, n: -1 } }, { a: 3, b: 3, n: -1 }],
  [
    'keeps the least and the greatest',
    { a: 5, b: 5 },
    { $min: { a: 3, c: 1 }, $max: { b: 3 } },
    { a: 3, b: 5, c: 1 },
  ],
  [
    'adds to a set',
    { l: [1, 'a'], m: [1] },
    { $addToSet: { l: 2, m: 1, n: [3] } },
    { l: [1, 'a', 2], m: [1], n: [[3]] },
  ],
  [
    'adds a document to a set',
    { l: [{ k: 1 }] },
    { $addToSet: { l: { k: 2 } } },
    { l: [{ k: 1 }, { k: 2 }] },
  ],
  [
    'unsets nothing within scalars and arrays',
    { a: 1, b: [{ c: 1 }] },
    { $unset: { 'a.x': '', 'b.c': '' } },
    { a: 1, b: [{ c: 1 }] },
  ],
  ['pulls a value', { l: [1, 2, 1] }, { $pull: { l: 1, 'x.y': 1 } }, { l: [2] }],
  ['sets fields with numbers as names', { a: { 1: 1 } }, { $set: { 'a.2': 2 } }, { a: { 1: 1, 2: 2 } }],
  ['does nothing for empty operators', { a: 1 }, { $set: {} }, { a: 1 }],
];

for (const [name, before, update, after] of UPDATES) {
  test(`update ${name}`, async () => {
    await put({ _id: 1, ...before });
    await change(update);
    const found = await read();
    expect(found).toEqual({ _id: 1, ...after });
    expect(Object.keys(found as Doc)).toEqual(['_id', ...Object.keys(after)]);
  });
}

test('keeps the BSON types of numbers', async () => {
  await put({ _id: 1, i: new Int32(1), l: Long.fromString('4294967296'), d: new Double(2) });
  await change({ $inc: { i: 1, l: 1, d: 1, big: Long.fromString('9007199254740993') } });
  const found = await docs.findOne({ _id: 1 as never }, { promoteValues: false });
  expect(found?.i).toEqual(new Int32(2));
  expect(String(found?.l)).toBe('4294967297');
  expect(found?.l._bsontype).toBe('Long');
  expect(found?.d).toEqual(new Double(3));
  expect(String(found?.big)).toBe('9007199254740993');
  await change({ $set: { i: new Int32(2_147_483_647) } });
  await change({ $inc: { i: 1 } });
  const grown = await docs.findOne({ _id: 1 as never }, { promoteValues: false });
  expect(grown?.i._bsontype).toBe('Long');
  expect(String(grown?.i)).toBe('2147483648');
});

test('stores _id first, whatever the order of fields', async () => {
  await put({ b: 1, _id: 1, a: 2 });
  expect(Object.keys((await read()) as Doc)).toEqual(['_id', 'b', 'a']);
});

const REFUSED: [name: string, before: Doc, update: Doc, code: number][] = [
  ['$inc of text', { a: 'x' }, { $inc: { a: 1 } }, 14],
  ['$inc by text', { a: 1 }, { $inc: { a: 'x' } }, 14],
  ['$addToSet to a number', { a: 1 }, { $addToSet: { a: 1 } }, 2],
  ['$pull from a number', { a: 1 }, { $pull: { a: 1 } }, 2],
  ['a path through a scalar', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
  ['a name within an array', { a: [1] }, { $set: { 'a.b': 1 } }, 28],
  ['$pull through a scalar', { a: 1 }, { $pull: { 'a.b': 1 } }, 28],
  ['$pull through an array', { a: [{ b: [1] }] }, { $pull: { 'a.b': 1 } }, 28],
  ['two changes of one path', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
  ['a change within a changed path', { a: {} }, { $set: { a: 1, 'a.b': 1 } }, 40],
  ['another _id', { a: 1 }, { $set: { _id: 2 } }, 66],
  ['no _id', { a: 1 }, { $unset: { _id: '' } }, 66],
  ['an unknown modifier', { a: 1 }, { $foo: { a: 1 } }, 9],
  ['$set of no document', { a: 1 }, { $set: 5 }, 9],
];

for (const [name, before, update, code] of REFUSED) {
  test(`refuses ${name} with ${code}, and changes nothing`, async () => {
    await put({ _id: 1, ...before });
    const call = store.db.command({ update: 'writes', updates: [{ q: { _id: 1 }, u: update }] });
    const answer = await call.catch((error: mongo.MongoServerError) => error.errorResponse);
    const errors = (answer as Doc).writeErrors as Doc[] | undefined;
    expect(errors?.[0]?.code ?? (answer as Doc).code).toBe(code);
    expect(await read()).toEqual({ _id: 1, ...before });
  });
}

test('upserts with the equality conditions of the filter, including _id, and with $setOnInsert', async () => {
  const made = await docs.updateOne(
    { _id: 7 as never, $and: [{ a: 1 }, { b: { $eq: 2 } }], c: { $gt: 5 }, 'p.x': 1, 'p.y.z': { $in: [2] } },
    { $set: { d: 4 }, $setOnInsert: { e: 5 }, $inc: { n: 1 } },
    { upsert: true },
  );
  expect(made).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedCount: 1, upsertedId: 7 });
  expect(await read(7)).toEqual({ _id: 7, a: 1, b: 2, p: { x: 1, y: { z: 2 } }, d: 4, e: 5, n: 1 });
  const again = await docs.updateOne(
    { _id: 7 as never },
    { $setOnInsert: { e: 9 }, $inc: { n: 1 } },
    { upsert: true },
  );
  expect(again).toMatchObject({ matchedCount: 1, modifiedCount: 1, upsertedCount: 0 });
  expect(await read(7)).toMatchObject({ e: 5, n: 2 });
});

test('returns the numbers of matched and modified documents', async () => {
  await docs.insertMany([{ a: 1 }, { a: 1, b: 1 }, { a: 2 }]);
  expect(await docs.updateMany({ a: 1 }, { $set: { b: 1 } })).toMatchObject({
    matchedCount: 2,
    modifiedCount: 1,
  });
  expect(await docs.updateMany({ a: 9 }, { $set: { b: 1 } })).toMatchObject({
    matchedCount: 0,
    modifiedCount: 0,
  });
  expect(await docs.deleteMany({ a: 1 })).toMatchObject({ deletedCount: 2 });
  expect(await docs.deleteOne({ a: 9 })).toMatchObject({ deletedCount: 0 });
});

test('an update to the same value does not count as modified', async () => {
  await put({ _id: 1, a: 1 });
  expect(await change({ $set: { a: 1 } })).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
  expect(await change({ $inc: { a: 0 } })).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
  expect(await change({ $addToSet: { l: 1 }, $unset: { none: '' } })).toMatchObject({ modifiedCount: 1 });
  expect(await change({ $addToSet: { l: 1 }, $unset: { none: '' } })).toMatchObject({ modifiedCount: 0 });
});

test('updates every match although the update moves them within the index used', async () => {
  await docs.createIndex({ n: 1 });
  await docs.insertMany(Array.from({ length: 600 }, (_, i) => ({ n: i })));
  expect(await docs.updateMany({ n: { $gte: 0 } }, { $inc: { n: 50 } })).toMatchObject({
    modifiedCount: 600,
  });
  expect(await docs.countDocuments({ n: { $gte: 50, $lt: 650 } })).toBe(600);
});

test('finds and modifies one document', async () => {
  await docs.insertMany([
    { _id: 1, n: 2 },
    { _id: 2, n: 1 },
    { _id: 3, n: 3 },
  ] as never[]);
  expect(await docs.findOneAndUpdate({ n: 1 }, { $inc: { n: 10 } })).toEqual({ _id: 2, n: 1 });
  const after = await docs.findOneAndUpdate(
    { _id: 3 as never },
    { $set: { x: 1 } },
    { returnDocument: 'after', projection: { x: 1 } },
  );
  expect(after).toEqual({ _id: 3, x: 1 });
  expect(await docs.findOneAndDelete({ n: 2 })).toEqual({ _id: 1, n: 2 });
  expect(await docs.findOneAndUpdate({ n: 99 }, { $set: { x: 1 } })).toBeNull();
  const made = await docs.findOneAndUpdate(
    { n: 99 },
    { $set: { x: 1 } },
    { upsert: true, returnDocument: 'after' },
  );
  expect(made).toMatchObject({ n: 99, x: 1 });
  expect(await docs.findOneAndUpdate({ n: 98 }, { $set: { x: 1 } }, { upsert: true })).toBeNull();
  expect(await docs.countDocuments({ n: 98, x: 1 })).toBe(1);
});

test('continues after a failed write of an unordered batch, and stops in an ordered one', async () => {
  const batch = [{ _id: 1 }, { _id: 1 }, { _id: 2 }] as never[];
  expect((await failure(docs.insertMany(batch, { ordered: false }))).code).toBe(11000);
  expect(await docs.countDocuments({})).toBe(2);
  await docs.deleteMany({});
  await failure(docs.insertMany(batch));
  expect(await docs.countDocuments({})).toBe(1);
});

test('executes mixed bulk writes', async () => {
  const result = await docs.bulkWrite([
    { insertOne: { document: { _id: 1, a: 1 } as never } },
    { updateOne: { filter: { _id: 1 as never }, update: { $set: { a: 2 } } } },
    { updateOne: { filter: { _id: 2 as never }, update: { $set: { a: 3 } }, upsert: true } },
    { updateMany: { filter: { _id: { $gte: 2 } } as never, update: { $set: { a: 4 } } } },
    { deleteOne: { filter: { _id: 1 as never } } },
  ]);
  expect(result).toMatchObject({
    insertedCount: 1,
    matchedCount: 2,
    modifiedCount: 2,
    upsertedCount: 1,
    deletedCount: 1,
  });
  expect(await docs.find({}).toArray()).toEqual([{ _id: 2, a: 4 }]);
});

test('refuses a document above 16 MB with 10334', async () => {
  await put({ _id: 1, s: 'x'.repeat(9 * 1024 * 1024) });
  const grown = await failure(change({ $set: { t: 'x'.repeat(9 * 1024 * 1024) } }));
  expect([10334, 17419]).toContain(grown.code);
  expect(Object.keys((await read()) as Doc)).toEqual(['_id', 's']);
});

test('accepts writes with journal acknowledgement', async () => {
  await docs.insertOne({ _id: 1 as never }, { writeConcern: { j: true } });
  expect(
    await docs.updateOne(
      { _id: 1 as never },
      { $set: { a: 1 } },
      { writeConcern: { w: 'majority', j: true } },
    ),
  ).toMatchObject({
    modifiedCount: 1,
  });
});
