import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import { createCompositionStore, storesOf } from '../data/composition-store.ts';
import { movePointer, readPointer } from '../data/move-pointer.ts';
import { createCanaryTallyModel, createHealthCountModel } from '../data/page-counts.ts';
import { type PublishDeps, publishRelease } from '../publish/publish-release.ts';
import { readBuild } from '../publish/read-build.ts';
import { sweepReleases } from '../publish/sweep-releases.ts';
import { compose, storeComposition } from './compose.ts';
import { readHistory } from './history.ts';
import { createLiveComposition } from './live-composition.ts';
import { publishBuilds } from './publish-builds.ts';

/** Two processes on one database. */
let production: PublishDeps;
let staging: PublishDeps;

const opened = await openTestCompositions();
afterAll(() => opened?.close());
beforeEach(async () => {
  production = await opened.clear();
  const store = createCompositionStore(production.store.releases.db, 'staging');
  await store.moves.deleteMany({});
  staging = { ...production, store };
});

const build = (name: string, version = '1.0.0') => writeTestBuild(opened.folder, { name, version });
const versionIn = async ({ store }: PublishDeps) => {
  const live = await createLiveComposition(store).read();
  return live?.composition.remotes[0]?.live.version;
};
const movesIn = async ({ store }: PublishDeps) =>
  (await readHistory(store, { limit: 10 })).moves.map(({ revision, kind, author }) => [
    revision,
    kind,
    author,
  ]);

test('each environment has its own pointer and history, and shares releases and compositions', async () => {
  await publishBuilds([await build('host'), await build('mfe-chat')], production);
  await publishBuilds([await build('host'), await build('mfe-chat', '2.0.0')], staging);

  expect([await versionIn(production), await versionIn(staging)]).toEqual(['1.0.0', '2.0.0']);
  expect(await movesIn(production)).toEqual([[1, 'start', 'start']]);
  expect(await movesIn(staging)).toEqual([[1, 'start', 'start']]);

  const tested = (await readPointer(staging.store))!;
  const note = { kind: 'set', author: 'li', reason: 'tested' } as const;
  const from = await readPointer(production.store);
  await movePointer(production.store, from, { composition: tested.composition }, note, new Date());

  expect(await versionIn(production)).toBe('2.0.0');
  expect(await movesIn(production)).toEqual([
    [2, 'set', 'li'],
    [1, 'start', 'start'],
  ]);
  expect(await movesIn(staging)).toEqual([[1, 'start', 'start']]);
  expect((await storesOf(production.store)).map(({ environment }) => environment)).toEqual([
    'production',
    'staging',
  ]);
});

test('the data of production is stored where earlier versions stored it', async () => {
  await publishBuilds([await build('host'), await build('mfe-chat')], production);
  const { db } = production.store.releases;

  const idsIn = async (name: string) =>
    (await db.collection(name).find().toArray()).map(({ _id }) => _id as unknown);
  expect(await idsIn('pointers')).toEqual(['live']);
  expect(await idsIn('moves')).toEqual([1]);
  expect(production.store.moves.collection.name).toBe('moves');
  expect(staging.store.moves.collection.name).toBe('moves_staging');
  expect(createHealthCountModel(db).collection.name).toBe('health_counts');
  expect(createHealthCountModel(db, 'staging').collection.name).toBe('health_counts_staging');
  expect(createCanaryTallyModel(db, 'staging').collection.name).toBe('canary_tallies_staging');
});

test('a sweep in one environment keeps the releases that another one serves', async () => {
  const past = new Date('2026-01-01T00:00:00Z');
  const old = { ...staging, now: () => past };
  const names = ['host', 'mfe-auth', 'mfe-chat'];
  const folders = await Promise.all(names.map((name) => build(name)));
  const [host, auth, chat] = await Promise.all(
    folders.map(async (folder) => publishRelease(await readBuild(folder), old)),
  );
  const choose = async ({ store }: PublishDeps, remote: typeof auth) => {
    const note = { author: 'li', reason: 'test' };
    const made = compose({ releases: [host!, remote!], parent: null, createdAt: past, ...note });
    await storeComposition(made, store);
    await movePointer(store, null, { composition: made._id }, { kind: 'set', ...note }, past);
  };
  await choose(production, auth);
  await choose(staging, chat);

  expect((await sweepReleases(90, production)).marked).toEqual([]);
});
