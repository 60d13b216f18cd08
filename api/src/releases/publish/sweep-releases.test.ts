import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { readStored } from '../../files/storage/file-store.ts';
import { createGridFsFileStore } from '../../files/storage/gridfs-file-store.ts';
import { killAfterWrites } from '../../testing/kill-after-writes.ts';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { pointerCanary } from '../../testing/pointer-canary.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import type { Composition } from '../data/composition-store.ts';
import { movePointer, readPointer } from '../data/move-pointer.ts';
import type { Release } from '../data/release.ts';
import { compose, storeComposition } from '../live/compose.ts';
import type { PublishDeps } from './publish-release.ts';
import { readBuildToSend } from './read-build.ts';
import { claimRelease, finishRelease, receiveReleaseFile } from './receive-release.ts';
import { sweepReleases } from './sweep-releases.ts';

const day = 86_400_000;
const hour = 3_600_000;
const days = 90;

let deps: PublishDeps;
/** The simulated current time. */
let now: Date;

const opened = await openTestCompositions();
afterAll(() => opened?.close());
beforeEach(async () => {
  now = new Date('2026-01-01T00:00:00Z');
  deps = { ...(await opened.clear()), now: () => now };
});

const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

async function* bytesOf(bytes: Uint8Array) {
  yield bytes;
}

const built = async (name: string, version: string, words?: string) =>
  readBuildToSend(await writeTestBuild(opened.folder, { name, version, ...(words ? { words } : {}) }));

async function publish(name: string, version: string, to = deps): Promise<Release> {
  const { upload, contents } = await built(name, version);
  const { id, missing } = await claimRelease(upload, 'ops', to);
  for (const path of missing) await receiveReleaseFile(id, path, bytesOf(contents.get(path)!), to);
  return finishRelease(id, to);
}

async function compositionOf(...releases: Release[]): Promise<Composition> {
  const pointer = await readPointer(deps.store);
  const parent = pointer && (await deps.store.compositions.findById(pointer.composition).lean<Composition>());
  const made = compose({ releases, parent, author: 'wang', reason: 'test', createdAt: now });
  await storeComposition(made, deps.store);
  return made;
}

async function goLive(...releases: Release[]): Promise<void> {
  const made = await compositionOf(...releases);
  const note = { kind: 'set', author: 'wang', reason: 'test' } as const;
  await movePointer(deps.store, await readPointer(deps.store), { composition: made._id }, note, now);
}

/** Runs an hourly sweep and the next one. */
async function sweepTwice(with_ = deps) {
  const first = await sweepReleases(days, with_);
  later(hour);
  const second = await sweepReleases(days, with_);
  return { marked: first.marked, kept: second.kept, gone: second.gone };
}

const published = async () =>
  (await deps.store.releases.find({ publishedAt: { $ne: null } }).lean<Release[]>())
    .map(({ _id }) => _id)
    .sort();

async function keysOf(prefix: string, { files } = deps): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of files.list(prefix)) keys.push(key);
  return keys;
}

test('unreferenced releases are removed with all of their files, and live ones stay however old they are', async () => {
  await goLive(await publish('host', '1.0.0'), await publish('mfe-chat', '1.0.0'));
  await publish('mfe-chat', '1.1.0');
  later(days * day - hour);
  expect(await sweepTwice()).toEqual({ marked: [], kept: [], gone: [] });
  later(2 * hour);
  expect(await sweepTwice()).toEqual({ marked: ['mfe-chat@1.1.0'], kept: [], gone: ['mfe-chat@1.1.0'] });

  expect(await published()).toEqual(['host@1.0.0', 'mfe-chat@1.0.0']);
  expect(await keysOf('releases/mfe-chat/1.1.0')).toEqual([]);
  expect(await keysOf('encoded/mfe-chat/1.1.0')).toEqual([]);
  expect(await keysOf('releases/mfe-chat/1.0.0')).toHaveLength(3);
  expect((await keysOf('encoded/mfe-chat/1.0.0')).length).toBeGreaterThan(0);
  later(day);
  expect(await sweepTwice()).toEqual({ marked: [], kept: [], gone: [] });
});

test('a release stays as long as its composition was recently live, and so does the fallback of that composition', async () => {
  const host = await publish('host', '1.0.0');
  await goLive(host, await publish('mfe-chat', '1.0.0'));
  later(100 * day);
  // Live for 100 days, until now.
  await goLive(await publish('mfe-chat', '1.1.0'));
  later(50 * day);
  await goLive(await publish('mfe-chat', '1.2.0'));
  later(30 * day);
  await goLive(await publish('mfe-chat', '1.3.0'));
  expect((await sweepReleases(days, deps)).marked).toEqual([]);

  // 1.0.0 was live 115 days ago and is the fallback of 1.1.0, which was live 65 days ago.
  later(35 * day);
  expect((await sweepReleases(days, deps)).marked).toEqual([]);
  later(30 * day);
  expect((await sweepReleases(days, deps)).marked).toEqual(['mfe-chat@1.0.0']);
});

