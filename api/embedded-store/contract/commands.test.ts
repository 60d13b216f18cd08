import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { embeddedOnly } from '../../src/testing/embedded-only.ts';
import { failure, openStoreUnderTest, STRICT_API, sortById } from './store-under-test.ts';

type Doc = mongo.BSON.Document;

const store = await openStoreUnderTest();
afterAll(() => store.close());

const refused = (command: Doc) => failure(store.db.command(command));

test('responds to hello like MongoDB', async () => {
  const hello = await store.db.command({ hello: 1 });
  expect(hello).toMatchObject({
    isWritablePrimary: true,
    maxBsonObjectSize: 16_777_216,
    logicalSessionTimeoutMinutes: 30,
    ok: 1,
  });
  // MongoDB 5.0, the oldest supported version.
  expect(hello.maxWireVersion).toBeGreaterThanOrEqual(13);
  expect(await store.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
});

test('refuses unknown fields, missing ones, wrong types and unknown commands', async () => {
  expect((await refused({ find: 'c', foo: 1 })).code).toBe(40415);
  expect((await refused({ insert: 'c' })).code).toBe(40414);
  expect((await refused({ find: 'c', filter: 'x' })).code).toBe(14);
  expect((await refused({ find: 'c', limit: -1 })).code).toBe(51024);
  expect((await refused({ find: '' })).code).toBe(73);
});

test('implements version 1 of the Stable API', async () => {
  expect(await refused({ distinct: 'c', key: 'a' })).toMatchObject({ code: 323, codeName: 'APIStrictError' });
  for (const command of [{ buildInfo: 1 }, { collStats: 'c' }, { renameCollection: 'a.b', to: 'a.c' }]) {
    expect((await refused(command)).code).toBe(323);
  }
  const parts: Doc[] = [
    { find: 'c', tailable: true },
    { find: 'c', min: { a: 1 } },
    { aggregate: 'c', pipeline: [{ $indexStats: {} }], cursor: {} },
    { createIndexes: 'c', indexes: [{ key: { a: 'text' }, name: 'a' }] },
    { create: 'capped', capped: true, size: 100 },
  ];
  for (const command of parts) expect((await refused(command)).code).toBe(323);
});

embeddedOnly('refuses transactions with 20', async () => {
  const transaction = {
    txnNumber: new mongoose.mongo.Long(1),
    startTransaction: true,
    autocommit: false,
  };
  expect(await refused({ insert: 'c', documents: [{ a: 1 }], ...transaction })).toMatchObject({
    code: 20,
    codeName: 'IllegalOperation',
  });
});

test('returns `ok` as a double, and names what failed', async () => {
  const raw = { promoteValues: false } as const;
  const { ok } = await store.db.command({ ping: 1 }, raw);
  expect(ok).toBeInstanceOf(mongoose.mongo.Double);
  const { errorResponse } = await failure(store.db.command({ find: '' }, raw));
  expect(errorResponse).toMatchObject({ ok: new mongoose.mongo.Double(0), codeName: 'InvalidNamespace' });
});

test('rejects a whole batch if one of its statements is malformed', async () => {
  await store.db.collection('c').insertOne({ _id: 'batch' as never, n: 1 });
  const set = { q: { _id: 'batch' }, u: { $set: { n: 2 } } };
  expect((await refused({ update: 'c', updates: [set, { u: { $set: { n: 3 } } }] })).code).toBe(40414);
  expect((await refused({ update: 'c', updates: [set, { ...set, foo: 1 }] })).code).toBe(40415);
  expect((await refused({ update: 'c', updates: [set, { ...set, u: 5 }] })).code).toBe(9);
  const gone = { q: { _id: 'batch' }, limit: 1 };
  expect((await refused({ delete: 'c', deletes: [gone, { q: {}, limit: 2 }] })).code).toBe(9);
  expect((await refused({ delete: 'c', deletes: [gone, { q: {} }] })).code).toBe(40414);
  expect(await store.db.collection('c').findOne({ _id: 'batch' as never })).toMatchObject({ n: 1 });
});

test('drops a database only with the value 1', async () => {
  const other = store.client.db(`${store.db.databaseName}_dropped`);
  await other.collection('c').insertOne({ a: 1 });
  expect((await failure(other.command({ dropDatabase: 2 }))).code).toBe(5255100);
  expect((await failure(other.command({ dropDatabase: 'x' }))).code).toBe(14);
  expect(await other.collection('c').countDocuments({})).toBe(1);
  await other.command({ dropDatabase: 1 });
  expect(await other.collection('c').countDocuments({})).toBe(0);
});

test('accepts sessions without transactions', async () => {
  const session = store.client.startSession();
  await store.db.collection('c').insertOne({ a: 1 }, { session });
  expect(await store.db.collection('c').findOne({ a: 1 }, { session })).toMatchObject({ a: 1 });
  await session.endSession();
});

test('stores and returns files with GridFS', async () => {
  const bucket = new mongoose.mongo.GridFSBucket(store.db, { bucketName: 'files' });
  const content = Buffer.alloc(700_000, 'abc');
  const upload = bucket.openUploadStream('a.txt', { metadata: { owner: 'o' } });
  await new Promise((resolve, reject) => upload.on('finish', resolve).on('error', reject).end(content));
  const chunks: Buffer[] = [];
  for await (const chunk of bucket.openDownloadStream(upload.id)) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).equals(content)).toBe(true);
  const part: Buffer[] = [];
  for await (const chunk of bucket.openDownloadStream(upload.id, { start: 300_000, end: 300_010 }))
    part.push(chunk as Buffer);
  expect(Buffer.concat(part).toString()).toBe(content.subarray(300_000, 300_010).toString());
  await bucket.delete(upload.id);
  expect(await bucket.find({}).toArray()).toEqual([]);
});

