import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { LogSecurity } from '../accounts/audit/log-security.ts';
import { addressKey } from '../accounts/limit-requests.ts';
import type { Operators } from '../accounts/operators.ts';
import type { Config } from '../config/config.ts';
import type { FileStore } from '../files/storage/file-store.ts';
import { basePathOf } from '../http/base-path.ts';
import type { DeskMiddleware } from '../http/desk-state.ts';
import { originOf } from '../http/open-http-server.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { Changes as FollowedChanges } from '../store/changes.ts';
import { databaseDate } from '../store/database-clock.ts';
import { createIndexes } from '../store/define-model.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import type { SettingModel } from '../store/setting.ts';
import { openCanaries } from './canary/open-canaries.ts';
import { createChanges, createPendingChangeModel } from './changes/changes.ts';
import { createCheckFiles } from './check/check-files.ts';
import { createCheck } from './check/create-check.ts';
import { createCompositionIndexes, createCompositionStore } from './data/composition-store.ts';
import { environmentKey } from './data/environment.ts';
import { createHealthCountModel } from './data/page-counts.ts';
import { createReleaseHealth } from './health/release-health.ts';
import { createComposing } from './live/composing.ts';
import { createLiveComposition } from './live/live-composition.ts';
import { type Published, publishBuilds, repairBuilds } from './live/publish-builds.ts';
import { createRestrictions } from './live/restrictions.ts';
import { createPagesRouter, isBrowsers } from './pages/create-pages-router.ts';
import type { ReadDesk } from './pages/index-page.ts';
import { createOverrides } from './preview/create-overrides.ts';
import { createPreviews } from './preview/previews.ts';
import { sweepReleases } from './publish/sweep-releases.ts';
import { openTokens } from './tokens/open-tokens.ts';
import { openWebhooks } from './webhooks/open-webhooks.ts';

export async function openCompositions(deps: {
  connection: Connection;
  config: Config;
  log: Logger;
  keyFor: (use: string) => Buffer;
  logSecurity: LogSecurity;
  files: FileStore;
  settings: SettingModel;
  needUser: DeskMiddleware;
  operators: Operators;
  isAlone: boolean;
  jobs: Jobs;
  changes: FollowedChanges;
  /** The settings of the desk. */
  desk: ReadDesk;
  metrics: Metrics | null;
}) {
  const { connection, config, log, keyFor, files, jobs, changes: followed } = deps;
  const access = await openTokens(deps);
  const { releaseOrigins } = config;
  const now = databaseDate;
  const basePath = basePathOf(config);
  const store = createCompositionStore(connection, config.environment);
  await createCompositionIndexes(store);
  const live = createLiveComposition(store, basePath);
  const previewKey = keyFor(environmentKey('preview', config));
  const previews = createPreviews({ ...store, key: previewKey, now });
  const overrides = createOverrides({
    key: keyFor(environmentKey('override', config)),
    config,
    live,
    previews,
  });
  const health = createReleaseHealth({
    counts: createHealthCountModel(connection, config.environment),
    store,
    flush: () => canary.pageReports.flush(),
  });
  const checkFiles = createCheckFiles({ files, pageOrigin: originOf(config), releaseOrigins });
  const check = createCheck({ store, checkFiles, health });
  const composing = createComposing({ store, check, health, log, now });
  const pending = createPendingChangeModel(connection);
  await createIndexes({ pending });
  const changes = createChanges({ model: pending, store, tokens: access, config, log, now });
  const key = keyFor('page reports');
  const work = { jobs, changes: followed, log };
  const canary = await openCanaries({
    connection,
    store,
    composing,
    live,
    config,
    key,
    ...work,
    metrics: deps.metrics,
  });
  const webhooks = await openWebhooks({ connection, store, config, key: keyFor('webhooks'), ...work });
  const releases = { store, files, checkFiles, releaseOrigins, now };
  return {
    ...canary,
    ...access,
    watch() {
      canary.watch();
      access.watch();
    },
    async stop() {
      await Promise.all([canary.stop(), access.stop()]);
    },
    compositions: store,
    live,
    overrides,
    webhooks,
    previews,
    restrictions: createRestrictions({ store, composing, now }),
    composing,
    changes,
    releases,
    pages: createPagesRouter({
      store,
      live,
      choosers: [overrides.choose, canary.choose],
      files,
      avatars: avatarsOf(config),
      desk: deps.desk,
      environment: config.environment,
      basePath,
      hasWorker: config.serviceWorker,
      onDamage: (path, how) =>
        log.error(
          { key: path },
          how === 'missing'
            ? 'a file of a release is missing'
            : 'a file of a release does not match what was published',
        ),
      onServed: ({ id, host }, ctx) => {
        const page = { composition: id, version: host.live.version, isOpened: isBrowsers(ctx) };
        canary.pageReports.served(page, addressKey(ctx.ip));
      },
      onFailure: (cause) =>
        log.warn({ err: cause }, 'choosing the page of a visitor failed, so the live composition was sent'),
    }),
    /** Publishes builds and makes them live unless operators chose otherwise, see `publishBuilds`. */
    publish: (builds: readonly string[]): Promise<Published> =>
      publishBuilds(builds, { store, files, health, now }),
    /** Restores files of published builds that were lost or corrupted. */
    repair: (builds: readonly string[]): Promise<void> => repairBuilds(builds, { store, files, now }),
    /** Removes releases that are older than RELEASE_RETENTION and unused. */
    async sweep(): Promise<void> {
      const swept = await sweepReleases(config.releaseRetention, releases);
      if (Object.values(swept).some(({ length }) => length > 0))
        log.info(swept, 'releases were removed or marked for removal');
    },
  };
}

function avatarsOf({ avatarUserUrl, avatarBotUrl }: Config): { user?: string; bot?: string } {
  return {
    ...(avatarUserUrl === null ? {} : { user: avatarUserUrl }),
    ...(avatarBotUrl === null ? {} : { bot: avatarBotUrl }),
  };
}