test('a canary, and a stored composition that was never live, retain the releases that they name', async () => {
  await goLive(await publish('host', '1.0.0'), await publish('mfe-chat', '1.0.0'));
  const tried = await compositionOf(await publish('mfe-chat', '1.1.0'));
  await publish('mfe-chat', '1.2.0');
  const canaries = [pointerCanary(tried._id)];
  const note = { kind: 'canary', author: 'wang', reason: '' } as const;
  await movePointer(deps.store, await readPointer(deps.store), { canaries }, note, now);
  later(200 * day);
  await compositionOf(await publish('mfe-auth', '1.0.0'));
  expect((await sweepTwice()).gone).toEqual(['mfe-chat@1.2.0']);
  expect(await published()).toContain('mfe-chat@1.1.0');
});

test('a release that is referenced after it was marked is restored', async () => {
  await goLive(await publish('host', '1.0.0'), await publish('mfe-chat', '1.0.0'));
  const chosen = await publish('mfe-chat', '1.1.0');
  later(100 * day);
  expect((await sweepReleases(days, deps)).marked).toEqual(['mfe-chat@1.1.0']);
  expect(await published()).not.toContain('mfe-chat@1.1.0');
  // By a request that had read it a moment before.
  await goLive(chosen);
  later(60_000);
  expect(await sweepReleases(days, deps)).toEqual({ marked: [], kept: ['mfe-chat@1.1.0'], gone: [] });
  const back = await deps.store.releases.findById('mfe-chat@1.1.0').lean<Release>();
  expect(back).toMatchObject({ publishedAt: chosen.publishedAt, removed: null });
});

test('a marked release is not removed before concurrent requests could have referenced it', async () => {
  await publish('mfe-chat', '1.0.0');
  later(100 * day);
  await sweepReleases(days, deps);
  later(60_000);
  expect(await sweepReleases(days, deps)).toEqual({ marked: [], kept: [], gone: [] });
  expect(await keysOf('releases/mfe-chat/1.0.0')).toHaveLength(3);
});

test('a removed version can be published again with the same content only', async () => {
  const first = await publish('mfe-chat', '1.0.0');
  later(100 * day);
  await sweepTwice();
  expect(await published()).toEqual([]);
  const other = await built('mfe-chat', '1.0.0', 'other words');
  await expect(claimRelease(other.upload, 'ops', deps)).rejects.toMatchObject({ error: 'version_taken' });

  const again = await publish('mfe-chat', '1.0.0');
  expect(again).toMatchObject({ digest: first.digest, files: first.files, publishedAt: now, removed: null });
  expect(await keysOf('releases/mfe-chat/1.0.0')).toHaveLength(3);
});

test('publishing a release again restores it if it is only marked, but not if it is being deleted', async () => {
  await publish('mfe-chat', '1.0.0');
  later(100 * day);
  await sweepReleases(days, deps);
  const { upload } = await built('mfe-chat', '1.0.0');
  expect(await claimRelease(upload, 'ops', deps)).toMatchObject({
    missing: [],
    publishedAt: expect.any(String),
  });
  expect(await published()).toEqual(['mfe-chat@1.0.0']);

  await sweepReleases(days, deps);
  later(hour);
  await expect(sweepReleases(days, killAfterWrites(1, deps))).rejects.toThrow('killed');
  await expect(claimRelease(upload, 'ops', deps)).rejects.toMatchObject({ error: 'unavailable' });
});

test('an abandoned claim is removed completely', async () => {
  const { upload, contents } = await built('mfe-chat', '1.0.0');
  const { id, missing } = await claimRelease(upload, 'ops', deps);
  const [some] = missing;
  await receiveReleaseFile(id, some!, bytesOf(contents.get(some!)!), deps);
  later(day - hour);
  expect((await sweepReleases(days, deps)).marked).toEqual([]);
  later(2 * hour);
  expect((await sweepTwice()).gone).toEqual([id]);
  expect(await deps.store.releases.countDocuments({})).toBe(0);
  expect(await keysOf('releases')).toEqual([]);
});

