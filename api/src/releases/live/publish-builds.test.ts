import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { MoveKind } from '../../contract/compositions.ts';
import { type FileStore, readStored } from '../../files/storage/file-store.ts';
import { createGridFsFileStore } from '../../files/storage/gridfs-file-store.ts';
import { embeddedOnly } from '../../testing/embedded-only.ts';
import { killAfterWrites } from '../../testing/kill-after-writes.ts';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { pointerCanary } from '../../testing/pointer-canary.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import type { Composition } from '../data/composition-store.ts';
import { movePointer, type PointerChange, readPointer } from '../data/move-pointer.ts';
import { createReleaseReader } from '../pages/release-files.ts';
import { type PublishDeps, publishRelease } from '../publish/publish-release.ts';
import { readBuild } from '../publish/read-build.ts';
import { compose, storeComposition } from './compose.ts';
import { createLiveComposition } from './live-composition.ts';
import { publishBuilds, repairBuilds } from './publish-builds.ts';

let deps: PublishDeps;

const opened = await openTestCompositions();
afterAll(() => opened?.close());
beforeEach(async () => {
  deps = await opened.clear();
});

const build = (name: string, more: { version?: string; words?: string } = {}) =>
  writeTestBuild(opened.folder, { name, ...more });
const live = async () => (await createLiveComposition(deps.store).read())!.composition;
/** A move with an arbitrary reason. */
const note = { kind: 'set', author: 'wang', reason: 'freeze' } as const;
const chat = async () => (await live()).remotes.find((part) => part.live.name === 'mfe-chat')!;
const textOf = async (files: FileStore, key: string) => {
  const file = await files.open(key);
  return file && (await readStored(file))?.toString();
};

test('publishes builds, composes them and makes them live', async () => {
  const published = await publishBuilds([await build('host'), await build('mfe-chat')], deps);

  expect(published).toEqual({
    kind: 'live',
    composition: expect.stringMatching(/^[0-9a-f]{64}$/),
    moved: true,
  });
  expect(await readPointer(deps.store)).toMatchObject({
    composition: published.composition,
    revision: 1,
    previous: null,
  });
  expect((await chat()).live).toMatchObject({
    _id: 'mfe-chat@1.0.0',
    base: '/chatbot/releases/mfe-chat/1.0.0/',
  });
  expect(await textOf(deps.files, 'releases/mfe-chat/1.0.0/remoteEntry.dddd4444.js')).toContain('first');
});

test('publishing the same builds again changes nothing', async () => {
  const folders = [await build('host'), await build('mfe-chat')];
  const first = await publishBuilds(folders, deps);
  const again = await publishBuilds(folders, deps);

  expect(again).toEqual({ ...first, moved: false });
  expect(await deps.store.releases.countDocuments({})).toBe(2);
  expect(await deps.store.compositions.countDocuments({})).toBe(1);
  expect((await readPointer(deps.store))?.revision).toBe(1);
});

test('different content of the same version is named with its hash and falls back to the first', async () => {
  await publishBuilds([await build('host'), await build('mfe-chat')], deps);
  await publishBuilds([await build('host'), await build('mfe-chat', { words: 'second' })], deps);

  const { live: now, previous } = await chat();
  expect(now._id).toMatch(/^mfe-chat@1\.0\.0\+[0-9a-f]{8}$/);
  expect(previous?._id).toBe('mfe-chat@1.0.0');
  expect((await live()).host).toMatchObject({ live: { _id: 'host@1.0.0' }, previous: null });
  expect(await textOf(deps.files, 'releases/mfe-chat/1.0.0/remoteEntry.dddd4444.js')).toContain('first');
  expect(await textOf(deps.files, `releases/mfe-chat/${now.version}/remoteEntry.dddd4444.js`)).toContain(
    'second',
  );
});

