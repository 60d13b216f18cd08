import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { mongo } from 'mongoose';
import { failure, openStoreUnderTest } from './store-under-test.ts';

type Doc = mongo.BSON.Document;

let docs: mongo.Collection<Doc>;

const store = await openStoreUnderTest();
afterAll(() => store.close());
beforeEach(async () => {
  docs = store.db.collection('indexed');
  await docs.drop();
});

const create = (...indexes: Doc[]) => store.db.command({ createIndexes: 'indexed', indexes });

test('reports the number of indexes before and after', async () => {
  expect(await create({ key: { a: 1 }, name: 'a_1' })).toMatchObject({
    numIndexesBefore: 1,
    numIndexesAfter: 2,
    createdCollectionAutomatically: true,
  });
  expect(await create({ key: { a: 1 }, name: 'a_1' })).toMatchObject({
    numIndexesBefore: 2,
    numIndexesAfter: 2,
    note: 'all indexes already exist',
  });
  const list = await docs.listIndexes().toArray();
  expect(list.map(({ name, key }) => [name, key])).toEqual([
    ['_id_', { _id: 1 }],
    ['a_1', { a: 1 }],
  ]);
});

test('refuses an index that conflicts with an existing one', async () => {
  await create({ key: { a: 1 }, name: 'one' });
  expect((await failure(create({ key: { a: 1 }, name: 'two' }))).code).toBe(85);
  expect((await failure(create({ key: { b: 1 }, name: 'one' }))).code).toBe(86);
  expect((await failure(create({ key: { a: 1 }, name: 'one', unique: true }))).code).toBe(86);
  await create({ key: { a: 1 }, name: 'part', partialFilterExpression: { b: { $exists: true } } });
  expect(await docs.listIndexes().toArray()).toHaveLength(3);
});

test('drops indexes by name, by key and all', async () => {
  await create({ key: { a: 1 }, name: 'a' }, { key: { b: 1 }, name: 'b' }, { key: { c: 1 }, name: 'c' });
  expect(await store.db.command({ dropIndexes: 'indexed', index: 'a' })).toMatchObject({ nIndexesWas: 4 });
  await store.db.command({ dropIndexes: 'indexed', index: { b: 1 } });
  expect((await failure(store.db.command({ dropIndexes: 'indexed', index: 'no' }))).code).toBe(27);
  expect((await failure(store.db.command({ dropIndexes: 'indexed', index: '_id_' }))).code).toBe(72);
  await store.db.command({ dropIndexes: 'indexed', index: '*' });
  expect(await docs.listIndexes().toArray()).toHaveLength(1);
  expect((await failure(store.db.command({ dropIndexes: 'none', index: '*' }))).code).toBe(26);
});

test('refuses duplicates with the key, its pattern and its value', async () => {
  await docs.createIndex({ k: 1 }, { unique: true });
  await docs.insertOne({ k: 'x' });
  const error = await failure(docs.insertOne({ k: 'x' }));
  expect(error).toMatchObject({ code: 11000, keyPattern: { k: 1 }, keyValue: { k: 'x' } });
  expect(error.message).toContain(
    `E11000 duplicate key error collection: ${store.db.databaseName}.indexed index: k_1 dup key: { k: "x" }`,
  );
  const { insertedId } = await docs.insertOne({ k: 'y' });
  expect((await failure(docs.updateOne({ _id: insertedId }, { $set: { k: 'x' } }))).code).toBe(11000);
  expect((await failure(docs.insertOne({ _id: insertedId }))).message).toContain(
    'index: _id_ dup key: { _id: ObjectId(',
  );
  expect((await failure(docs.updateOne({ z: 1 }, { $set: { k: 'x' } }, { upsert: true }))).code).toBe(11000);
});

test('treats a missing field like null in a unique index, and 1 like 1.0', async () => {
  await docs.createIndex({ k: 1, m: 1 }, { unique: true });
  await docs.insertOne({ k: 1 });
  expect((await failure(docs.insertOne({ k: 1, m: null }))).code).toBe(11000);
  expect((await failure(docs.insertOne({ k: 1.0 }))).code).toBe(11000);
  await docs.insertOne({ k: 2 });
});