describe('aggregation', () => {
  let docs: mongo.Collection<Doc>;
  beforeAll(async () => {
    docs = store.db.collection('aggregated');
    await docs.insertMany([
      { _id: 1, k: 'a', n: 1, at: new Date('2026-03-28T23:30:00Z'), t: ['x', 'y'] },
      { _id: 2, k: 'a', n: 4, at: new Date('2026-03-29T22:30:00Z'), t: [] },
      { _id: 3, k: 'b', n: null, at: new Date('2026-03-29T12:00:00Z') },
      { _id: 4, n: 2.5, at: new Date('2026-03-31T12:00:00Z'), t: 'z' },
    ] as never[]);
  });
  const run = async (...pipeline: Doc[]) => sortById(await docs.aggregate(pipeline).toArray());

  test('groups with sums, minima and maxima', async () => {
    const groups = await run({
      $group: {
        _id: '$k',
        n: { $sum: 1 },
        sum: { $sum: '$n' },
        least: { $min: '$n' },
        most: { $max: '$n' },
        last: { $max: { at: '$at', n: '$n' } },
      },
    });
    expect(groups).toEqual([
      {
        _id: null,
        n: 1,
        sum: 2.5,
        least: 2.5,
        most: 2.5,
        last: { at: new Date('2026-03-31T12:00:00Z'), n: 2.5 },
      },
      { _id: 'a', n: 2, sum: 5, least: 1, most: 4, last: { at: new Date('2026-03-29T22:30:00Z'), n: 4 } },
      {
        _id: 'b',
        n: 1,
        sum: 0,
        least: null,
        most: null,
        last: { at: new Date('2026-03-29T12:00:00Z'), n: null },
      },
    ]);
  });

  test('counts by quarters of an hour', async () => {
    // Since the first date, as a remainder has the sign of its dividend.
    const since = { $subtract: ['$at', new Date(-8.64e15)] };
    const quarters = await run(
      { $match: { _id: { $lt: 3 } } },
      { $group: { _id: { $subtract: ['$at', { $mod: [since, 900_000] }] }, n: { $sum: 1 } } },
    );
    expect(quarters).toEqual([
      { _id: new Date('2026-03-28T23:30:00Z'), n: 1 },
      { _id: new Date('2026-03-29T22:30:00Z'), n: 1 },
    ]);
    const before = { $subtract: ['$at', new Date('2100-01-01T00:10:00Z')] };
    const negative = await run({ $match: { _id: 1 } }, { $group: { _id: { $mod: [before, 900_000] } } });
    expect(negative).toEqual([{ _id: -600_000 }]);
    expect(await run({ $group: { _id: { $mod: ['$none', 2] } } })).toEqual([{ _id: null }]);
  });

  test('computes date differences and array sizes', async () => {
    const from = new Date('2026-03-28T23:00:00Z');
    const only = { $match: { _id: { $lte: 2 } } };
    expect(await run(only, { $group: { _id: { $subtract: ['$at', from] } } })).toEqual([
      { _id: 1_800_000 },
      { _id: 84_600_000 },
    ]);
    expect(await run(only, { $group: { _id: { $subtract: ['$at', '$none'] } } })).toEqual([{ _id: null }]);
    expect(await run(only, { $group: { _id: null, n: { $sum: { $size: '$t' } } } })).toEqual([
      { _id: null, n: 2 },
    ]);
  });

  test('limits and filters before and after other stages', async () => {
    expect(
      await run({ $limit: 3 }, { $match: { k: 'a' } }, { $group: { _id: null, n: { $sum: 1 } } }),
    ).toEqual([{ _id: null, n: 2 }]);
    expect(await run({ $group: { _id: '$k', n: { $sum: 1 } } }, { $match: { n: 2 } })).toEqual([
      { _id: 'a', n: 2 },
    ]);
    expect(await run({ $match: { k: 'none' } }, { $group: { _id: 1, n: { $sum: 1 } } })).toEqual([]);
  });

  test('refuses unknown stages, expressions and accumulators', async () => {
    expect((await failure(run({ $foo: 1 }))).code).toBe(40324);
    expect((await failure(run({ $group: { _id: { $foo: 1 } } }))).code).toBe(168);
    expect((await failure(run({ $group: { _id: null, a: { $foo: 1 } } }))).code).toBe(15952);
    expect((await failure(run({ $limit: 0 }))).code).toBe(15958);
  });
});

