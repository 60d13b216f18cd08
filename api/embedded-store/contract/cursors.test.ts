import { afterAll, beforeEach, expect, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { failure, openStoreUnderTest } from './store-under-test.ts';

type Doc = mongo.BSON.Document;
const { Double, Int32, Long } = mongoose.mongo;

let docs: mongo.Collection<Doc>;

const store = await openStoreUnderTest();
afterAll(() => store.close());
beforeEach(async () => {
  docs = store.db.collection('queries');
  await docs.deleteMany({});
  await insert(...Array.from({ length: 250 }, (_, i) => ({ _id: i, n: i })));
});

const insert = (...items: Doc[]) => docs.insertMany(items as mongo.OptionalId<Doc>[]);
const find = (options: Doc) => store.db.command({ find: 'queries', ...options });
/** One id in a thousand is so small that the driver returns it as a number, which is no valid id. */
const idOf = ({ cursor }: Doc) => (typeof cursor.id === 'number' ? Long.fromNumber(cursor.id) : cursor.id);
const more = (found: Doc, batchSize = 2) =>
  store.db.command({ getMore: idOf(found), collection: 'queries', batchSize });
const isOpen = ({ cursor }: Doc) => String(cursor.id) !== '0';

test('returns results in batches, and ends cursors', async () => {
  const first = await store.db.command({ find: 'queries', sort: { _id: 1 } });
  expect(first.cursor.firstBatch).toHaveLength(101);
  const more = await store.db.command({ getMore: idOf(first), collection: 'queries', batchSize: 100 });
  expect(more.cursor.nextBatch).toHaveLength(100);
  const elsewhere = await failure(store.db.command({ getMore: idOf(first), collection: 'others' }));
  expect(elsewhere.code).toBe(13);
  const killed = await store.db.command({ killCursors: 'queries', cursors: [idOf(first)] });
  expect(killed.cursorsKilled).toHaveLength(1);
  const gone = await failure(store.db.command({ getMore: idOf(first), collection: 'queries' }));
  expect(gone).toMatchObject({ code: 43, codeName: 'CursorNotFound' });

  const empty = await store.db.command({ find: 'queries', batchSize: 0 });
  expect(empty.cursor.firstBatch).toHaveLength(0);
  expect(empty.cursor.id.toString()).not.toBe('0');
  const single = await store.db.command({ find: 'queries', batchSize: 2, singleBatch: true });
  expect(single.cursor.id.toString()).toBe('0');
  const aggregated = await store.db.command({ aggregate: 'queries', pipeline: [], cursor: {} });
  expect(aggregated.cursor.firstBatch).toHaveLength(101);
  expect(await docs.find({}, { batchSize: 7 }).toArray()).toHaveLength(250);
});

test('keeps a cursor open that a batch has just emptied, unless a limit excludes further documents', async () => {
  const full = await find({ batchSize: 250 });
  expect(isOpen(full)).toBe(true);
  expect(await more(full)).toMatchObject({ cursor: { nextBatch: [], id: 0 } });
  expect(isOpen(await find({ batchSize: 251 }))).toBe(false);
  expect(isOpen(await find({ batchSize: 3, limit: 3 }))).toBe(false);
  const limited = await find({ batchSize: 2, limit: 4 });
  expect(isOpen(limited)).toBe(true);
  expect(isOpen(await more(limited))).toBe(false);
  expect(isOpen(await find({ filter: { _id: 7 }, batchSize: 1 }))).toBe(false);
});

const SEARCHES: [name: string, search: Doc, rest: Doc[]][] = [
  [
    'in the order of an index',
    { sort: { _id: 1 } },
    [
      { _id: 2, n: -2 },
      { _id: 4, n: 4 },
    ],
  ],
  [
    'of an index whose key changes',
    { filter: { n: { $gte: 0 } }, sort: { n: 1 } },
    [
      { _id: 4, n: 4 },
      { _id: 5, n: 5 },
    ],
  ],
  [
    'by their ids',
    { filter: { _id: { $in: [0, 1, 2, 3, 4, 5] } }, sort: { _id: 1 } },
    [
      { _id: 2, n: -2 },
      { _id: 4, n: 4 },
    ],
  ],
  [
    'that are tested one by one',
    { filter: { m: { $exists: false } }, sort: { _id: 1 } },
    [
      { _id: 2, n: -2 },
      { _id: 4, n: 4 },
    ],
  ],
  [
    'that were sorted in memory, as they were then',
    { sort: { m: 1, _id: 1 } },
    [
      { _id: 2, n: 2 },
      { _id: 3, n: 3 },
    ],
  ],
];

for (const [name, search, rest] of SEARCHES) {
  test(`returns documents ${name}`, async () => {
    await docs.createIndex({ n: 1 });
    const found = await find({ ...search, batchSize: 2 });
    expect(found.cursor.firstBatch).toMatchObject([{ _id: 0 }, { _id: 1 }]);
    await docs.updateOne({ _id: 2 as never }, { $set: { n: -2 } });
    await docs.deleteOne({ _id: 3 as never });
    expect((await more(found)).cursor.nextBatch).toEqual(rest);
  });
}

test('ends the cursors of a dropped collection, even if it was recreated', async () => {
  const dropped = store.db.collection<Doc>('dropped');
  const searches: Doc[] = [
    { find: 'dropped', batchSize: 2 },
    { find: 'dropped', sort: { n: -1 }, batchSize: 2 },
    { find: 'dropped', filter: { _id: { $in: [1, 2, 3, 4] } }, batchSize: 2 },
    { aggregate: 'dropped', pipeline: [{ $match: { n: { $gte: 0 } } }], cursor: { batchSize: 2 } },
  ];
  for (const search of searches) {
    await dropped.insertMany(Array.from({ length: 10 }, (_, n) => ({ _id: n as never, n })));
    const found = await store.db.command(search);
    await dropped.drop();
    await dropped.insertOne({ _id: 5 as never, n: 5 });
    const ended = failure(store.db.command({ getMore: idOf(found), collection: 'dropped' }));
    expect({ search, code: (await ended).code }).toEqual({ search, code: 175 });
    await dropped.drop();
  }
});

test('ends the cursors that read a dropped index, and no others', async () => {
  await docs.createIndex({ n: 1 });
  const byIndex = await find({ filter: { n: { $gte: 0 } }, sort: { n: 1 }, batchSize: 2 });
  const byId = await find({ sort: { _id: 1 }, batchSize: 2 });
  await docs.dropIndex('n_1');
  expect((await failure(more(byIndex))).code).toBe(175);
  expect((await more(byId)).cursor.nextBatch).toHaveLength(2);
});

test.each([new Double(5), new Double(Number.NaN), new Int32(5), 'x'])(
  'refuses cursor ids of other types than long: %p',
  async (id) => {
    expect((await failure(store.db.command({ getMore: id, collection: 'queries' }))).code).toBe(14);
    expect((await failure(store.db.command({ killCursors: 'queries', cursors: [id] }))).code).toBe(14);
  },
);

test('returns the ids of killed cursors and of unknown ones', async () => {
  const id = idOf(await find({ batchSize: 2 }));
  const missing = Long.fromNumber(5);
  expect(
    await store.db.command({ killCursors: 'queries', cursors: [id, missing] }, { promoteLongs: false }),
  ).toMatchObject({ cursorsKilled: [id], cursorsNotFound: [missing] });
});
