import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { embeddedOnly } from '../../api/src/testing/embedded-only.ts';
import { failure, openStoreUnderTest, STRICT_API, type StoreUnderTest } from './store-under-test.ts';

type Doc = mongo.BSON.Document;

let store: StoreUnderTest;

beforeAll(async () => {
  store = await openStoreUnderTest();
});
afterAll(() => store.close());

const refused = (command: Doc) => failure(store.db.command(command));

test('greets as MongoDB does', async () => {
  const hello = await store.db.command({ hello: 1 });
  expect(hello).toMatchObject({
    isWritablePrimary: true,
    maxBsonObjectSize: 16_777_216,
    logicalSessionTimeoutMinutes: 30,
    ok: 1,
  });
  // MongoDB 5.0, the oldest that the desk supports.
  expect(hello.maxWireVersion).toBeGreaterThanOrEqual(13);
  expect(await store.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
});

test('refuses unknown fields, missing ones, wrong types and unknown commands', async () => {
  expect((await refused({ find: 'c', foo: 1 })).code).toBe(40415);
  expect((await refused({ insert: 'c' })).code).toBe(40414);
  expect((await refused({ find: 'c', filter: 'x' })).code).toBe(14);
  expect((await refused({ find: 'c', skip: -1 })).code).toBe(51024);
  expect((await refused({ find: '' })).code).toBe(73);
});

test('holds to version 1 of the Stable API', async () => {
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

embeddedOnly('refuses by name what it does not do, where MongoDB would do it', async () => {
  const commands: [Doc, string][] = [
    [{ find: 'c', hint: 'a_1' }, 'find.hint'],
    [{ find: 'c', collation: { locale: 'zh' } }, 'find.collation'],
    [{ find: 'c', filter: { $expr: { $eq: ['$a', 1] } } }, '$expr'],
    [{ find: 'c', filter: { $where: 'true' } }, '$where'],
    [{ find: 'c', filter: { $text: { $search: 'a' } } }, '$text'],
    [{ find: 'c', projection: { a: '$b' } }, 'projection of a'],
    [{ aggregate: 'c', pipeline: [], explain: true }, 'aggregate.explain'],
    [{ find: 'c', sort: { $natural: 1 } }, '$natural'],
    [{ create: 'v', viewOn: 'c' }, 'create.viewOn'],
    [{ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', sparse: true }] }, 'sparse'],
    [{ findAndModify: 'c', update: [{ $set: { a: 1 } }] }, 'pipeline'],
  ];
  for (const [command, named] of commands) {
    const error = await refused(command);
    expect([error.code, error.message]).toEqual([115, expect.stringContaining(named)]);
  }
  expect((await refused({ explain: { find: 'c' } })).code).toBe(59);
  const decimal = store.db.collection('c').insertOne({ n: mongoose.mongo.Decimal128.fromString('1') });
  expect((await failure(decimal)).message).toContain('Decimal128');
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

test('answers with `ok` as a double, and names what failed', async () => {
  const raw = { promoteValues: false } as const;
  const { ok } = await store.db.command({ ping: 1 }, raw);
  expect(ok).toBeInstanceOf(mongoose.mongo.Double);
  const { errorResponse } = await failure(store.db.command({ find: '' }, raw));
  expect(errorResponse).toMatchObject({ ok: new mongoose.mongo.Double(0), codeName: 'InvalidNamespace' });
});

test('fails a batch as a whole where one of its statements has the wrong form', async () => {
  await store.db.collection('c').insertOne({ _id: 'batch' as never, n: 1 });
  const set = { q: { _id: 'batch' }, u: { $set: { n: 2 } } };
  expect((await refused({ update: 'c', updates: [set, { u: { $set: { n: 3 } } }] })).code).toBe(40414);
  expect((await refused({ update: 'c', updates: [set, { ...set, foo: 1 }] })).code).toBe(40415);
  const gone = { q: { _id: 'batch' }, limit: 1 };
  expect((await refused({ delete: 'c', deletes: [gone, { q: {}, limit: 2 }] })).code).toBe(9);
  expect((await refused({ delete: 'c', deletes: [gone, { q: {} }] })).code).toBe(40414);
  expect(await store.db.collection('c').findOne({ _id: 'batch' as never })).toMatchObject({ n: 1 });
});

test('drops a database only by 1', async () => {
  const other = store.client.db(`${store.db.databaseName}_dropped`);
  await other.collection('c').insertOne({ a: 1 });
  expect((await failure(other.command({ dropDatabase: 2 }))).code).toBe(5255100);
  expect((await failure(other.command({ dropDatabase: 'x' }))).code).toBe(14);
  expect(await other.collection('c').countDocuments({})).toBe(1);
  await other.command({ dropDatabase: 1 });
  expect(await other.collection('c').countDocuments({})).toBe(0);
});

test('takes sessions for what they are without transactions', async () => {
  const session = store.client.startSession();
  await store.db.collection('c').insertOne({ a: 1 }, { session });
  expect(await store.db.collection('c').findOne({ a: 1 }, { session })).toMatchObject({ a: 1 });
  await session.endSession();
});

test('keeps and gives back files by GridFS', async () => {
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
  const run = (...pipeline: Doc[]) => docs.aggregate(pipeline).toArray();

  test('groups, with all its accumulators', async () => {
    const groups = await run(
      { $sort: { _id: 1 } },
      {
        $group: {
          _id: '$k',
          n: { $sum: 1 },
          sum: { $sum: '$n' },
          mean: { $avg: '$n' },
          least: { $min: '$n' },
          most: { $max: '$n' },
          first: { $first: '$n' },
          last: { $last: '$n' },
          all: { $push: '$n' },
          kinds: { $addToSet: '$k' },
          counted: { $count: {} },
        },
      },
      { $sort: { _id: 1 } },
    );
    expect(groups).toEqual([
      {
        _id: null,
        n: 1,
        sum: 2.5,
        mean: 2.5,
        least: 2.5,
        most: 2.5,
        first: 2.5,
        last: 2.5,
        all: [2.5],
        kinds: [],
        counted: 1,
      },
      {
        _id: 'a',
        n: 2,
        sum: 5,
        mean: 2.5,
        least: 1,
        most: 4,
        first: 1,
        last: 4,
        all: [1, 4],
        kinds: ['a'],
        counted: 2,
      },
      {
        _id: 'b',
        n: 1,
        sum: 0,
        mean: null,
        least: null,
        most: null,
        first: null,
        last: null,
        all: [null],
        kinds: ['b'],
        counted: 1,
      },
    ]);
  });

  test('counts by day in a time zone, over a change of its clocks', async () => {
    const byDay = await run(
      {
        $group: {
          _id: { $dateToString: { date: '$at', format: '%Y-%m-%d', timezone: 'Europe/Berlin' } },
          n: { $sum: 1 },
        },
      },
      { $sort: { _id: 1 } },
    );
    expect(byDay).toEqual([
      { _id: '2026-03-29', n: 2 },
      { _id: '2026-03-30', n: 1 },
      { _id: '2026-03-31', n: 1 },
    ]);
    const days = await run(
      { $project: { day: { $dateTrunc: { date: '$at', unit: 'day', timezone: 'Europe/Berlin' } } } },
      { $sort: { _id: 1 } },
    );
    expect(days.map(({ day }) => day.toISOString())).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-30T22:00:00.000Z',
    ]);
    const quarters = await run(
      { $project: { quarter: { $dateTrunc: { date: '$at', unit: 'minute', binSize: 15 } }, at: 1 } },
      { $sort: { _id: 1 } },
    );
    for (const { quarter, at } of quarters)
      expect(quarter.getTime()).toBe(at.getTime() - (at.getTime() % 900_000));
    const plain = await run(
      { $match: { _id: 1 } },
      { $project: { _id: 0, s: { $dateToString: { date: '$at' } } } },
    );
    expect(plain).toEqual([{ s: '2026-03-28T23:30:00.000Z' }]);
    expect(
      (
        await failure(
          run({ $project: { d: { $dateTrunc: { date: '$at', unit: 'day', timezone: 'No/Where' } } } }),
        )
      ).code,
    ).toBe(40485);
  });

  test('shapes documents', async () => {
    expect(
      await run({ $match: { _id: 1 } }, { $project: { k: 1, twice: { $multiply: ['$n', 2] } } }),
    ).toEqual([{ _id: 1, k: 'a', twice: 2 }]);
    expect(
      await run(
        { $match: { _id: 1 } },
        { $project: { _id: 0, s: '$n', big: { $cond: [{ $gt: ['$n', 3] }, 'yes', 'no'] } } },
      ),
    ).toEqual([{ s: 1, big: 'no' }]);
    expect(
      await run(
        { $match: { _id: 3 } },
        { $set: { n: { $ifNull: ['$n', 0] }, 'a.b': '$k' } },
        { $unset: 'at' },
      ),
    ).toEqual([{ _id: 3, k: 'b', n: 0, a: { b: 'b' } }]);
    expect(await run({ $match: { _id: 2 } }, { $replaceRoot: { newRoot: { id: '$_id' } } })).toEqual([
      { id: 2 },
    ]);
  });

  test('unwinds arrays', async () => {
    expect(await run({ $unwind: '$t' }, { $sort: { _id: 1 } }, { $project: { t: 1 } })).toEqual([
      { _id: 1, t: 'x' },
      { _id: 1, t: 'y' },
      { _id: 4, t: 'z' },
    ]);
    expect(await run({ $unwind: { path: '$t', preserveNullAndEmptyArrays: true } }, { $count: 'n' })).toEqual(
      [{ n: 5 }],
    );
  });

  test('sorts, skips, limits and counts', async () => {
    expect(await run({ $sort: { n: -1 } }, { $skip: 1 }, { $limit: 2 }, { $project: { n: 1 } })).toEqual([
      { _id: 4, n: 2.5 },
      { _id: 1, n: 1 },
    ]);
    expect(await run({ $limit: 3 }, { $match: { k: 'a' } }, { $count: 'n' })).toEqual([{ n: 2 }]);
    expect(await run({ $match: { k: 'none' } }, { $count: 'n' })).toEqual([]);
    expect(
      await run({ $facet: { all: [{ $count: 'n' }], some: [{ $match: { k: 'a' } }, { $count: 'n' }] } }),
    ).toEqual([{ all: [{ n: 4 }], some: [{ n: 2 }] }]);
  });

  test('refuses unknown stages, expressions and accumulators', async () => {
    expect((await failure(run({ $foo: 1 }))).code).toBe(40324);
    expect((await failure(run({ $project: { a: { $foo: 1 } } }))).code).toBe(31325);
    expect((await failure(run({ $addFields: { a: { $foo: 1 } } }))).code).toBe(168);
    expect((await failure(run({ $group: { _id: null, a: { $foo: 1 } } }))).code).toBe(15952);
    expect((await failure(run({ $limit: 0 }))).code).toBe(15958);
  });
});

test('carries mongoose with its timestamps, versions and arrays of documents', async () => {
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
  thing.lines.pull(thing.lines[0]?._id as never);
  thing.tags.push('y');
  await thing.save();
  await Thing.updateOne({ _id: thing._id, 'lines.text': '2' }, { $set: { 'lines.$.text': '3' } });
  const found = await Thing.findOne({ tags: { $all: ['x', 'y'] } }).lean();
  expect(found).toMatchObject({ name: 'a', tags: ['x', 'y'], lines: [{ text: '3' }] });
  await expect(Thing.create({ name: 'a' })).rejects.toMatchObject({ code: 11000 });
  const stale = await Thing.findById(thing._id);
  await Thing.updateOne({ _id: thing._id }, { $inc: { __v: 1 } });
  stale?.tags.push('z');
  await expect(stale?.save()).rejects.toMatchObject({ name: 'VersionError' });
  await connection.close();
});
