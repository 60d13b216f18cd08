import type Router from '@koa/router';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { addressKey } from '../accounts/limit-requests.ts';
import type { Config } from '../config/config.ts';
import type { FileStore } from '../files/storage/file-store.ts';
import type { DeskMiddleware } from '../http/desk-state.ts';
import { originOf } from '../http/open-http-server.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { Changes as FollowedChanges } from '../store/changes.ts';
import { databaseDate } from '../store/database-clock.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import type { SettingModel } from '../store/setting.ts';
import { type OpenCanaries, openCanaries } from './canary/open-canaries.ts';
import { type Changes, createChanges } from './changes/changes.ts';
import { createPendingChangeModel } from './changes/pending-change.ts';
import { createCheckFiles } from './check/check-files.ts';
import { createCheck } from './check/create-check.ts';
import {
  type CompositionStore,
  createCompositionIndexes,
  createCompositionStore,
} from './data/composition-store.ts';
import { environmentKey } from './data/environment.ts';
import { createHealthCountModel } from './data/health-count.ts';
import { createReleaseHealth } from './health/release-health.ts';
import { type Composing, createComposing } from './live/composing.ts';
import { createLiveComposition, type LiveComposition } from './live/live-composition.ts';
import { type Published, publishBuilds, repairBuilds } from './live/publish-builds.ts';
import { createRestrictions, type Restrictions } from './live/restrictions.ts';
import { createPagesRouter, isBrowsers } from './pages/create-pages-router.ts';
import type { ReadDesk } from './pages/index-page.ts';
import { createOverrides, type Overrides } from './preview/create-overrides.ts';
import { createPreviews, type Previews } from './preview/previews.ts';
import type { RegisterDeps } from './publish/register-release.ts';
import { sweepReleases } from './publish/sweep-releases.ts';
import { type OpenTokens, openTokens } from './tokens/open-tokens.ts';
import { openWebhooks } from './webhooks/open-webhooks.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export interface OpenCompositions extends Omit<OpenCanaries, 'choose'>, Pick<OpenTokens, 'ops' | 'tokens'> {
  webhooks: Webhooks;
  compositions: CompositionStore;
  live: LiveComposition;
  overrides: Overrides;
  previews: Previews;
  restrictions: Restrictions;
  composing: Composing;
  changes: Changes;
  releases: RegisterDeps;
  /** Pages and the files of releases. */
  pages: Router;
  /** Publishes builds and makes them live unless operators chose otherwise, see `publishBuilds`. */
  publish(builds: readonly string[]): Promise<Published>;
  /** Restores files of published builds that were lost or corrupted. */
  repair(builds: readonly string[]): Promise<void>;
  /** Removes releases that are older than RELEASE_RETENTION and unused. */
  sweep(): Promise<void>;
}

export async function openCompositions(deps: {
  connection: Connection;
  config: Config;
  log: Logger;
  keyFor: (use: string) => Buffer;
  files: FileStore;
  settings: SettingModel;
  /** Requires a signed-in user. */
  needUser: DeskMiddleware;
  isAlone: boolean;
  jobs: Jobs;
  changes: FollowedChanges;
  /** What administrators have set. */
  desk: ReadDesk;
  metrics: Metrics | null;
}): Promise<OpenCompositions> {
  const { connection, config, log, keyFor, files, jobs, changes: followed } = deps;
  const access = await openTokens(deps);
  const { releaseOrigins } = config;
  const origins = { pageOrigin: originOf(config), releaseOrigins };
  const now = databaseDate;
  const store = createCompositionStore(connection, config.environment);
  await createCompositionIndexes(store);
  const live = createLiveComposition(store);
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
  const check = createCheck({ store, files, health, ...origins });
  const composing = createComposing({ store, check, health, log, now });
  const pending = createPendingChangeModel(connection);
  await pending.createIndexes();
  const changes = createChanges({ model: pending, store, tokens: access.tokens, config, log, now });
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
  const releases = { store, files, checkFiles: createCheckFiles({ files, ...origins }), releaseOrigins, now };
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
    publish: (builds) => publishBuilds(builds, { store, files, health, now }),
    repair: (builds) => repairBuilds(builds, { store, files, now }),
    async sweep() {
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
