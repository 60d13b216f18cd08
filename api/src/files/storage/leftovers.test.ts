import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../../testing/test-database.ts';
import { createDiskFileStore } from './disk-file-store.ts';
import type { FileStore } from './file-store.ts';
import { createGridFsFileStore } from './gridfs-file-store.ts';

const folder = await temporaryFolder('leftovers');
const store = await openTestDatabase(join(folder, 'store'));
const connection = await mongoose.createConnection(store.uri).asPromise();
afterAll(async () => {
  await connection?.close();
  await store?.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

/** Everything that uses space: files on disk, or entries and chunks of GridFS. */
async function onDisk(): Promise<number> {
  const entries = await readdir(join(folder, 'files'), { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).length;
}
async function inGridFs(): Promise<number> {
  const counts = ['files.files', 'files.chunks'].map((name) => connection.collection(name).countDocuments());
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

const large = () => Buffer.alloc(600_000, 'abc');

describe.each<[string, () => FileStore, () => Promise<number>]>([
  ['disk', () => createDiskFileStore(join(folder, 'files')), onDisk],
  ['GridFS', () => createGridFsFileStore(connection), inGridFs],
])('on %s', (_name, create, roomTaken) => {
  test('an incomplete file leaves nothing behind', async () => {
    const files = create();
    await files.put('there.bin', large());
    const before = await roomTaken();
    const breaking = (async function* () {
      yield large();
      throw new Error('the line went dead');
    })();

    await expect(files.put('broken.bin', breaking)).rejects.toThrow('the line went dead');

    expect(await roomTaken()).toBe(before);
    expect(await files.open('broken.bin')).toBeUndefined();
  });

  test('of several processes that write the same file at once, one file remains', async () => {
    const before = await roomTaken();
    await create().put('alone.bin', large());
    const one = (await roomTaken()) - before;

    await Promise.all([1, 2, 3, 4].map(() => create().put('together.bin', large())));

    expect(await roomTaken()).toBe(before + 2 * one);
    expect((await create().open('together.bin'))?.size).toBe(large().length);
  });

  test('nothing remains of a replaced or removed file', async () => {
    const files = create();
    const before = await roomTaken();
    await files.put('again.bin', large());
    const once = await roomTaken();
    for (let times = 0; times < 3; times += 1) await files.put('again.bin', large());
    expect(await roomTaken()).toBe(once);
    await files.remove('again.bin');
    expect(await roomTaken()).toBe(before);
  });
});
