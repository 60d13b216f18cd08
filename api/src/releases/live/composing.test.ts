import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { type TestBuild, writeTestBuild } from '../../testing/write-test-build.ts';
import { createCheckFiles } from '../check/check-files.ts';
import { createCheck } from '../check/create-check.ts';
import { readComposition } from '../data/composition-store.ts';
import { type PublishDeps, publishRelease } from '../publish/publish-release.ts';
import { readBuild } from '../publish/read-build.ts';
import { type Composing, createComposing } from './composing.ts';
import { publishBuilds } from './publish-builds.ts';

let deps: PublishDeps;
let composing: Composing;
/** Recorded log entries. */
let told: [level: string, message: string, fields: object][];

const opened = await openTestCompositions();
afterAll(() => opened?.close());
beforeEach(async () => {
  deps = await opened.clear();
  told = [];
  const level = (name: string) => (fields: object, message: string) => told.push([name, message, fields]);
  composing = createComposing({
    ...deps,
    check: createCheck({
      ...deps,
      checkFiles: createCheckFiles({ ...deps, releaseOrigins: [], pageOrigin: 'https://desk.example' }),
    }),
    log: { info: level('info'), warn: level('warn') } as never,
  });
  const builds = ['host', 'mfe-chat'].map((name) => writeTestBuild(opened.folder, { name }));
  await publishBuilds(await Promise.all(builds), deps);
});

const publish = async (build: TestBuild) =>
  (await publishRelease(await readBuild(await writeTestBuild(opened.folder, build)), deps))._id;
const note = { author: 'wang', reason: 'said to 10.0.0.7 alone' };

test('every move is logged with author, reason and origin, and nothing else', async () => {
  const { composition: before } = await composing.pointer();
  const releases = [await publish({ name: 'mfe-chat', version: '1.4.0' })];
  const { composition } = await composing.set({ releases, ...note }, 'en');
  await composing.set({ releases, ...note }, 'en');
  await composing.rollBack({ ...note, author: 'li' }, 'en');

  expect(told).toEqual([
    [
      'info',
      'the pointer was moved',
      { kind: 'set', author: 'wang', from: before.id, to: composition.id, revision: 2 },
    ],
    [
      'info',
      'the pointer was moved',
      { kind: 'rollback', author: 'li', from: composition.id, to: before.id, revision: 3 },
    ],
  ]);
});

test('a refused move is logged with the reason', async () => {
  const from = (await composing.pointer()).composition.id;
  const release = await publish({ name: 'mfe-chat', version: '2.0.0', manifest: { contract: '7.0.0' } });
  await expect(composing.set({ releases: [release], ...note }, 'en')).rejects.toMatchObject({
    error: 'check_failed',
  });
  await expect(composing.rollBack({ ...note, revision: 9 }, 'en')).rejects.toMatchObject({
    error: 'conflict',
  });
  await expect(composing.rollBack(note, 'en')).rejects.toMatchObject({ error: 'not_found' });

  expect(told).toEqual([
    [
      'warn',
      'a move of the pointer was refused',
      {
        kind: 'set',
        author: 'wang',
        from,
        asked: { releases: [release] },
        error: 'check_failed',
        findings: ['contract mfe-chat@2.0.0'],
      },
    ],
    [
      'warn',
      'a move of the pointer was refused',
      { kind: 'rollback', author: 'wang', from, asked: { revision: 9 }, error: 'conflict' },
    ],
    [
      'warn',
      'a move of the pointer was refused',
      { kind: 'rollback', author: 'wang', from, asked: {}, error: 'not_found' },
    ],
  ]);
});

test('a prepared composition is stored, and goes live only if the pointer has not moved', async () => {
  const releases = [await publish({ name: 'mfe-chat', version: '1.4.0' })];
  const prepared = await composing.prepare({ releases }, note, 'en');
  expect(await readComposition(deps.store, prepared.composition._id)).toMatchObject({ author: 'wang' });
  expect((await composing.pointer()).revision).toBe(1);

  await composing.set({ releases: [await publish({ name: 'mfe-chat', version: '1.5.0' })], ...note }, 'en');
  const change = { composition: prepared.composition._id };
  const late = composing.move(prepared.pointer, change, { ...note, kind: 'promote' });
  await expect(late).rejects.toMatchObject({ status: 409, details: { field: 'revision' } });
  expect((await composing.pointer()).composition.remotes[0]?.version).toBe('1.5.0');
});