test('a remote keeps its previous release while others change', async () => {
  const host = await build('host');
  await publishBuilds([host, await build('mfe-chat'), await build('mfe-auth')], deps);
  await publishBuilds([host, await build('mfe-chat', { version: '1.1.0' }), await build('mfe-auth')], deps);
  await publishBuilds(
    [host, await build('mfe-chat', { version: '1.1.0' }), await build('mfe-auth', { version: '2.0.0' })],
    deps,
  );
  await publishBuilds([host, await build('mfe-chat', { version: '1.2.0' })], deps);

  const { remotes } = await live();
  expect(remotes.map((part) => [part.live._id, part.previous?._id])).toEqual([
    ['mfe-auth@2.0.0', 'mfe-auth@1.0.0'],
    ['mfe-chat@1.2.0', 'mfe-chat@1.1.0'],
  ]);
});

test('going back to an earlier build makes a new composition, so that history only grows', async () => {
  const host = await build('host');
  const one = await publishBuilds([host, await build('mfe-chat')], deps);
  await publishBuilds([host, await build('mfe-chat', { version: '1.1.0' })], deps);
  const back = await publishBuilds([host, await build('mfe-chat')], deps);

  expect(back.composition).not.toBe(one.composition);
  expect(await chat()).toMatchObject({
    live: { _id: 'mfe-chat@1.0.0' },
    previous: { _id: 'mfe-chat@1.1.0' },
  });
  expect((await readPointer(deps.store))?.revision).toBe(3);
});

test('keeps the composition that operations chose, and returns the command that would change it', async () => {
  await publishBuilds([await build('host'), await build('mfe-chat')], deps);
  const pointer = await readPointer(deps.store);
  const parent = await deps.store.compositions.findById(pointer!.composition).lean<Composition>();
  const chosen = compose({ releases: [], parent, author: 'wang', reason: 'freeze', createdAt: new Date() });
  await storeComposition(chosen, deps.store);
  await movePointer(deps.store, pointer, { composition: chosen._id }, note, new Date());

  const published = await publishBuilds(
    [await build('host'), await build('mfe-chat', { version: '1.4.0' })],
    deps,
  );

  expect(published).toEqual({
    kind: 'kept',
    composition: chosen._id,
    command: 'npm run compose -- set mfe-chat@1.4.0',
  });
  expect((await readPointer(deps.store))?.composition).toBe(chosen._id);
  expect(await deps.store.releases.findById('mfe-chat@1.4.0').lean()).toMatchObject({
    publishedAt: expect.any(Date),
  });
});

test('leaves the composition that operations rolled back to, even if a start had published it', async () => {
  const first = await publishBuilds([await build('host'), await build('mfe-chat')], deps);
  const newer = [await build('host'), await build('mfe-chat', { version: '1.4.0' })];
  await publishBuilds(newer, deps);
  const pointer = await readPointer(deps.store);
  const back = { ...note, kind: 'rollback' } as const;
  await movePointer(deps.store, pointer, { composition: first.composition }, back, new Date());

  expect(await publishBuilds(newer, deps)).toEqual({
    kind: 'kept',
    composition: first.composition,
    command: 'npm run compose -- set mfe-chat@1.4.0',
  });
  expect((await chat()).live._id).toBe('mfe-chat@1.0.0');
  expect((await readPointer(deps.store))?.revision).toBe(3);

  // They rolled back to exactly the builds of this start: these are live, and nothing moves.
  expect(await publishBuilds([await build('host'), await build('mfe-chat')], deps)).toEqual({
    ...first,
    moved: false,
  });
});

test('leaves the live composition unchanged while a canary runs, and after it has ended', async () => {
  await publishBuilds([await build('host'), await build('mfe-chat')], deps);
  const started = (await readPointer(deps.store))!;
  const canaries = [pointerCanary('c')];
  await movePointer(deps.store, started, { canaries }, { ...note, kind: 'canary' }, new Date());
  const newer = [await build('host'), await build('mfe-chat', { version: '1.4.0' })];
  expect(await publishBuilds(newer, deps)).toMatchObject({ kind: 'kept' });

  const trying = await readPointer(deps.store);
  await movePointer(deps.store, trying, { canaries: [] }, { ...note, kind: 'abort' }, new Date());
  expect(await publishBuilds(newer, deps)).toMatchObject({ kind: 'kept', composition: started.composition });
});

