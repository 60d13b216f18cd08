import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { type EmbeddedStore, openEmbeddedStore } from './open-embedded-store.ts';

type Doc = mongo.BSON.Document;

let dataDir: string;
let store: EmbeddedStore;
let client: mongo.MongoClient;
let docs: mongo.Collection<Doc>;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'desk-erased-'));
  store = await openEmbeddedStore({ dataDir });
  client = new mongoose.mongo.MongoClient(store.uri);
  docs = client.db('d').collection<Doc>('c');
  await docs.createIndex({ owner: 1, terms: 1, at: -1, _id: -1 });
});
afterEach(async () => {
  await client.close();
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const COUNT = 400;
/** Documents that fit into one cell, that need overflow pages, and that share a page. */
const SIZES = [1, 30, 90, 400, 3000];
const sizeOf = (i: number) => SIZES[i % SIZES.length] as number;
const words = (of: number, size: number) =>
  Array.from({ length: size }, (_, i) => `secret${of * 10_000 + i}x`);
const content = (of: number, size: number) => ({
  text: words(of, sizeOf(size)).join(' '),
  terms: words(of, Math.min(200, sizeOf(size + 1))),
});

/** The documents of which a word is still in a file. */
function readable(): number[] {
  const found = new Set<number>();
  for (const name of readdirSync(dataDir)) {
    const text = readFileSync(join(dataDir, name)).toString('latin1');
    for (const [, number] of text.matchAll(/secret(\d+)x/g)) found.add(Math.floor(Number(number) / 10_000));
  }
  return [...found].sort((a, b) => a - b);
}

test('with j: true, no file contains a word of the deleted documents, however pages were split and merged before', async () => {
  const ids = Array.from({ length: COUNT }, (_, i) => ((i * 7919) % COUNT) + 1);
  const owner = 'guest:a';
  for (const i of ids) await docs.insertOne({ _id: i as never, owner, at: new Date(i), ...content(i, i) });
  for (const i of ids.filter((id) => id % 3 === 0)) {
    await docs.updateOne({ _id: i as never }, { $set: content(i, i + 2) });
  }
  expect(readable().length).toBeGreaterThan(COUNT / 2);
  const kept = ids.slice(0, 100).sort((a, b) => a - b);
  const gone = ids.slice(100);

  let isOver = false;
  const others = (async () => {
    for (let i = 0; !isOver; i++) {
      await docs.insertOne({ owner: `guest:${i % 7}`, at: new Date(i), terms: ['kept', 'there', `w${i}`] });
    }
  })();
  for (let i = 0; i < gone.length; i += 50) {
    const some = { $in: gone.slice(i, i + 50) as never[] };
    await docs.updateMany({ _id: some }, { $set: { erased: 1 }, $unset: { terms: 1 } });
    await docs.deleteMany({ _id: some });
  }
  await docs.updateOne(
    { _id: 'erasure' as never },
    { $set: { n: 1 } },
    { upsert: true, writeConcern: { j: true } },
  );
  isOver = true;
  await others;

  expect(readable()).toEqual(kept);
  expect(await docs.countDocuments({ owner, terms: { $exists: true, $ne: [] } })).toBe(kept.length);
  await client.close();
  await store.close();
  expect(readable()).toEqual(kept);
});