test('enforces uniqueness over the elements of arrays, but not within one document', async () => {
  await docs.createIndex({ t: 1 }, { unique: true });
  await docs.insertOne({ t: ['a', 'b', 'a'] });
  expect(await failure(docs.insertOne({ t: ['c', 'b'] }))).toMatchObject({
    code: 11000,
    keyValue: { t: 'b' },
  });
  expect(await docs.countDocuments({ t: { $in: ['a', 'b'] } })).toBe(1);
});

test('creates no unique index over duplicates, and leaves nothing behind', async () => {
  await docs.insertMany([{ k: 1 }, { k: 1 }]);
  expect(
    (await failure(create({ key: { x: 1 }, name: 'x' }, { key: { k: 1 }, name: 'k', unique: true }))).code,
  ).toBe(11000);
  expect(await docs.listIndexes().toArray()).toHaveLength(1);
  await docs.insertOne({ k: 1 });
});

test('applies a partial unique index only to matching documents', async () => {
  await docs.createIndex({ mail: 1 }, { unique: true, partialFilterExpression: { mail: { $exists: true } } });
  await docs.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3, mail: 'a' }] as never[]);
  expect((await failure(docs.insertOne({ mail: 'a' }))).code).toBe(11000);
  expect(await docs.countDocuments({ mail: null })).toBe(2);
  expect(await docs.find({ mail: 'a' }).toArray()).toHaveLength(1);
});

test('an update that changes only the partial filter adds the document to the index, or removes it', async () => {
  await docs.createIndex({ n: 1 }, { unique: true, partialFilterExpression: { isOpen: true } });
  await docs.insertMany([
    { _id: 1, n: 7, isOpen: true },
    { _id: 2, n: 7, isOpen: false },
  ] as never[]);
  const set = (_id: number, isOpen: boolean) => docs.updateOne({ _id: _id as never }, { $set: { isOpen } });
  const opened = async () =>
    (await docs.find({ n: 7, isOpen: true }).toArray()).map(({ _id }) => _id as unknown);
  expect((await failure(set(2, true))).code).toBe(11000);
  expect(await opened()).toEqual([1]);
  await set(1, false);
  expect(await opened()).toEqual([]);
  await set(2, true);
  expect(await opened()).toEqual([2]);
});

const NO_PARTIAL: Doc[] = [
  { a: { $ne: 1 } },
  { a: { $nin: [1] } },
  { $nor: [{ a: 1 }] },
  { a: { $exists: false } },
  { a: { $exists: 0 } },
  { a: { $size: 1 } },
  { a: 1, b: { $ne: 1 } },
];

test.each(NO_PARTIAL)('refuses a partial filter that cannot be decided per document: %j', async (filter) => {
  const made = create({ key: { a: 1 }, name: 'part', partialFilterExpression: filter });
  expect((await failure(made)).code).toBe(67);
  expect((await failure(store.db.command({ listIndexes: 'indexed' }))).code).toBe(26);
});

test('accepts partial filters of equality and existence', async () => {
  const filters: Doc[] = [{ a: 1, b: { $eq: null } }, { a: { $exists: true } }, {}];
  const specs = filters.map((filter, i) => ({
    key: { a: 1 },
    name: `p${i}`,
    partialFilterExpression: filter,
  }));
  expect(await create(...specs)).toMatchObject({ numIndexesAfter: 1 + filters.length });
});

