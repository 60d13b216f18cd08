import { afterAll, beforeEach, expect, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { embeddedOnly } from '../../src/testing/embedded-only.ts';
import { failure, openStoreUnderTest } from './store-under-test.ts';

const { ObjectId, Long, Double, Binary } = mongoose.mongo;

let docs: mongo.Collection<mongo.BSON.Document>;

const store = await openStoreUnderTest();
afterAll(() => store.close());
beforeEach(async () => {
  docs = store.db.collection('queries');
  await docs.deleteMany({});
});

const idsOf = async (filter: mongo.Filter<mongo.BSON.Document>, options: mongo.FindOptions = {}) =>
  (await docs.find(filter, { sort: { _id: 1 }, ...options }).toArray()).map(({ _id }) => _id as unknown);

const insert = (...items: mongo.BSON.Document[]) =>
  docs.insertMany(items as mongo.OptionalId<mongo.BSON.Document>[]);

test('compares within one type only, and across numeric types', async () => {
  await insert(
    { _id: 1, v: 5 },
    { _id: 2, v: '5' },
    { _id: 3, v: Long.fromNumber(5) },
    { _id: 4, v: new Double(5.5) },
    { _id: 5, v: null },
    { _id: 6 },
    { _id: 7, v: Long.fromString('9007199254740993') },
    { _id: 8, v: new Double(9007199254740992) },
  );
  expect(await idsOf({ v: 5 })).toEqual([1, 3]);
  expect(await idsOf({ v: { $gt: 5 } })).toEqual([4, 7, 8]);
  expect(await idsOf({ v: { $gt: new Double(9007199254740992) } })).toEqual([7]);
  expect(await idsOf({ v: { $lte: 5 } })).toEqual([1, 3]);
  expect(await idsOf({ v: { $gte: '' } })).toEqual([2]);
  expect(await idsOf({ v: { $gte: null } })).toEqual([5, 6]);
  expect(await idsOf({ v: { $ne: 5 } })).toEqual([2, 4, 5, 6, 7, 8]);
  expect(await idsOf({ v: { $nin: [5, '5', null] } })).toEqual([4, 7, 8]);
});

test.each([undefined, 1, -1] as const)(
  'NaN is in no range, in an index of direction %s',
  async (direction) => {
    if (direction) await docs.createIndex({ v: direction });
    await insert(
      { _id: 1, v: Number.NaN },
      { _id: 2, v: -5 },
      { _id: 3, v: Number.NEGATIVE_INFINITY },
      { _id: 4 },
    );
    expect(await idsOf({ v: { $lt: 5 } })).toEqual([2, 3]);
    expect(await idsOf({ v: { $lte: -5 } })).toEqual([2, 3]);
    expect(await idsOf({ v: { $gt: -9 } })).toEqual([2]);
    expect(await idsOf({ v: { $gte: -5, $gt: -5 } })).toEqual([]);
    expect(await idsOf({ v: { $lt: -5, $lte: -5 } })).toEqual([3]);
    expect(await idsOf({ v: Number.NaN })).toEqual([1]);
    await docs.dropIndexes();
  },
);

test('treats a missing field as null, but not within an array', async () => {
  await insert({ _id: 1 }, { _id: 2, a: null }, { _id: 3, a: 1 }, { _id: 4, a: [] }, { _id: 5, a: [null] });
  expect(await idsOf({ a: null })).toEqual([1, 2, 5]);
  expect(await idsOf({ a: { $exists: false } })).toEqual([1]);
  expect(await idsOf({ 'a.b': null })).toEqual([1, 2, 3]);
});

test('matches array elements, and whole arrays', async () => {
  await insert(
    { _id: 1, t: ['x', 'y'] },
    { _id: 2, t: 'x' },
    { _id: 3, t: [['x', 'y']] },
    { _id: 4, t: [] },
    { _id: 5, t: [{ k: 1 }, { k: 5 }] },
    { _id: 6, t: [{ k: 3 }] },
  );
  expect(await idsOf({ t: 'x' })).toEqual([1, 2]);
  expect(await idsOf({ t: ['x', 'y'] })).toEqual([1, 3]);
  expect(await idsOf({ t: { $all: ['x'] } })).toEqual([1, 2]);
  expect(await idsOf({ t: { $all: ['x', 'y'] } })).toEqual([1]);
  expect(await idsOf({ t: { $size: 2 } })).toEqual([1, 5]);
  expect(await idsOf({ t: [] })).toEqual([4]);
  expect(await idsOf({ 't.k': { $gt: 2, $lt: 4 } })).toEqual([5, 6]);
  expect(await idsOf({ $nor: [{ 't.k': { $gt: 4 } }] })).toEqual([1, 2, 3, 4, 6]);
});

test('$all without values matches nothing, with an index or without', async () => {
  await insert({ _id: 1, t: ['x'] }, { _id: 2, t: [] }, { _id: 3 });
  for (const index of [undefined, await docs.createIndex({ t: 1 })]) {
    expect(await idsOf({ t: { $all: [] } })).toEqual([]);
    expect(await idsOf({ $nor: [{ t: { $all: [] } }] })).toEqual([1, 2, 3]);
    expect(await idsOf({ $or: [{ t: { $all: [] } }, { t: null }] })).toEqual([3]);
    expect(await docs.countDocuments({ t: { $all: [] } })).toBe(0);
    expect(await docs.deleteMany({ t: { $all: [] } })).toMatchObject({ deletedCount: 0 });
    if (index) await docs.dropIndex(index);
  }
});

const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`);
/** One document has all of the words, many have some of them. */
const insertWords = (count: number) =>
  insert(
    { _id: 0, t: [...words(count), 'more'] },
    ...Array.from({ length: 400 }, (_, i) => ({ _id: i + 1, t: words(count).slice(i, i + 200) })),
  );
test('finds documents that have all of thousands of values', async () => {
  await insertWords(3000);
  expect(await idsOf({ t: { $all: words(3000) } })).toEqual([0]);
  expect(await idsOf({ t: { $all: [...words(3000), null] } })).toEqual([]);
  expect(await idsOf({ t: { $all: ['w1', 'more', 'w1'] } })).toEqual([0]);
});

// MongoDB itself tries so many plans that it takes half a minute.
embeddedOnly('finds what has all of thousands of values by an index', async () => {
  await insertWords(10_000);
  await docs.createIndex({ t: 1 });
  // A search that compares each value with each element would exceed this time limit.
  const maxTimeMS = 10_000;
  expect(await idsOf({ t: { $all: words(10_000) } }, { maxTimeMS })).toEqual([0]);
});

test('embedded documents are equal only with the same order of fields', async () => {
  await insert(
    { _id: 1, d: { x: 1, y: 2 } },
    { _id: 2, d: { y: 2, x: 1 } },
    { _id: 3, d: { x: new Double(1), y: 2 } },
  );
  expect(await idsOf({ d: { x: 1, y: 2 } })).toEqual([1, 3]);
  expect(await idsOf({ 'd.x': 1 })).toEqual([1, 2, 3]);
});

test('a regular expression is stored and compared like other values', async () => {
  await insert({ _id: 1, s: 'ask' }, { _id: 2, s: /ask/ }, { _id: 3, s: /ask/i });
  expect(await idsOf({ s: { $eq: /ask/ } })).toEqual([2]);
  expect((await failure(idsOf({ s: { $ne: /ask/ } }))).code).toBe(2);
});

test('combines conditions with $and, $or and $nor', async () => {
  await insert({ _id: 1, a: 1, b: 1 }, { _id: 2, a: 1, b: 2 }, { _id: 3, a: 2, b: 2 });
  expect(await idsOf({ $or: [{ a: 2 }, { b: 1 }] })).toEqual([1, 3]);
  expect(await idsOf({ $and: [{ a: 1 }, { b: { $ne: 1 } }] })).toEqual([2]);
  expect(await idsOf({ $nor: [{ a: 2 }, { b: 1 }] })).toEqual([2]);
});

test('sorts by type, then by value: missing, null, numbers, text, documents, arrays by their smallest element, ids, dates', async () => {
  const values: [string, unknown][] = [
    ['date', new Date(0)],
    ['bool', false],
    ['id', new ObjectId('000000000000000000000001')],
    ['binary', new Binary(Buffer.from('a'))],
    ['document', { a: 1 }],
    ['text', 'a'],
    ['number', 3],
    ['null', null],
    ['empty', []],
    ['array of 1 and z', ['z', 1]],
  ];
  await insert(...values.map(([_id, v]) => ({ _id, v })));
  const expected = [
    'empty',
    'null',
    'array of 1 and z',
    'number',
    'text',
    'document',
    'binary',
    'id',
    'bool',
    'date',
  ];
  expect(await idsOf({}, { sort: { v: 1 } })).toEqual(expected);
  const backwards = await idsOf({}, { sort: { v: -1 } });
  expect(backwards).toEqual([
    'date',
    'bool',
    'id',
    'binary',
    'document',
    'array of 1 and z',
    'text',
    'number',
    'null',
    'empty',
  ]);
});

test('sorts by several fields, limits, and skips', async () => {
  await insert(...Array.from({ length: 30 }, (_, i) => ({ _id: i, g: i % 3, n: i })));
  expect(await idsOf({}, { sort: { g: 1, n: -1 }, limit: 3 })).toEqual([27, 24, 21]);
  expect(await idsOf({}, { sort: { g: 1, n: -1 }, limit: 2, skip: 1 })).toEqual([24, 21]);
  expect(await idsOf({ _id: { $in: [3, 1, 2] } } as object, { sort: {}, skip: 1, limit: 1 })).toEqual([2]);
  expect(await idsOf({}, { skip: 28 })).toEqual([28, 29]);
  expect(await idsOf({}, { skip: 30 })).toEqual([]);
  const refused = async (sort: mongo.BSON.Document) =>
    (await failure(store.db.command({ find: 'queries', sort }))).code;
  expect(await refused({ a: 2 })).toBe(15975);
  expect(await refused({ a: 'x' })).toBe(15974);
  expect(await refused({ $a: 1 })).toBe(16410);
  expect(await refused({ 'a.$b': 1 })).toBe(16410);
  expect(await refused({ '': 1 })).toBe(40352);
  expect(await refused({ 'a.': 1 })).toBe(40353);
  expect(await refused({ 'a..b': 1 })).toBe(15998);
});

test('projects with inclusion and exclusion, also within arrays', async () => {
  await insert({ _id: 1, a: 1, b: { c: 2, d: 3 }, l: [{ k: 1, v: 1 }, { k: 2, v: 2 }, 5] });
  const one = (projection: mongo.BSON.Document) => docs.findOne({ _id: 1 as never }, { projection });
  expect(await one({ a: 1 })).toEqual({ _id: 1, a: 1 });
  expect(await one({ _id: 0, 'b.c': 1 })).toEqual({ b: { c: 2 } });
  expect(await one({ b: 0, l: 0 })).toEqual({ _id: 1, a: 1 });
  expect(await one({ 'l.k': 1 })).toEqual({ _id: 1, l: [{ k: 1 }, { k: 2 }] });
  expect(await one({ 'b.c': 0, 'l.v': 0 })).toEqual({
    _id: 1,
    a: 1,
    b: { d: 3 },
    l: [{ k: 1 }, { k: 2 }, 5],
  });
  expect(await one({ b: { d: 1 } })).toEqual({ _id: 1, b: { d: 3 } });
  expect(await one({ 'a.x': 1 })).toEqual({ _id: 1 });
  expect((await failure(one({ a: 1, b: 0 }))).code).toBe(31254);
  expect((await failure(one({ a: 0, b: 1 }))).code).toBe(31253);
  expect((await failure(one({ $a: 1 }))).code).toBe(16410);
  expect((await failure(one({ a: {} }))).code).toBe(51270);
  expect((await failure(one({ b: 1, 'b.c': 1 }))).code).toBe(31249);
  expect((await failure(one({ 'b.c': 1, b: 1 }))).code).toBe(31250);
  expect((await failure(one({ b: 1, 'b.c': 0 }))).code).toBe(31249);
  expect((await failure(one({ 'b.c': 0, b: 1 }))).code).toBe(31250);
  expect(await one({ _id: 0 })).toEqual({ a: 1, b: { c: 2, d: 3 }, l: [{ k: 1, v: 1 }, { k: 2, v: 2 }, 5] });
});

test('refuses unknown operators by name, even on a missing collection', async () => {
  const none = store.db.collection('none');
  const unknown = await failure(none.find({ a: { $foo: 1 } }).toArray());
  expect(unknown).toMatchObject({ code: 2, codeName: 'BadValue' });
  expect(unknown.message).toBe('unknown operator: $foo');
  expect((await failure(none.find({ $foo: 1 }).toArray())).code).toBe(2);
  expect((await failure(none.find({ $or: [] }).toArray())).code).toBe(2);
  expect((await failure(none.find({ a: { $in: 1 as never } }).toArray())).code).toBe(2);
  expect((await failure(none.find({ a: { $size: -1 } }).toArray())).code).toBe(2);
  expect((await failure(none.find({ a: { $size: 2 ** 31 } }).toArray())).code).toBe(2);
});

test('counts all documents and matching ones', async () => {
  await insert(...Array.from({ length: 25 }, (_, i) => ({ _id: i, g: i % 5 })));
  expect(await docs.countDocuments({})).toBe(25);
  expect(await docs.countDocuments({ g: 2 })).toBe(5);
  expect(await docs.countDocuments({ g: 2 }, { limit: 2 })).toBe(2);
  expect(await docs.countDocuments({ g: 2 }, { limit: 9 })).toBe(5);
  expect(await docs.countDocuments({ g: 9 })).toBe(0);
  expect(await docs.estimatedDocumentCount()).toBe(25);
});

test('ends each batch before the response becomes too large', async () => {
  const body = 'x'.repeat(6 * 1024 * 1024);
  for (let _id = 0; _id < 4; _id++) await insert({ _id, body });
  const first = await store.db.command({ find: 'queries' });
  expect(first.cursor.firstBatch).toHaveLength(2);
  expect(await docs.find({}).toArray()).toHaveLength(4);
});

test('pages after a known last document', async () => {
  await docs.createIndex({ owner: 1, at: -1, _id: -1 });
  const at = (i: number) => new Date(1_000 * Math.floor(i / 3));
  await insert(...Array.from({ length: 40 }, (_, i) => ({ _id: i, owner: i % 2 ? 'a' : 'b', at: at(i) })));
  const seen: unknown[] = [];
  let last: mongo.BSON.Document | undefined;
  do {
    const after: mongo.BSON.Document = last
      ? { $or: [{ at: { $lt: last.at } }, { at: last.at, _id: { $lt: last._id } }] }
      : {};
    const page = await docs
      .find({ owner: 'a', ...after })
      .sort({ at: -1, _id: -1 })
      .limit(6)
      .toArray();
    seen.push(...page.map(({ _id }) => _id));
    last = page.at(-1);
  } while (last);
  expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => 39 - 2 * i));
});

test('aborts at maxTimeMS', async () => {
  await insert(
    ...Array.from({ length: 4000 }, (_, i) => ({
      _id: i,
      t: Array.from({ length: 50 }, (_u, j) => `w${i * j}`),
    })),
  );
  const slow = docs
    .aggregate([{ $group: { _id: '$t', n: { $sum: 1 } } }], {
      maxTimeMS: 1,
    })
    .toArray();
  expect(await failure(slow)).toMatchObject({ code: 50, codeName: 'MaxTimeMSExpired' });
});
