import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { deserialize, serialize } from 'bson';
import { decode } from './bson/codec.ts';
import { runCommand } from './commands/run-command.ts';
import { type OpenEngine, openEngine } from './open-engine.ts';

let dataDir: string;
let engine: OpenEngine;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'desk-engine-'));
  engine = openEngine(dataDir);
});
afterEach(async () => {
  await engine.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function run(command: object) {
  const bytes = serialize({ ...command, $db: 'd' });
  const read = decode(bytes, 'insert' in command ? { documents: true } : {});
  return deserialize(
    await runCommand(
      engine,
      () => read,
      () => false,
    ),
  );
}

const rows = (n: number) =>
  Array.from({ length: n }, (_, i) => ({
    _id: i,
    owner: i % 2 ? 'a' : 'b',
    at: new Date(i),
    terms: ['all', `t${i % 50}`],
  }));

/** Counts as the driver's countDocuments does. */
const countOf = (filter: object, ...stages: object[]) => ({
  aggregate: 'c',
  pipeline: [{ $match: filter }, ...stages, { $group: { _id: 1, n: { $sum: 1 } } }],
  cursor: {},
});

async function readBy(command: object): Promise<{ entries: number; rows: number }> {
  const before = { ...engine.store.db.counts };
  expect(await run(command)).toMatchObject({ ok: 1 });
  const { counts } = engine.store.db;
  return { entries: counts.entries - before.entries, rows: counts.rows - before.rows };
}

test('reads only the documents of a page, for the first page and for any later one', async () => {
  const keys = [
    { key: { owner: 1, at: -1, _id: -1 }, name: 'page' },
    { key: { owner: 1, terms: 1, at: -1, _id: -1 }, name: 'terms' },
  ];
  await run({ createIndexes: 'c', indexes: keys });
  for (let i = 0; i < 4; i++) {
    await run({ insert: 'c', documents: rows(2000).slice(i * 500, (i + 1) * 500) });
  }
  const sort = { at: -1, _id: -1 };
  expect(await readBy({ find: 'c', filter: { owner: 'a' }, sort, limit: 20 })).toEqual({
    entries: 20,
    rows: 20,
  });
  const later = { owner: 'a', at: { $lt: new Date(500) } };
  expect(await readBy({ find: 'c', filter: later, sort, limit: 20 })).toEqual({ entries: 20, rows: 20 });
  const at = new Date(501);
  const keyset = { owner: 'a', $or: [{ at: { $lt: at } }, { at, _id: { $lt: 501 } }] };
  expect((await readBy({ find: 'c', filter: keyset, sort, limit: 20 })).rows).toBeLessThanOrEqual(60);
  const rare = { owner: 'a', terms: { $all: ['all', 't7'] } };
  expect((await readBy({ find: 'c', filter: rare, sort, limit: 10 })).rows).toBeLessThanOrEqual(20);
  expect(await readBy(countOf({ owner: 'a' }))).toEqual({ entries: 1000, rows: 0 });
});

test('reads the entries of the rarest term, and only documents that have all terms', async () => {
  await run({
    createIndexes: 'c',
    indexes: [
      { key: { owner: 1, erased: 1, at: -1, _id: -1 }, name: 'page' },
      { key: { owner: 1, terms: 1, at: -1, _id: -1 }, name: 'terms' },
    ],
  });
  const documents = Array.from({ length: 3000 }, (_, i) => ({
    _id: i,
    owner: i % 3 === 0 ? 'a' : 'b',
    at: new Date(i),
    erased: null,
    terms: [
      'all',
      ...(i % 2 ? ['half'] : []),
      ...(i % 30 === 0 ? ['few'] : []),
      ...(i === 999 ? ['one'] : []),
    ],
  }));
  for (let i = 0; i < 6; i++) await run({ insert: 'c', documents: documents.slice(i * 500, (i + 1) * 500) });
  const having = (...all: string[]) => ({ owner: 'a', terms: { $all: all } });
  const sort = { at: -1, _id: -1 };
  const page = (filter: object) => readBy({ find: 'c', filter, sort, limit: 10 });
  const one = await page(having('all', 'half', 'one'));
  expect(one.rows).toBe(1);
  expect(one.entries).toBeLessThan(200);
  expect((await page(having('all', 'few'))).rows).toBeLessThan(20);
  expect((await page(having('half', 'few'))).rows).toBe(0);
  expect((await page({ ...having('all', 'half'), at: { $lt: new Date(600) } })).rows).toBeLessThan(20);
  expect((await page({ ...having('all', 'one'), erased: null })).rows).toBeLessThan(3);
  const counted = async (filter: object, n: number) => {
    const command = countOf(filter, { $limit: 301 });
    expect(await run(command)).toMatchObject({ cursor: { firstBatch: [{ n }] } });
    expect((await readBy(command)).rows).toBe(0);
  };
  await counted(having('all', 'few'), 100);
  await counted({ ...having('all', 'half'), at: { $gte: new Date(300), $lt: new Date(600) } }, 50);
  await counted(having('all', 'half'), 301);
  await counted({ owner: 'a', erased: null, at: { $lt: new Date(300) } }, 100);
  const ids = Array.from({ length: 300 }, (_, i) => i * 3);
  const marked = {
    q: { owner: 'a', _id: { $in: ids } },
    u: { $set: { erased: 1 }, $unset: { terms: 1 } },
    multi: true,
  };
  expect(await readBy({ update: 'c', updates: [marked] })).toEqual({ entries: 300, rows: 300 });
});

test('stops at maxTimeMS within a page of documents with a slow filter', async () => {
  const t = Array.from({ length: 2000 }, (_, i) => `w${i}`);
  await run({ insert: 'c', documents: Array.from({ length: 60 }, (_, _id) => ({ _id, t })) });
  const filter = { $nor: Array.from({ length: 10 }, (_, i) => ({ t: { $all: [...t, `none ${i}`] } })) };
  const { counts } = engine.store.db;
  const before = counts.rows;
  expect(await run({ find: 'c', filter, maxTimeMS: 1 })).toMatchObject({ ok: 0, code: 50 });
  expect(counts.rows - before).toBeLessThan(60);
  expect(await run(countOf(filter))).toMatchObject({ cursor: { firstBatch: [{ n: 60 }] } });
});

test('reads no document before the batch that contains it', async () => {
  await run({ insert: 'c', documents: rows(300) });
  const { counts } = engine.store.db;
  const before = counts.rows;
  const { cursor } = await run({ find: 'c', sort: { _id: 1 }, batchSize: 3 });
  expect(counts.rows - before).toBe(3);
  await run({ getMore: cursor.id, collection: 'c', batchSize: 100 });
  expect(counts.rows - before).toBe(103);
});

test('ends cursors that were not used for ten minutes', async () => {
  await run({ insert: 'c', documents: rows(30) });
  await run({ find: 'c', batchSize: 3 });
  engine.cursors.endIdle(Date.now() + 9 * 60_000);
  expect(engine.cursors.open()).toBe(1);
  engine.cursors.endIdle(Date.now() + 11 * 60_000);
  expect(engine.cursors.open()).toBe(0);
});

test('only the user may read the files, and a data file of another program is refused', async () => {
  for (const file of [engine.file, `${engine.file}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  const other = mkdtempSync(join(tmpdir(), 'desk-engine-'));
  const foreign = new DatabaseSync(join(other, 'store.sqlite'));
  foreign.exec('CREATE TABLE notes (text TEXT)');
  foreign.close();
  expect(() => openEngine(other)).toThrow('is not a data file of this store');
  rmSync(other, { recursive: true });
});

test('reports a full disk, still reads, and writes again when there is space', async () => {
  await run({ insert: 'c', documents: [{ _id: 'kept' }] });
  const { db } = engine.store;
  const pages = Number(db.statement('PRAGMA page_count').get()?.page_count);
  db.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const full = await run({ insert: 'c', documents: [{ _id: 'large', text: 'x'.repeat(100_000) }] });
  expect(full.writeErrors?.[0]).toMatchObject({ code: 14031 });
  expect(await run({ count: 'c' })).toMatchObject({ n: 1, ok: 1 });
  const first = await run({ insert: 'new', documents: [{ _id: 1, text: 'x'.repeat(100_000) }] });
  expect(first.writeErrors?.[0]).toMatchObject({ code: 14031 });
  db.exec('PRAGMA max_page_count = 100000');
  expect(await run({ insert: 'new', documents: [{ _id: 1 }] })).toMatchObject({ n: 1, ok: 1 });
  expect(await run({ insert: 'c', documents: [{ _id: 'large' }] })).toMatchObject({ n: 1, ok: 1 });
  expect(db.statement('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
});

test('runs other commands during a long deletion', async () => {
  for (let i = 0; i < 12; i++) {
    await run({ insert: 'c', documents: rows(6000).slice(i * 500, (i + 1) * 500) });
  }
  let done = false;
  const deletion = run({ delete: 'c', deletes: [{ q: {}, limit: 0 }] }).then((answer) => {
    done = true;
    return answer;
  });
  let turns = 0;
  while (!done) {
    await run({ ping: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  expect(await deletion).toMatchObject({ n: 6000, ok: 1 });
  // The number depends on the machine; a command that does not yield would finish within the first.
  expect(turns).toBeGreaterThan(1);
});

test('creates an index during writes, with the keys of all documents', async () => {
  for (let i = 0; i < 4; i++) {
    await run({ insert: 'c', documents: rows(2000).slice(i * 500, (i + 1) * 500) });
  }
  const making = run({ createIndexes: 'c', indexes: [{ key: { at: 1 }, name: 'at' }] });
  // Queries do not use it before it is complete.
  const meanwhile = await run(countOf({ at: { $gte: new Date(0) } }));
  expect(meanwhile).toMatchObject({ cursor: { firstBatch: [{ n: 2000 }] } });
  for (let i = 0; i < 20; i++) await run({ insert: 'c', documents: [{ _id: `new ${i}`, at: new Date(i) }] });
  await run({ update: 'c', updates: [{ q: { _id: 5 }, u: { $set: { at: new Date(1e9) } } }] });
  expect(await making).toMatchObject({ ok: 1, numIndexesAfter: 2 });
  const all = countOf({ at: { $gte: new Date(0) } });
  expect(await run(all)).toMatchObject({ cursor: { firstBatch: [{ n: 2020 }] } });
  const changed = countOf({ at: new Date(1e9) });
  expect(await run(changed)).toMatchObject({ cursor: { firstBatch: [{ n: 1 }] } });
});

async function reopen() {
  await engine.close();
  engine = openEngine(dataDir);
}

test('a failed write leaves nothing that later writes or starts rely on', async () => {
  const indexes = [
    { key: { a: 1 }, name: 'a' },
    { key: { u: 1 }, name: 'u', unique: true },
  ];
  await run({ createIndexes: 'c', indexes });
  await run({ insert: 'c', documents: [{ _id: 1, u: 1, a: 20 }] });
  const failed = await run({ insert: 'c', documents: [{ _id: 2, u: 1, a: [1, 10] }] });
  expect(failed.writeErrors?.[0]).toMatchObject({ code: 11000 });
  await run({ insert: 'c', documents: [{ _id: 3, u: 3, a: [1, 10] }] });
  // One element meets one condition, another the other. The index must know that it has arrays.
  const between = countOf({ a: { $gt: 3, $lt: 5 } });
  for (const _start of ['this', 'the next']) {
    expect(await run(between)).toMatchObject({ cursor: { firstBatch: [{ n: 1 }] } });
    expect(await run(countOf({ a: 1 }))).toMatchObject({ cursor: { firstBatch: [{ n: 1 }] } });
    await reopen();
  }
});

test('a start deletes what has expired, and an index whose creation was interrupted', async () => {
  const ttl = { key: { at: 1 }, name: 'ttl', expireAfterSeconds: 60 };
  await run({ createIndexes: 'c', indexes: [ttl] });
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
  const documents = [
    { _id: 1, at: ago(3600) },
    { _id: 2, at: ago(5) },
    { _id: 3 },
    { _id: 4, at: 'long ago' },
  ];
  await run({ insert: 'c', documents });
  await run({ insert: 'other', documents: [{ _id: 1, n: 1 }] });
  const { catalogue, db } = engine.store;
  db.atomically(() =>
    catalogue.addIndex(catalogue.find('d', 'other')!, { key: { n: 1 }, name: 'n' } as never),
  );
  await reopen();
  const left = async () =>
    (await run({ find: 'c', sort: { _id: 1 } })).cursor.firstBatch as { _id: number }[];
  for (let tries = 0; tries < 1000 && (await left()).length === 4; tries += 1) await delay(10);
  expect((await left()).map(({ _id }) => _id)).toEqual([2, 3, 4]);
  expect((await run({ listIndexes: 'other' })).cursor.firstBatch).toHaveLength(1);
  const again = { createIndexes: 'other', indexes: [{ key: { n: 1 }, name: 'n' }], maxTimeMS: 20_000 };
  expect(await run(again)).toMatchObject({ ok: 1, numIndexesBefore: 1, numIndexesAfter: 2 });
});

test('replies to every failure, also to an internal one', async () => {
  expect(await run({ find: { no: 'name' } })).toMatchObject({ ok: 0, code: 73 });
  engine.store.db.exec('DROP TABLE indexes');
  expect(await run({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] })).toMatchObject({ ok: 0 });
  expect(await run({ ping: 1 })).toMatchObject({ ok: 1 });
});