test('a claim that still receives files stays', async () => {
  const { upload, contents } = await built('mfe-chat', '1.0.0');
  const { id, missing } = await claimRelease(upload, 'ops', deps);
  later(day + hour);
  const [some] = missing;
  await receiveReleaseFile(id, some!, bytesOf(contents.get(some!)!), deps);
  expect((await sweepReleases(days, deps)).marked).toEqual([]);
});

test('killed after any step, later sweeps complete it, and published releases always have their files', async () => {
  let survived = false;
  for (let steps = 0; !survived; steps++) {
    await opened.clear();
    await goLive(await publish('host', '1.0.0'), await publish('mfe-chat', '1.0.0'));
    await publish('mfe-chat', '1.1.0');
    later(100 * day);
    survived = await sweepTwice(killAfterWrites(steps, deps)).then(
      () => true,
      (error: Error) => error.message !== 'killed' && Promise.reject(error),
    );
    for (const release of await deps.store.releases.find({ publishedAt: { $ne: null } }).lean<Release[]>())
      for (const file of release.files) {
        const kept = await deps.files.open(`releases/${release.name}/${release.version}/${file.path}`);
        expect(kept && (await readStored(kept))?.length).toBe(file.size);
      }

    later(2 * hour);
    await sweepTwice();
    expect(await published()).toEqual(['host@1.0.0', 'mfe-chat@1.0.0']);
    expect(await keysOf('releases/mfe-chat/1.1.0')).toEqual([]);
    expect(await keysOf('encoded/mfe-chat/1.1.0')).toEqual([]);
    expect(steps).toBeLessThan(40);
  }
});

test('an upload that is killed after any step is completed by the next one', async () => {
  let survived = false;
  for (let steps = 0; !survived; steps++) {
    await opened.clear();
    survived = await publish('mfe-chat', '1.0.0', killAfterWrites(steps, deps)).then(
      () => true,
      (error: Error) => error.message !== 'killed' && Promise.reject(error),
    );
    if (!survived) expect(await published()).toEqual([]);
    await publish('mfe-chat', '1.0.0');
    expect(await published()).toEqual(['mfe-chat@1.0.0']);
    expect(steps).toBeLessThan(40);
  }
});

test('two simultaneous sweeps, with files in GridFS, do the work once', async () => {
  const files = createGridFsFileStore(deps.store.releases.db);
  const processes = [1, 2].map(() => ({ ...deps, files }));
  await publish('mfe-chat', '1.0.0', processes[0]);
  await publish('mfe-chat', '1.1.0', processes[0]);
  later(100 * day);
  const first = await Promise.all(processes.map((one) => sweepReleases(days, one)));
  expect(first.flatMap(({ marked }) => marked).sort()).toEqual(['mfe-chat@1.0.0', 'mfe-chat@1.1.0']);
  later(hour);
  const second = await Promise.all(processes.map((one) => sweepReleases(days, one)));
  expect(second.flatMap(({ gone }) => gone).sort()).toEqual(['mfe-chat@1.0.0', 'mfe-chat@1.1.0']);
  expect(await keysOf('releases', { ...deps, files })).toEqual([]);
});

test('a removal is taken over an hour after the process that began it died, and not earlier', async () => {
  await publish('mfe-chat', '1.0.0');
  later(100 * day);
  await sweepReleases(days, deps);
  later(2 * hour);
  await expect(sweepReleases(days, killAfterWrites(1, deps))).rejects.toThrow('killed');
  later(hour / 2);
  expect((await sweepReleases(days, deps)).gone).toEqual([]);
  later(hour / 2 + 1);
  expect((await sweepReleases(days, deps)).gone).toEqual(['mfe-chat@1.0.0']);
});

test('a claim that is repeated is not abandoned until 15 minutes later, then another content takes it', async () => {
  const minute = 60_000;
  const { upload, contents } = await built('mfe-chat', '1.0.0');
  const other = await built('mfe-chat', '1.0.0', 'other words');
  const { id, missing } = await claimRelease(upload, 'ops', deps);
  for (const path of missing) await receiveReleaseFile(id, path, bytesOf(contents.get(path)!), deps);
  expect((await keysOf('releases/mfe-chat/1.0.0')).length).toBeGreaterThan(0);
  later(10 * minute);
  await claimRelease(upload, 'ops', deps);
  later(15 * minute);
  await expect(claimRelease(other.upload, 'ops', deps)).rejects.toMatchObject({ error: 'version_taken' });
  later(1);
  expect((await claimRelease(other.upload, 'ops', deps)).publishedAt).toBeNull();
  expect(await keysOf('releases/mfe-chat/1.0.0')).toEqual([]);
  await expect(claimRelease(upload, 'ops', deps)).rejects.toMatchObject({ error: 'version_taken' });
});