test('a start makes its builds live after a yank or an ended freeze, but not during a freeze or with a pin', async () => {
  await publishBuilds([await build('host'), await build('mfe-chat')], deps);
  const move = async (kind: MoveKind, change: PointerChange) =>
    movePointer(deps.store, await readPointer(deps.store), change, { ...note, kind }, new Date());
  const newer = [await build('host'), await build('mfe-chat', { version: '1.4.0' })];
  const restricted = { at: new Date(), author: 'anna', reason: 'x' };
  await move('freeze', { freeze: { ...restricted, until: new Date(Date.now() + 60_000) } });
  expect(await publishBuilds(newer, deps)).toMatchObject({ kind: 'kept' });
  await move('unfreeze', { freeze: null });
  await move('pin', { pins: [{ ...restricted, part: 'mfe-chat' }] });
  expect(await publishBuilds(newer, deps)).toMatchObject({ kind: 'kept' });
  await move('unpin', { pins: [] });
  await move('yank', {});
  expect(await publishBuilds(newer, deps)).toMatchObject({ kind: 'live', moved: true });
});

test('a yanked build is published but does not go live', async () => {
  await publishBuilds([await build('host'), await build('mfe-chat')], deps);
  const newer = await build('mfe-chat', { version: '1.5.0' });
  await publishRelease(await readBuild(newer), deps);
  await deps.store.releases.updateOne(
    { _id: 'mfe-chat@1.5.0' },
    { $set: { yanked: { at: new Date(), author: 'anna', reason: 'x' } } },
  );
  expect(await publishBuilds([await build('host'), newer], deps)).toMatchObject({ kind: 'kept' });
});

test('of two processes that read the same pointer one moves it', async () => {
  await publishBuilds([await build('host')], deps);
  const seen = await readPointer(deps.store);

  const moves = await Promise.all(
    ['a', 'b', 'c'].map((id) => movePointer(deps.store, seen, { composition: id }, note, new Date())),
  );

  expect(moves.filter(Boolean)).toHaveLength(1);
  expect((await readPointer(deps.store))?.revision).toBe(seen!.revision + 1);
});

test('processes that start simultaneously agree on one composition', async () => {
  const folders = [await build('host'), await build('mfe-chat'), await build('mfe-auth')];
  const processes = await Promise.all([1, 2, 3, 4].map(() => opened.connect()));

  const published = await Promise.all(processes.map((one) => publishBuilds(folders, one)));

  expect(new Set(published.map(({ composition }) => composition)).size).toBe(1);
  expect(await readPointer(deps.store)).toMatchObject({
    composition: published[0]!.composition,
    revision: 1,
  });
  expect(await deps.store.releases.countDocuments({})).toBe(3);
  expect(await deps.store.releases.countDocuments({ publishedAt: null })).toBe(0);
});

test('two processes with different content under one version keep both intact', async () => {
  const other = await opened.connect();
  const host = await build('host');
  await Promise.all([
    publishBuilds([host, await build('mfe-chat', { words: 'this' })], deps),
    publishBuilds([host, await build('mfe-chat', { words: 'that' })], other),
  ]);

  const releases = await deps.store.releases.find({ name: 'mfe-chat' }).lean();
  expect(releases).toHaveLength(2);
  const texts = releases.map(({ version }) =>
    textOf(deps.files, `releases/mfe-chat/${version}/remoteEntry.dddd4444.js`),
  );
  expect((await Promise.all(texts)).map((text) => /this|that/.exec(text!)?.[0]).sort()).toEqual([
    'that',
    'this',
  ]);
});

