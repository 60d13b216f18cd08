import { appendFile, cp, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { PredictAnswer } from '../../contract/chat.ts';
import { openStore } from '../../store/open-store.ts';
import { transfersCollection } from '../../store/unfinished-transfer.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import {
  isEmbedded,
  keepHistory,
  removeTestData,
  testFiles,
  testStoreConfig,
} from '../../testing/test-database.ts';
import { createVisitor } from '../../testing/visitor.ts';
import { checksumOf, databaseDocuments, folderDocuments } from './documents.ts';
import { runDb } from './run-db.ts';

/** Runs a command on the store of `dataDir`, and returns its exit code and output. */
async function db(dataDir: string, ...argv: string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const out = (piece: string) => {
    text += piece;
  };
  const { mongodbUri } = testStoreConfig(dataDir);
  const env = { DATA_DIR: dataDir, ...(mongodbUri ? { MONGODB_URI: mongodbUri } : {}) };
  return { code: await runDb({ argv, env, out, err: out }), text };
}

const folder = await temporaryFolder('desk-db');
/** Without the handbook, whose index would be copied by every test. */
const withoutHandbook = { config: { handbook: false } };
const desk = await startTestApi(withoutHandbook);
await keepHistory(300);
const visitor = createVisitor(desk.url);
const body = new FormData();
body.append('text', 'What does it say?');
body.append('file', new Blob(['# Terms\n\nGoods are returned within thirty days.\n']), 'terms.md');
const answer = (await (await visitor.fetch('POST', '/api/predict', { body })).json()) as PredictAnswer;
/** A collection of more documents than are copied at once. */
const many = 'many';
const pieces = Array.from({ length: 1_100 }, (_, at) => ({ _id: at, text: 'x'.repeat(100) }));
await desk.connection.collection<{ _id: number }>(many).insertMany(pieces);
const backup = join(folder, 'backup');
const made = await db(desk.dataDir, 'backup', backup);
expect(made).toMatchObject({ code: 0, text: expect.stringContaining('The backup is complete') });
afterAll(async () => {
  await keepHistory(0);
  await desk?.end();
  await rm(folder, { recursive: true, force: true });
});

/** A copy of the backup that a test may change. */
async function copyOfBackup(name: string): Promise<string> {
  const copy = join(folder, name);
  await cp(backup, copy, { recursive: true });
  return copy;
}

test('a backup of a running desk restores to a server with its records and files', async () => {
  expect((await db(desk.dataDir, 'verify', backup)).text).toBe('The backup is intact.\n');
  expect(await readdir(folder)).toContain('backup');
  expect(await readdir(backup)).toEqual(['SHA256SUMS', 'database', 'files', 'manifest.json']);
  const target = join(folder, 'restored');
  const restored = await db(target, 'restore', backup);
  expect(restored.text).toContain('Everything was restored');
  expect(restored.code).toBe(0);
  const server = await startTestApi({ ...withoutHandbook, dataDir: target });
  try {
    const again = createVisitor(server.url);
    for (const [name, value] of visitor.cookies) again.cookies.set(name, value);
    const file = await again.fetch('GET', answer.files[0]!.url);
    expect(await file.text()).toContain('returned within thirty days');
    const { body } = await again.call<{ records: { id: string }[] }>('GET', '/api/records');
    expect(JSON.stringify(body)).toContain('What does it say?');
  } finally {
    await server.close();
  }
  expect(await db(target, 'check')).toMatchObject({ code: 0 });
  const refused = await db(target, 'restore', backup);
  expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('contains data already') });
  expect(await db(target, 'restore', backup, '--force')).toMatchObject({ code: 0 });
  await removeTestData(target);
});

test('a damaged byte, a missing file and an added document are named, and nothing is restored', async () => {
  const copy = await copyOfBackup('damaged');
  const sums = await readFile(join(copy, 'SHA256SUMS'), 'utf8');
  const [, path = ''] = /(files\/blobs\/\S+)/.exec(sums) ?? [];
  await using file = await open(join(copy, 'database/records.bson'), 'r+');
  await file.write(Buffer.from([0xff]), 0, 1, 60);
  await rm(join(copy, path));
  const found = await db(desk.dataDir, 'verify', copy);
  expect(found.code).toBe(1);
  expect(found.text.split('\n').sort()).toEqual(['', 'damaged: database/records.bson', `missing: ${path}`]);
  const target = join(folder, 'untouched');
  expect(await db(target, 'restore', copy)).toMatchObject({
    code: 1,
    text: expect.stringContaining('Nothing was restored'),
  });
  await appendFile(join(copy, 'database/more.bson'), '');
  expect((await db(desk.dataDir, 'verify', copy)).text).toContain(
    'not part of the backup: database/more.bson',
  );
  await removeTestData(target);
});

test('a file that a record has lost is named with the record, by a check and by a backup', async () => {
  const target = join(folder, 'lost');
  await db(target, 'restore', backup);
  const store = await openStore(testStoreConfig(target));
  const blob = await store.connection.collection<{ _id: string; key: string }>('blobs').findOne({});
  await testFiles({ connection: store.connection, dataDir: target }).remove(blob!.key);
  await store.connection.collection('records').dropIndex('status_1__id_1');
  await store.connection.collection('uploads').updateMany({}, { $set: { size: 10 ** 12 } });
  await store.close();
  const found = await db(target, 'check');
  expect(found.code).toBe(1);
  expect(found.text).toContain(`${blob!.key}, the file "terms.md" of the record `);
  expect(found.text).toMatch(/missing index: .*"status":1.* of records/);
  expect(found.text).toMatch(/guest:\S+ has 953675 MB of files/);
  const second = join(folder, 'second');
  expect((await db(target, 'backup', second)).text).toContain(blob!.key);
  expect(await db(target, 'verify', second)).toMatchObject({ code: 0 });
  await removeTestData(target);
});

