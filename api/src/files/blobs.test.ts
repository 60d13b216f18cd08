import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createThisProcess } from '../store/process-lease.ts';
import { openTestStore } from '../testing/open-test-models.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { removeTestData, testStoreConfig } from '../testing/test-database.ts';
import { type Blobs, blobFolder, createBlobs, sweepBlobs } from './blobs.ts';
import { openTemporaryFolder } from './open-files.ts';
import { createDiskFileStore } from './storage/disk-file-store.ts';
import { type FileStore, readStored } from './storage/file-store.ts';
import { createGridFsFileStore } from './storage/gridfs-file-store.ts';

const folder = await temporaryFolder('blobs');
const store = await openTestStore(testStoreConfig(join(folder, 'store')));
const models = store.models;
afterAll(async () => {
  await store.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

async function newContent(text = randomUUID()): Promise<{ hash: string; path: string; text: string }> {
  const path = join(folder, randomUUID());
  await writeFile(path, text);
  return { hash: createHash('sha256').update(text).digest('hex'), path, text };
}

const keysOf = async (files: FileStore) => {
  const keys: string[] = [];
  for await (const key of files.list(blobFolder)) keys.push(key);
  return keys;
};

const textOf = async (blobs: Blobs, hash: string) => {
  const file = await blobs.open(hash);
  return file && (await readStored(file))?.toString();
};

describe.each<[string, () => FileStore]>([
  ['disk', () => createDiskFileStore(join(folder, 'files'))],
  ['GridFS', () => createGridFsFileStore(store.connection)],
])('blobs on %s', (_name, create) => {
  test('store a content once, until its last holder is released', async () => {
    const files = create();
    const blobs = createBlobs(models.blobs, files);
    const { hash, path, text } = await newContent();
    const before = (await keysOf(files)).length;

    await Promise.all(['a', 'b', 'c', 'a'].map((holder) => blobs.store(hash, path, holder)));
    expect(await keysOf(files)).toHaveLength(before + 1);
    await blobs.release(hash, 'a');
    await blobs.release(hash, 'a');
    await blobs.release(hash, 'nobody');
    await blobs.release(hash, 'b');
    expect(await textOf(blobs, hash)).toBe(text);
    await blobs.release(hash, 'c');

    expect(await blobs.open(hash)).toBeUndefined();
    expect(await keysOf(files)).toHaveLength(before);
    expect(await models.blobs.findById(hash).lean()).toBeNull();
  });

  test('never lose content that is held, with concurrent keeping and releasing', async () => {
    const files = create();
    const blobs = createBlobs(models.blobs, files);
    const { hash, path, text } = await newContent();
    const round = async (holder: string) => {
      for (let times = 0; times < 6; times += 1) {
        await blobs.store(hash, path, holder);
        expect(await textOf(blobs, hash)).toBe(text);
        await blobs.release(hash, holder);
      }
    };

    await Promise.all(Array.from({ length: 6 }, (_, at) => round(`holder ${at}`)));

    expect(await blobs.open(hash)).toBeUndefined();
    expect((await keysOf(files)).filter((key) => key.includes(hash))).toEqual([]);
  });

  test('remove what a crash left: bytes without an entry, holders that were never written', async () => {
    const files = create();
    const blobs = createBlobs(models.blobs, files);
    const [kept, lost] = [await newContent(), await newContent()];
    await blobs.store(kept.hash, kept.path, 'there');
    await blobs.store(kept.hash, kept.path, 'gone');
    await blobs.store(lost.hash, lost.path, 'gone');
    await files.put(`${blobFolder}/ab/ab12.${Date.now() - 10}-00`, Buffer.from('left'));
    const deps = { blobs: models.blobs, files, kept: blobs, existingOf: async () => new Set(['there']) };

    await sweepBlobs(deps, new Date(Date.now() - 60_000));
    expect(await textOf(blobs, lost.hash)).toBe(lost.text);
    await sweepBlobs(deps, new Date());

    expect(await textOf(blobs, kept.hash)).toBe(kept.text);
    expect((await models.blobs.findById(kept.hash).lean())?.holders).toEqual(['there']);
    expect(await keysOf(files)).toEqual([(await models.blobs.findById(kept.hash).lean())?.key]);
    await blobs.release(kept.hash, 'there');
  });
});

test('content that is used again is not swept before its new holder is written', async () => {
  const files = createDiskFileStore(join(folder, 'files'));
  const blobs = createBlobs(models.blobs, files);
  const { hash, path, text } = await newContent();
  await blobs.store(hash, path, 'gone');
  await models.blobs.updateOne({ _id: hash }, { $set: { heldAt: new Date(0) } });
  await blobs.store(hash, path, 'not written yet');
  const deps = { blobs: models.blobs, files, kept: blobs, existingOf: async () => new Set<string>() };
  await sweepBlobs(deps, new Date(Date.now() - 60_000));
  expect(await textOf(blobs, hash)).toBe(text);
  await sweepBlobs(deps, new Date(Date.now() + 1));
  expect(await blobs.open(hash)).toBeUndefined();
});

test('content whose last holder was released before a crash is swept', async () => {
  const files = createDiskFileStore(join(folder, 'files'));
  const blobs = createBlobs(models.blobs, files);
  const { hash, path } = await newContent();
  await blobs.store(hash, path, 'a');
  await models.blobs.updateOne({ _id: hash }, { $set: { holders: [] } });
  const deps = { blobs: models.blobs, files, kept: blobs, existingOf: async () => new Set<string>() };
  await sweepBlobs(deps, new Date(Date.now() + 1));
  expect(await models.blobs.findById(hash).lean()).toBeNull();
  expect((await keysOf(files)).filter((key) => key.includes(hash))).toEqual([]);
});

test('content that is removed and stored again while it is opened is found', async () => {
  const files = createDiskFileStore(join(folder, 'files'));
  const blobs = createBlobs(models.blobs, files);
  const { hash, path, text } = await newContent();
  await blobs.store(hash, path, 'a');
  let times = 0;
  const reading = createBlobs(models.blobs, {
    ...files,
    async open(key) {
      times += 1;
      if (times === 1) {
        await blobs.release(hash, 'a');
        await blobs.store(hash, path, 'b');
      }
      return files.open(key);
    },
  });
  expect(await textOf(reading, hash)).toBe(text);
  await files.remove((await models.blobs.findById(hash).lean())!.key);
  expect(await blobs.open(hash)).toBeUndefined();
  await blobs.release(hash, 'b');
});

test('a process that sweeps its temporary folder shows that it lives', async () => {
  const dataDir = join(folder, 'living');
  const self = createThisProcess();
  const ours = await openTemporaryFolder(dataDir, self, false);
  const file = join(ours.path, 'process');
  const old = new Date(Date.now() - 4 * 3_600_000);
  await utimes(file, old, old);
  await ours.sweep();
  expect((await stat(file)).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  await ours.remove();
  self.end();
});

test('a temporary folder is cleaned of folders of dead processes, and of nothing else', async () => {
  const dataDir = join(folder, 'data');
  const dead = join(dataDir, 'tmp', 'dead');
  const elsewhere = join(dataDir, 'tmp', 'elsewhere');
  for (const [path, host] of [
    [dead, createThisProcess().host],
    [elsewhere, 'another host'],
  ] as const) {
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'process'), JSON.stringify({ host, pid: 2 ** 22 + 1 }));
    await writeFile(join(path, 'upload'), 'left');
  }
  const self = createThisProcess();
  const other = createThisProcess();
  const theirs = await openTemporaryFolder(dataDir, other, false);
  const ours = await openTemporaryFolder(dataDir, self, false);
  const there = async () => (await readdir(join(dataDir, 'tmp'))).sort();

  expect(await there()).toEqual(['elsewhere', other.process, self.process].sort());
  const old = new Date(Date.now() - 4 * 3_600_000);
  await utimes(join(elsewhere, 'process'), old, old);
  await ours.sweep();
  expect(await there()).toEqual([other.process, self.process].sort());
  await theirs.remove();
  other.end();
  await openTemporaryFolder(dataDir, self, true);
  expect(await there()).toEqual([self.process]);
  self.end();
});