test("works with mongoose's timestamps, versions and arrays of documents", async () => {
  const connection = await mongoose
    .createConnection(store.uri, { dbName: store.db.databaseName, serverApi: STRICT_API })
    .asPromise();
  const schema = new mongoose.Schema(
    { name: { type: String, unique: true }, tags: [String], lines: [{ text: String }] },
    { timestamps: true, optimisticConcurrency: true },
  );
  const Thing = connection.model('Thing', schema);
  await Thing.init();
  const thing = await Thing.create({ name: 'a', tags: ['x'], lines: [{ text: '1' }, { text: '2' }] });
  thing.set({ lines: [{ text: '2' }], tags: ['x', 'y'] });
  await thing.save();
  await Thing.updateOne({ _id: thing._id, 'lines.text': '2' }, { $addToSet: { tags: 'z' } });
  const found = await Thing.findOne({ tags: { $all: ['x', 'y', 'z'] } }).lean();
  expect(found).toMatchObject({ name: 'a', tags: ['x', 'y', 'z'], lines: [{ text: '2' }] });
  await expect(Thing.create({ name: 'a' })).rejects.toMatchObject({ code: 11000 });
  const stale = await Thing.findById(thing._id);
  await Thing.updateOne({ _id: thing._id }, { $inc: { __v: 1 } });
  stale?.set({ tags: [] });
  await expect(stale?.save()).rejects.toMatchObject({ name: 'VersionError' });
  await connection.close();
});
