import { pino } from 'pino';
import { createCanaries } from '../releases/canary/canaries.ts';
import { createCanaryStatistics } from '../releases/canary/canary-statistics.ts';
import { createCanarySteps } from '../releases/canary/canary-steps.ts';
import { createCanaryWatch, createLiveWatch } from '../releases/canary/watch-rollouts.ts';
import { createCheckFiles } from '../releases/check/check-files.ts';
import { createCheck } from '../releases/check/create-check.ts';
import type { Composition } from '../releases/data/composition-store.ts';
import { readPointer } from '../releases/data/move-pointer.ts';
import { createCanaryTallyModel, createHealthCountModel } from '../releases/data/page-counts.ts';
import type { Pointer } from '../releases/data/pointer.ts';
import { createPageReports } from '../releases/health/page-reports.ts';
import { createComposing } from '../releases/live/composing.ts';
import { publishBuilds } from '../releases/live/publish-builds.ts';
import { publishRelease } from '../releases/publish/publish-release.ts';
import { readBuild } from '../releases/publish/read-build.ts';
import { openTestCompositions } from './open-test-compositions.ts';
import { writeTestBuild } from './write-test-build.ts';

/** A store with everything that changes and evaluates canaries, on a clock that tests advance. */
export async function openTestRollouts() {
  const opened = await openTestCompositions();
  let at = Date.parse('2026-11-22T12:00:00Z');
  const now = () => new Date(at);

  return {
    close: opened.close,
    /** host, mfe-auth and mfe-chat 1.0.0 are live; 1.1.0 of each is published. */
    async clear() {
      const deps = { ...(await opened.clear()), now };
      const { store, files } = deps;
      const connection = store.releases.db;
      for (const name of ['health_counts', 'canary_tallies'])
        await connection.collection(name).deleteMany({});
      const build = (name: string, version = '1.0.0') =>
        writeTestBuild(opened.folder, { name, version, words: version });
      const names = ['host', 'mfe-auth', 'mfe-chat'];
      await publishBuilds(await Promise.all(names.map((name) => build(name))), deps);
      for (const name of names) await publishRelease(await readBuild(await build(name, '1.1.0')), deps);

      const log = pino({ level: 'silent' });
      const counts = createHealthCountModel(connection);
      const tallies = createCanaryTallyModel(connection);
      const checkFiles = createCheckFiles({ files, pageOrigin: 'http://127.0.0.1', releaseOrigins: [] });
      const check = createCheck({ store, checkFiles });
      const composing = createComposing({ store, check, log, now });
      const statistics = createCanaryStatistics({ store, tallies });
      const steps = createCanarySteps({ store, statistics, composing, now });
      const watch = createCanaryWatch({ store, tallies, counts, log, now });
      const reports = createPageReports({
        store,
        models: { counts, tallies },
        key: Buffer.alloc(32, 1),
        onTallied: () => undefined,
        log,
        now,
      });
      const liveWatch = createLiveWatch({ store, statistics, counts, composing, log, now });
      let page = 0;

      return {
        store,
        composing,
        steps,
        watch,
        canaries: createCanaries({ store, composing, statistics, now }),
        pointer: async (): Promise<Pointer> => (await readPointer(store))!,
        /** Advances the clock. */
        wait(seconds: number): void {
          at += seconds * 1000;
        },
        /** Pages of a composition report that each part was loaded, or failed if its name is in `failing`. */
        async visit(id: string, count: number, failing: readonly string[] = [], from = ''): Promise<void> {
          const { host, remotes } = (await store.compositions.findById(id).lean<Composition>())!;
          for (let visits = 0; visits < count; visits += 1) {
            page += 1;
            const events = [host, ...remotes].map(({ name, version }) =>
              failing.includes(name)
                ? ({
                    kind: 'failure',
                    remote: name,
                    version,
                    phase: 'load',
                    expose: './x',
                    error: 'boom',
                  } as const)
                : ({ kind: 'load', remote: name, version, ms: 100 } as const),
            );
            const address = from || `192.0.2.${page}`;
            await reports.take({ page: `page-number-${page}`, composition: id, events }, address);
          }
          await reports.flush();
        },
        /** What the server does every few seconds. */
        async tick(): Promise<Pointer> {
          await watch.look();
          await liveWatch.look();
          await steps.advance();
          return (await readPointer(store))!;
        },
        stop: () => Promise.all([reports.stop(), watch.stop()]),
      };
    },
  };
}

export type TestRollouts = Awaited<ReturnType<Awaited<ReturnType<typeof openTestRollouts>>['clear']>>;