test('refuses a malformed specification', async () => {
  const specs: [Doc, number][] = [
    [{ key: { a: 1 } }, 9],
    [{ name: 'a' }, 9],
    [{ key: { a: 1 }, name: 'a', foo: 1 }, 197],
    [{ key: { a: 1 }, name: '' }, 67],
    [{ key: { a: 1 }, name: '*' }, 2],
    [{ key: {}, name: 'a' }, 67],
    [{ key: { a: 0 }, name: 'a' }, 67],
    [{ key: { 'a.': 1 }, name: 'a' }, 67],
    [{ key: { _id: -1 }, name: 'a' }, 2],
    [{ key: { _id: 1 }, name: 'a', unique: true }, 197],
    [{ key: { a: 1 }, name: '_id_' }, 2],
    [{ key: { a: 1 }, name: 'a', v: 3 }, 67],
    [{ key: { a: 1 }, name: 'a', partialFilterExpression: { b: { $foo: 1 } } }, 2],
  ];
  for (const [spec, code] of specs) expect([spec, (await failure(create(spec))).code]).toEqual([spec, code]);
  await create({ key: { a: 1 }, name: 'a', unique: 1 });
  await docs.insertOne({ a: 1 });
  expect((await failure(docs.insertOne({ a: 1 }))).code).toBe(11000);
  expect((await failure(store.db.command({ dropIndexes: 'indexed', index: 5 }))).code).toBe(14);
});

test('refuses two arrays in one compound index with 171', async () => {
  await docs.createIndex({ a: 1, b: 1 });
  expect((await failure(docs.insertOne({ a: [1], b: [2] }))).code).toBe(171);
  await docs.insertMany([
    { a: [1, 2], b: 3 },
    { a: 4, b: [5, 6] },
  ]);
  expect(await docs.countDocuments({ a: 2, b: 3 })).toBe(1);
  expect(await docs.countDocuments({ a: 4, b: 6 })).toBe(1);
});

test('matches conditions on two fields of array elements with different elements', async () => {
  await docs.createIndex({ 'l.a': 1, 'l.b': 1 });
  await docs.insertOne({
    _id: 1 as never,
    l: [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ],
  });
  expect(await docs.countDocuments({ 'l.a': 1, 'l.b': 4 })).toBe(1);
});

test('returns a document once, however many of its keys match', async () => {
  await docs.createIndex({ t: 1, n: 1 });
  await docs.insertMany(
    Array.from({ length: 20 }, (_, i) => ({ _id: i as never, t: ['p', 'q', 'r'], n: i })),
  );
  expect(await docs.find({ t: { $in: ['p', 'q'] } }).toArray()).toHaveLength(20);
  expect(
    await docs
      .find({ t: { $gt: 'a' } })
      .limit(5)
      .toArray(),
  ).toHaveLength(5);
  expect(await docs.countDocuments({ t: { $gte: 'p' } })).toBe(20);
  expect(
    await docs
      .find({ t: 'q' })
      .sort({ n: -1 })
      .limit(2)
      .map(({ n }) => n)
      .toArray(),
  ).toEqual([19, 18]);
});

test('deletes expired documents of a TTL index, and returns its options unchanged', async () => {
  await docs.createIndex({ at: 1 }, { expireAfterSeconds: 0 });
  expect((await docs.listIndexes().toArray())[1]).toMatchObject({ expireAfterSeconds: 0 });
  expect((await failure(create({ key: { a: 1, b: 1 }, name: 'x', expireAfterSeconds: 1 }))).code).toBe(67);
});

test('creates, lists and drops collections', async () => {
  await store.db.createCollection('made');
  expect((await failure(store.db.createCollection('made'))).code).toBe(48);
  expect(await store.db.listCollections({ name: 'made' }).toArray()).toMatchObject([
    { name: 'made', type: 'collection' },
  ]);
  expect(await store.db.listCollections({}, { nameOnly: true }).toArray()).toContainEqual({
    name: 'made',
    type: 'collection',
  });
  await store.db.dropCollection('made');
  expect(await store.db.listCollections({ name: 'made' }).toArray()).toEqual([]);
  expect((await failure(store.db.command({ listIndexes: 'made' }))).code).toBe(26);
});

test('isolates databases from each other', async () => {
  const other = store.client.db(`${store.db.databaseName}_other`);
  await docs.insertOne({ a: 1 });
  await other.collection('indexed').insertMany([{ a: 1 }, { a: 1 }]);
  expect(await docs.countDocuments({})).toBe(1);
  await other.dropDatabase();
  expect(await docs.countDocuments({})).toBe(1);
});
