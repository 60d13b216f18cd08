import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../../testing/test-database.ts';
import { createDiskFileStore } from './disk-file-store.ts';
import { type FileStore, readStored } from './file-store.ts';
import { createGridFsFileStore } from './gridfs-file-store.ts';

const folder = await temporaryFolder('file-store');
const store = await openTestDatabase(join(folder, 'store'));
const connection = await mongoose
  .createConnection(store.uri, { serverApi: { version: '1', strict: true, deprecationErrors: true } })
  .asPromise();

afterAll(async () => {
  await connection?.close();
  await store?.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

const adapters: [string, () => FileStore][] = [
  ['disk', () => createDiskFileStore(join(folder, 'files'))],
  ['GridFS', () => createGridFsFileStore(connection)],
];

const textOf = async (files: FileStore, key: string) => {
  const file = await files.open(key);
  return file && (await readStored(file))?.toString();
};

const keysOf = async (keys: AsyncIterable<string>) => {
  const all: string[] = [];
  for await (const key of keys) all.push(key);
  return all;
};

describe.each(adapters)('files on %s', (_name, create) => {
  test('stores bytes and streams by key', async () => {
    const files = create();
    await files.put('releases/a/1.0.0/main.js', Buffer.from('one'));
    await files.put(
      'releases/a/1.0.0/deep/chunk.js',
      (async function* () {
        yield Buffer.from('two');
        yield Buffer.from(' parts');
      })(),
    );
    expect(await textOf(files, 'releases/a/1.0.0/main.js')).toBe('one');
    expect(await textOf(files, 'releases/a/1.0.0/deep/chunk.js')).toBe('two parts');
    expect((await files.open('releases/a/1.0.0/deep/chunk.js'))?.size).toBe(9);
  });

  test('stores a file larger than a chunk, and an empty one', async () => {
    const files = create();
    const large = Buffer.alloc(700_000, 'abcdefg');
    await files.put('large.bin', large);
    await files.put('empty.bin', Buffer.alloc(0));
    const file = await files.open('large.bin');
    expect(file && large.equals((await readStored(file))!)).toBe(true);
    expect(await textOf(files, 'empty.bin')).toBe('');
  });

  test('streams a part of a file, also across chunks', async () => {
    const files = create();
    const large = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251));
    await files.put('parts.bin', large);
    const file = (await files.open('parts.bin'))!;
    for (const range of [
      { start: 0, end: 1 },
      { start: 261_000, end: 523_000 },
      { start: 699_999, end: 700_000 },
    ]) {
      const part = Buffer.concat(await file.stream(range).toArray());
      expect(part.equals(large.subarray(range.start, range.end))).toBe(true);
    }
  });

  test('replaces a file and changes its stamp', async () => {
    const files = create();
    await files.put('note.txt', Buffer.from('before'));
    const before = await files.open('note.txt');
    await files.put('note.txt', Buffer.from('behind'));
    expect(await textOf(files, 'note.txt')).toBe('behind');
    expect((await files.open('note.txt'))?.stamp).not.toBe(before?.stamp);
  });

  test('of two concurrent writes, one file remains complete', async () => {
    const files = create();
    for (let round = 0; round < 5; round++) {
      await Promise.all(['one', 'two'].map((text) => files.put('both.txt', Buffer.from(text))));
      expect(await textOf(files, 'both.txt')).toMatch(/^(one|two)$/);
    }
    await files.put('both.txt', Buffer.from('last'));
    expect(await textOf(files, 'both.txt')).toBe('last');
    await files.remove('both.txt');
    expect(await files.open('both.txt')).toBeUndefined();
  });

  test('keeps the old file if the new one is incomplete', async () => {
    const files = create();
    await files.put('broken.txt', Buffer.from('whole'));
    const breaking = (async function* () {
      yield Buffer.from('half');
      throw new Error('the line went dead');
    })();
    await expect(files.put('broken.txt', breaking)).rejects.toThrow('the line went dead');
    expect(await textOf(files, 'broken.txt')).toBe('whole');
  });

  test('returns undefined for a missing file, and ignores removing it', async () => {
    const files = create();
    expect(await files.open('never/there.txt')).toBeUndefined();
    await files.put('gone.txt', Buffer.from('x'));
    const opened = await files.open('gone.txt');
    await files.remove('gone.txt');
    await files.remove('gone.txt');
    expect(await files.open('gone.txt')).toBeUndefined();
    expect(opened && (await readStored(opened))).toBeUndefined();
  });

  test('lists by whole segments only', async () => {
    const files = create();
    for (const key of ['list/one/a.js', 'list/one/b/c.js', 'list/one-more/d.js'])
      await files.put(key, Buffer.from(key));
    expect((await keysOf(files.list('list/one'))).sort()).toEqual(['list/one/a.js', 'list/one/b/c.js']);
    expect(await keysOf(files.list('nothing'))).toEqual([]);
    expect(await keysOf(files.list(''))).toContain('list/one-more/d.js');
  });

  test('accepts a segment of 200 characters', async () => {
    const files = create();
    const key = `long/${'x'.repeat(200)}`;
    await files.put(key, Buffer.from('x'));
    expect((await files.open(key))?.size).toBe(1);
  });

  const long = ['a/'.repeat(200).concat('x'.repeat(113)), `a/${'x'.repeat(201)}`];
  test.each(['../out', 'a/../../out', '/etc/passwd', 'a//b', '', 'a/./b', 'a\\b', 'a\0b', ...long])(
    'refuses the key %j',
    async (key) => {
      const files = create();
      await expect(files.put(key, Buffer.from('x'))).rejects.toThrow(TypeError);
      await expect(files.open(key)).rejects.toThrow(TypeError);
      await expect(files.remove(key)).rejects.toThrow(TypeError);
    },
  );
});

test('an interrupted write to disk leaves nothing that is listed', async () => {
  const root = join(folder, 'killed');
  const files = createDiskFileStore(root);
  await files.put('a.txt', Buffer.from('a'));
  await writeFile(join(root, 'b.txt.0123456789ab~'), 'half');
  expect(await readdir(root)).toHaveLength(2);
  expect(await keysOf(files.list(''))).toEqual(['a.txt']);

  await files.sweep(new Date(Date.now() - 60_000));
  expect(await readdir(root)).toHaveLength(2);
  await files.sweep(new Date(Date.now() + 1000));
  expect(await readdir(root)).toEqual(['a.txt']);
});

test('chunks of an interrupted write to GridFS are removed, and no others', async () => {
  const files = createGridFsFileStore(connection);
  await files.put('swept/a.txt', Buffer.from('a'));
  const chunks = connection.collection('files.chunks');
  const left = new mongoose.Types.ObjectId();
  for (const n of [0, 1]) await chunks.insertOne({ files_id: left, n, data: Buffer.from('half') });

  await files.sweep(new Date(Date.now() - 60_000));
  expect(await chunks.countDocuments({ files_id: left })).toBe(2);
  await files.sweep(new Date(Date.now() + 2000));
  expect(await chunks.countDocuments({ files_id: left })).toBe(0);
  expect(await textOf(files, 'swept/a.txt')).toBe('a');
});