test('an upload in progress, whose content and record are written later, is no fault, and lost content of it is', async () => {
  const target = join(folder, 'in-progress');
  await db(target, 'restore', backup);
  const store = await openStore(testStoreConfig(target));
  const uploads = store.connection.collection<{ _id: string; blob: string }>('uploads');
  const { _id, ...stored } = (await uploads.findOne({}))!;
  const recordId = new store.connection.base.mongo.ObjectId();
  await uploads.insertOne({
    ...stored,
    _id: 'in progress',
    recordId,
    blob: 'a'.repeat(64),
  } as typeof stored & { _id: string });
  expect(await db(target, 'check')).toEqual({ code: 0, text: expect.not.stringContaining('missing') });
  const blobs = store.connection.collection<{ _id: string; key: string }>('blobs');
  await blobs.insertOne({ _id: 'a'.repeat(64), key: 'blobs/aa/lost.1-00' });
  await store.close();
  expect(await db(target, 'check')).toEqual({ code: 1, text: expect.stringContaining('blobs/aa/lost.1-00') });
  await removeTestData(target);
});

test('an interrupted restore keeps the server from starting, and is continued', async () => {
  const target = join(folder, 'interrupted');
  await db(target, 'restore', backup);
  // As a kill leaves it: some collections are done, one is partly written.
  const store = await openStore(testStoreConfig(target));
  const from = `${backup} (${JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')).createdAt})`;
  await store.connection.collection<{ _id: number }>(many).deleteMany({ _id: { $gte: 1_095 } });
  await store.connection.collection('records').deleteMany({});
  await store.connection
    .collection<{ _id: string }>(transfersCollection)
    .insertOne({ _id: 'transfer', from, done: [] } as { _id: string });
  await store.close();
  await expect(startTestApi({ ...withoutHandbook, dataDir: target })).rejects.toThrow(
    'The data is incomplete',
  );
  const other = await copyOfBackup('other');
  expect((await db(target, 'restore', other)).text).toContain(`copying from ${from} was interrupted`);
  expect(await db(target, 'restore', backup)).toMatchObject({
    code: 0,
    text: expect.stringContaining('Continuing the interrupted copy'),
  });
  const server = await startTestApi({ ...withoutHandbook, dataDir: target });
  expect(await server.connection.collection(many).countDocuments()).toBe(pieces.length);
  await server.close();
  await removeTestData(target);
});

test('a copy that differs does not count as complete, and can be started again', async () => {
  const target = join(folder, 'differing');
  await db(target, 'restore', backup);
  const store = await openStore(testStoreConfig(target));
  await store.connection.collection('records').updateMany({}, { $set: { question: 'another' } });
  const from = `${backup} (${JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')).createdAt})`;
  await store.connection
    .collection<{ _id: string }>(transfersCollection)
    .insertOne({ _id: 'transfer', from, done: [] } as { _id: string });
  const left = 'blobs/of/another-desk';
  await testFiles({ connection: store.connection, dataDir: target }).put(left, Buffer.from('x'));
  await store.close();
  const differs = { code: 1, text: expect.stringContaining('The copy differs in: records') };
  expect(await db(target, 'restore', backup)).toMatchObject(differs);
  await expect(startTestApi({ ...withoutHandbook, dataDir: target })).rejects.toThrow(
    'The data is incomplete',
  );
  expect(await db(target, 'restore', backup, '--force')).toMatchObject({ code: 0 });
  const { connection, close } = await openStore(testStoreConfig(target));
  expect(await testFiles({ connection, dataDir: target }).open(left)).toBeUndefined();
  await close();
  await removeTestData(target);
});

test('only a complete folder counts as a backup, and an existing one is not overwritten', async () => {
  const copy = await copyOfBackup('incomplete');
  await rm(join(copy, 'manifest.json'));
  expect(await db(desk.dataDir, 'restore', copy)).toMatchObject({
    code: 1,
    text: expect.stringContaining('no manifest.json'),
  });
  expect(await db(desk.dataDir, 'backup', copy)).toMatchObject({
    code: 1,
    text: expect.stringContaining('exists already'),
  });
  expect(await db(desk.dataDir, 'backup')).toMatchObject({ code: 2 });
});

(isEmbedded ? test : test.skip)('moving to another store and back leaves every byte as it was', async () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'moved')];
  await db(first, 'restore', backup);
  const there = await db(first, 'migrate', '--to', second);
  expect(there.text).toContain('Everything was copied');
  const back = join(folder, 'back');
  const again = await db(second, 'migrate', '--to', back);
  const sums = (text: string) => text.match(/^[0-9a-f]{64} .*$/gm);
  expect(sums(again.text)).toEqual(sums(there.text));
  expect(sums(there.text)!.length).toBeGreaterThan(20);
  expect(await db(first, 'migrate', '--to', first)).toMatchObject({ code: 2 });
  const store = await openStore({ mongodbUri: null, dataDir: back });
  const [moved, backedUp] = [
    databaseDocuments(store.connection.db!),
    folderDocuments(join(backup, 'database')),
  ];
  expect(await checksumOf(moved.read('records'))).toEqual(await checksumOf(backedUp.read('records')));
  await store.close();
});