test('killed after any step, the next start completes it and nothing incomplete was ever live', async () => {
  const folders = [await build('host'), await build('mfe-chat')];
  let survived = false;
  for (let steps = 0; !survived; steps++) {
    await opened.clear();
    survived = await publishBuilds(folders, killAfterWrites(steps, deps)).then(
      () => true,
      (error: Error) => error.message !== 'killed' && Promise.reject(error),
    );
    if (!survived) expect(await createLiveComposition(deps.store).read()).toBeUndefined();

    await publishBuilds(folders, deps);
    const { host, remotes } = await live();
    expect([host, ...remotes].map((part) => part.live._id)).toEqual(['host@1.0.0', 'mfe-chat@1.0.0']);
    for (const { live: release } of [host, ...remotes])
      for (const file of release.files)
        expect((await deps.files.open(`releases/${release.name}/1.0.0/${file.path}`))?.size).toBe(file.size);
    expect(steps).toBeLessThan(60);
  }
});

test('a start repairs files that were lost or corrupted', async () => {
  const folders = [await build('host'), await build('mfe-chat')];
  await publishBuilds(folders, deps);
  const entry = 'releases/mfe-chat/1.0.0/remoteEntry.dddd4444.js';
  const main = 'releases/host/1.0.0/main.aaaa1111.js';
  const before = await textOf(deps.files, main);
  await deps.files.put(main, Buffer.from(before!.replace('first', 'f1rst')));
  await deps.files.remove(entry);
  await deps.files.put('encoded/host/1.0.0/main.aaaa1111.js.br', Buffer.from('garbage'));

  await repairBuilds(folders, deps);

  expect(await textOf(deps.files, main)).toBe(before);
  expect(await textOf(deps.files, entry)).toContain('first');
  expect(await textOf(deps.files, 'encoded/host/1.0.0/main.aaaa1111.js.br')).not.toBe('garbage');
});

test('repairing publishes nothing: a folder may have been built again meanwhile', async () => {
  await publishBuilds([await build('host'), await build('mfe-chat')], deps);
  await repairBuilds([await build('mfe-chat', { version: '1.9.0' })], deps);

  expect(await deps.store.releases.findById('mfe-chat@1.9.0')).toBeNull();
});

// On MongoDB the whole test file publishes into GridFS.
embeddedOnly('publishes into GridFS just as well', async () => {
  const files = createGridFsFileStore(deps.store.releases.db);
  await publishBuilds([await build('host'), await build('mfe-chat')], { ...deps, files });

  const { live: release } = await chat();
  const read = createReleaseReader(files).read(release, release.files[0]!, ['br']);
  expect(await read).toMatchObject({ encoding: 'br' });
  expect(await deps.files.open('releases/mfe-chat/1.0.0/remoteEntry.dddd4444.js')).toBeUndefined();
});

test('reports the faults of a build', async () => {
  const folder = await build('mfe-auth', { words: 'broken' });
  await rm(join(folder, 'remoteEntry.dddd4444.js'));
  await expect(publishBuilds([folder], deps)).rejects.toThrow(/remoteEntry\.dddd4444\.js/);

  await writeFile(join(folder, 'release.json'), JSON.stringify({ name: 'mfe-auth', version: 'one' }));
  await expect(publishBuilds([folder], deps)).rejects.toThrow(/release\.json does not describe a release/);
});

test('refuses a build that names files outside its folder', async () => {
  const folder = await build('mfe-auth', { words: 'outside' });
  const manifest = {
    name: 'mfe-auth',
    version: '1.0.0',
    contract: '1.0.0',
    entry: 'a.js',
    files: ['../a.js'],
  };
  await writeFile(join(folder, 'release.json'), JSON.stringify(manifest));
  await expect(publishBuilds([folder], deps)).rejects.toThrow(/relative path, got "\.\.\/a\.js"/);
});

test('requires a host', async () => {
  await expect(publishBuilds([await build('mfe-chat')], deps)).rejects.toThrow('needs a host');
});
