import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { pointerCanary } from '../../testing/pointer-canary.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import type { Composition } from '../data/composition-store.ts';
import { movePointer, readPointer } from '../data/move-pointer.ts';
import { createCanaryTallyModel, createHealthCountModel } from '../data/page-counts.ts';
import { createPageReports } from '../health/page-reports.ts';
import { readHealth } from '../health/release-health.ts';
import { compose, storeComposition } from '../live/compose.ts';
import { publishBuilds } from '../live/publish-builds.ts';
import { type PublishDeps, publishRelease } from '../publish/publish-release.ts';
import { readBuild } from '../publish/read-build.ts';
import { createCanaryWatch } from './watch-rollouts.ts';

let deps: PublishDeps;
let at: number;
let live: Composition;
let canary: Composition;

const opened = await openTestCompositions();
afterAll(() => opened?.close());

/** host@1.0.0 is live, and host@1.1.0 is a canary for everybody. */
beforeEach(async () => {
  deps = await opened.clear();
  for (const name of ['health_counts', 'canary_tallies'])
    await deps.store.releases.db.collection(name).deleteMany({});
  const build = (name: string, version = '1.0.0') =>
    writeTestBuild(opened.folder, { name, version, words: version });
  await publishBuilds([await build('host'), await build('mfe-chat')], deps);
  const host = await publishRelease(await readBuild(await build('host', '1.1.0')), deps);
  const pointer = (await readPointer(deps.store))!;
  live = (await deps.store.compositions.findById(pointer.composition).lean<Composition>())!;
  canary = compose({ releases: [host], parent: live, author: 'li', reason: '', createdAt: new Date() });
  await storeComposition(canary, deps.store);
  at = Date.parse('2026-11-22T12:00:00Z');
});

async function begin(): Promise<void> {
  const running = pointerCanary(canary._id, { share: 100, startedAt: new Date(at) });
  const note = { kind: 'canary', author: 'li', reason: '' } as const;
  await movePointer(deps.store, await readPointer(deps.store), { canaries: [running] }, note, new Date(at));
}

function openReports() {
  const connection = deps.store.releases.db;
  const counts = createHealthCountModel(connection);
  const tallies = createCanaryTallyModel(connection);
  const log = pino({ level: 'silent' });
  const now = () => new Date(at);
  const reports = createPageReports({
    store: deps.store,
    models: { counts, tallies },
    key: Buffer.alloc(32, 1),
    onTallied: () => undefined,
    log,
    now,
  });
  const watch = createCanaryWatch({ store: deps.store, tallies, counts, log, now });
  let pages = 0;
  return {
    /** Serves pages to `count` different visitors, `reporting` of which report that the host started. */
    async visit({ _id, host }: Composition, count: number, reporting: number): Promise<void> {
      for (let page = 0; page < count; page += 1) {
        pages += 1;
        const address = `192.0.2.${pages}`;
        reports.served({ composition: _id, version: host.version, isOpened: true }, address);
        const load = { kind: 'load', remote: 'host', version: host.version, ms: 100 } as const;
        if (page < reporting)
          await reports.take({ page: `page-number-${pages}`, composition: _id, events: [load] }, address);
      }
    },
    /** Serves pages to a program at a single address. */
    ask({ _id, host }: Composition, count: number): void {
      for (let page = 0; page < count; page += 1)
        reports.served({ composition: _id, version: host.version, isOpened: false }, '203.0.113.9');
    },
    /** Advances the clock and evaluates the canary. */
    async look(seconds: number): Promise<string | undefined> {
      at += seconds * 1000;
      await reports.flush();
      await watch.look();
      return (await readPointer(deps.store))?.canaries[0]?.halted?.reason;
    },
    health: () => readHealth(counts, 60, now()),
    stop: () => Promise.all([reports.stop(), watch.stop()]),
  };
}

test('a canary whose host does not start is halted, although no page reports anything', async () => {
  const { visit, look, health, stop } = openReports();
  await begin();
  await visit(canary, 8, 0);

  // These pages may still report.
  expect(await look(5)).toBeUndefined();
  expect(await look(15)).toBe(
    'host@1.1.0：8 个页面中 8 个没有启动（没有发来报告），线上 0 个中 0 个。\nhost@1.1.0 did not start in 8 of 8 pages, the live release in 0 of 0.',
  );
  expect((await health()).rows).toMatchObject([
    { remote: 'host', version: '1.1.0', served: 8, opened: 8, loads: 0, isFailing: true },
  ]);
  await stop();
});

test('a canary whose pages report continues, even if some tabs are closed early', async () => {
  const { visit, look, stop } = openReports();
  await begin();
  await visit(canary, 100, 92);
  expect(await look(20)).toBeUndefined();
  await stop();
});

test('a canary that starts in only half of the browsers is halted', async () => {
  const { visit, look, stop } = openReports();
  await begin();
  await visit(canary, 60, 30);
  expect(await look(20)).toMatch(/did not start in 30 of 60 pages/);
  await stop();
});

test('pages that do not report in the live composition either are not blamed on the canary', async () => {
  const { visit, look, stop } = openReports();
  await visit(live, 40, 4);
  await look(20);
  at += 600_000;
  await begin();
  await visit(canary, 60, 6);
  expect(await look(20)).toBeUndefined();
  await stop();
});

test('requests of a monitoring program do not make a release look broken', async () => {
  const { ask, look, health, stop } = openReports();
  ask(live, 60);
  await look(20);
  expect((await health()).rows).toMatchObject([{ remote: 'host', served: 60, opened: 0, isFailing: false }]);
  await stop();
});

test('pages served before the canary started do not count as silent pages of the live composition', async () => {
  const { visit, look, stop } = openReports();
  await visit(live, 200, 200);
  await look(1);
  await begin();
  await visit(canary, 12, 0);
  expect(await look(20)).toMatch(/did not start in 12 of 12 pages, the live release in 0 of 0/);
  await stop();
});

test('requests of one address do not decide while others see the canary start', async () => {
  const { visit, ask, look, stop } = openReports();
  await begin();
  await visit(canary, 20, 20);
  ask(canary, 500);
  expect(await look(20)).toBeUndefined();
  await stop();
});
