import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import type { Composition } from '../data/composition-store.ts';
import { movePointer, readPointer } from '../data/move-pointer.ts';
import { createHealthCountModel } from '../data/page-counts.ts';
import { publishBuilds } from '../live/publish-builds.ts';
import type { PublishDeps } from '../publish/publish-release.ts';
import { createLiveAlarm } from './release-health.ts';
import { createCountWriter } from './write-counts.ts';

let opened: Awaited<ReturnType<typeof openTestCompositions>>;
let deps: PublishDeps;
let live: Composition;

beforeAll(async () => {
  opened = await openTestCompositions();
});
afterAll(() => opened?.close());
beforeEach(async () => {
  deps = await opened.clear();
  await deps.store.releases.db.collection('health_counts').deleteMany({});
  const build = (name: string) => writeTestBuild(opened.folder, { name });
  const { composition } = await publishBuilds([await build('host'), await build('mfe-chat')], deps);
  live = (await deps.store.compositions.findById(composition).lean<Composition>())!;
});

function open() {
  const counts = createHealthCountModel(deps.store.releases.db);
  const error = jest.fn();
  const alarm = createLiveAlarm({ store: deps.store, counts, log: { error }, now: () => new Date() });
  const { writeReleases } = createCountWriter({ counts, tallies: counts as never });
  return {
    error,
    look: alarm.look,
    tell: (reported: {
      loads?: number;
      failures?: number;
      opened?: number;
      remote?: string;
      version?: string;
      composition?: string;
    }) => {
      const { loads = 0, failures = 0, opened = 0, remote = 'mfe-chat', version = '1.0.0' } = reported;
      const text = { kind: 'failure', error: 'TypeError: x', count: failures } as const;
      const texts = new Map(failures > 0 ? [['t1', text]] : []);
      const composition = reported.composition ?? live._id;
      const fields = { served: opened, opened, loads, failures, errorCount: 0 };
      return writeReleases([{ composition, remote, version, fields, texts }], new Date());
    },
  };
}

test('a failing live release is logged as an error once', async () => {
  const { error, look, tell } = open();
  await tell({ failures: 2 });
  await look();
  expect(error).not.toHaveBeenCalled();
  await tell({ failures: 4, loads: 1 });
  await look();
  await tell({ failures: 4 });
  await look();
  expect(error.mock.calls).toEqual([
    [
      { composition: live._id, release: 'mfe-chat@1.0.0', failed: 6, pages: 7, error: 'TypeError: x' },
      'a live release is failing',
    ],
  ]);
});

test('a release that fails in the next live composition as well is logged again', async () => {
  const { error, look, tell } = open();
  await tell({ failures: 4 });
  await look();
  const next = { ...live, _id: 'next' };
  await deps.store.compositions.create(next);
  const pointer = await readPointer(deps.store);
  const note = { kind: 'set', author: 'li', reason: '' } as const;
  expect(await movePointer(deps.store, pointer, { composition: 'next' }, note, new Date())).toBe(true);
  await look();
  expect(error).toHaveBeenCalledTimes(1);
  await tell({ failures: 4, composition: 'next' });
  await look();
  expect(error.mock.calls.map(([logged]) => logged)).toMatchObject([
    { composition: live._id, release: 'mfe-chat@1.0.0' },
    { composition: 'next', release: 'mfe-chat@1.0.0' },
  ]);
});

test('a host whose pages never report is logged as an error', async () => {
  const { error, look, tell } = open();
  await tell({ remote: 'host', opened: 8 });
  await look();
  expect(error.mock.calls).toMatchObject([
    [{ release: 'host@1.0.0', failed: 8, pages: 8 }, 'a live release is failing'],
  ]);
});

test('nothing is logged for working releases, failures before going live, or releases that are not live', async () => {
  const { error, look, tell } = open();
  await tell({ loads: 60, failures: 4 });
  await tell({ version: '0.9.0', failures: 10 });
  await look();
  expect(error).not.toHaveBeenCalled();
  const later = new Date(Date.now() + 600_000);
  const pointer = await readPointer(deps.store);
  await tell({ failures: 100 });
  await movePointer(deps.store, pointer, {}, { kind: 'set', author: 'li', reason: '' }, later);
  await look();
  expect(error).not.toHaveBeenCalled();
});
