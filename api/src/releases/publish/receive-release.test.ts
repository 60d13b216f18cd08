import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type FileStore, readStored } from '../../files/storage/file-store.ts';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import { readBuildToSend } from './read-build.ts';
import { claimRelease, finishRelease, receiveReleaseFile } from './receive-release.ts';
import { listReleases } from './release-routes.ts';

const opened = await openTestCompositions();
const deps = await opened.connect();
afterAll(() => opened?.close());

async function* bytesOf(bytes: Uint8Array) {
  yield bytes;
}

test('a full disk before the compressed forms exist is reported as such, and nothing is visible until there is room', async () => {
  const id = await uploaded('1.0.0', { 'remoteEntry.dddd4444.js': '// Worth compressing.\n'.repeat(200) });

  const full: FileStore = {
    ...deps.files,
    put: () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })),
  };
  await expect(finishRelease(id, { ...deps, files: full })).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('room'),
  });
  expect((await listReleases(deps.store, { limit: 10 })).releases).toEqual([]);

  expect(await finishRelease(id, deps)).toMatchObject({ _id: id, publishedAt: expect.any(Date) });
});

async function uploaded(version: string, files: Record<string, string> = {}): Promise<string> {
  const folder = await writeTestBuild(opened.folder, { name: 'mfe-chat', version });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const { upload, contents } = await readBuildToSend(folder);
  const { id, missing } = await claimRelease(upload, 'ops', deps);
  for (const path of missing) await receiveReleaseFile(id, path, bytesOf(contents.get(path)!), deps);
  return id;
}
const publishedAt = async (id: string) => (await deps.store.releases.findById(id).lean())?.publishedAt;

test('a release is not published by a token that was revoked while its files were checked', async () => {
  const id = await uploaded('2.0.0');
  const revoked = async () => {
    throw new Error('revoked');
  };
  await expect(finishRelease(id, deps, revoked)).rejects.toThrow('revoked');
  expect(await publishedAt(id)).toBeNull();
});

test('a claim that was taken over while its files were checked is not published', async () => {
  const id = await uploaded('3.0.0');
  const takeOver = async () => {
    await deps.store.releases.updateOne({ _id: id }, { $set: { digest: 'of other content' } });
  };
  await expect(finishRelease(id, deps, takeOver)).rejects.toMatchObject({ status: 503 });
  expect(await publishedAt(id)).toBeNull();
});

describe('the compressed forms of a file that another release contains', () => {
  const entry = 'remoteEntry.dddd4444.js';
  const code = '// The same in both releases.\n'.repeat(200);
  const formKey = (version: string) => `encoded/mfe-chat/${version}/${entry}.br`;

  /** Publishes a release of this code, whose form is then replaced, and a second one; returns the form of the second one. */
  async function formAfter(versions: [string, string], first: Buffer): Promise<Buffer | undefined> {
    for (const version of versions) {
      const id = await uploaded(version, { [entry]: code });
      await finishRelease(id, deps);
      if (version === versions[0]) await deps.files.put(formKey(version), first);
    }
    const stored = await deps.files.open(formKey(versions[1]));
    return stored && readStored(stored);
  }

  test('are copied', async () => {
    const quick = brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
    expect(await formAfter(['5.0.0', '5.1.0'], quick)).toEqual(quick);
  });

  test('are made again if they are corrupted', async () => {
    const form = await formAfter(['6.0.0', '6.1.0'], Buffer.from('garbage'));
    expect(brotliDecompressSync(form!).toString()).toBe(code);
  });
});
