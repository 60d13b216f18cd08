import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from 'koa';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Health } from '../../contract/reports.ts';
import { setCookie } from '../../http/set-cookie.ts';
import type { Metrics } from '../../metrics/create-metrics.ts';
import type { Changes } from '../../store/changes.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { createIndexes } from '../../store/define-model.ts';
import type { Jobs } from '../../store/jobs/jobs.ts';
import { createThrottle } from '../../store/throttle.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import { environmentKey } from '../data/environment.ts';
import { readPointer } from '../data/move-pointer.ts';
import { createCanaryTallyModel, createHealthCountModel } from '../data/page-counts.ts';
import { compositionFor, type Pointer, runningCanaries } from '../data/pointer.ts';
import { createPageReports } from '../health/page-reports.ts';
import { createLiveAlarm, readHealth } from '../health/release-health.ts';
import type { Composing } from '../live/composing.ts';
import type { ChoosePage, LiveComposition } from '../live/live-composition.ts';
import { createCanaries } from './canaries.ts';
import { createCanaryStatistics } from './canary-statistics.ts';
import { createCanarySteps } from './canary-steps.ts';
import { createCanaryWatch, createLiveWatch } from './watch-rollouts.ts';

/**
 * Interval of evaluating canaries and a watched composition without new reports, in ms: takes due steps, and covers a
 * process that died before it could evaluate. New reports trigger an evaluation as well.
 */
const CANARY_INTERVAL_MS = 3000;

/** Minimum interval between evaluations of the live composition, in ms. */
const MIN_INTERVAL_MS = 2000;

/** `key` is used for reports only, see `deriveKey`. */
export async function openCanaries(deps: {
  connection: Connection;
  store: CompositionStore;
  composing: Composing;
  live: LiveComposition;
  config: Pick<Config, 'publicUrl' | 'environment'>;
  key: Buffer;
  jobs: Pick<Jobs, 'define' | 'add'>;
  changes: Pick<Changes, 'follow'>;
  log: Logger;
  metrics: Pick<Metrics, 'page'> | null;
}) {
  const { connection, store, composing, live, config, key, jobs, changes, log } = deps;
  const now = databaseDate;
  const counts = createHealthCountModel(connection, store.environment);
  const tallies = createCanaryTallyModel(connection, store.environment);
  await createIndexes({ counts, tallies });
  const watch = createCanaryWatch({ store, tallies, counts, log, now });
  const alarm = createLiveAlarm({ store, counts, log, now });
  const alarmSoon = createThrottle(MIN_INTERVAL_MS, alarm.look, {
    log,
    failed: 'evaluating the live composition failed',
  });
  const pageReports = createPageReports({
    store,
    models: { counts, tallies },
    key,
    metrics: deps.metrics,
    onCounted: alarmSoon.soon,
    onTallied: watch.soon,
    log,
    now,
  });
  const statistics = createCanaryStatistics({ store, tallies });
  const liveWatch = createLiveWatch({ store, statistics, counts, composing, log, now });
  const steps = createCanarySteps({ store, statistics, composing, now });

  /** Revision of the pointer for which the job was added last. */
  let seen = 0;

  /** The pointer, if something may be halted, advanced or rolled back. */
  async function findWatched(): Promise<Pointer | null> {
    const pointer = await readPointer(store);
    return pointer && (runningCanaries(pointer).length > 0 || (pointer.watch?.until ?? 0) > now())
      ? pointer
      : null;
  }
  const kind = environmentKey('watch canaries', config);
  jobs.define({
    kind,
    maxAttempts: Number.POSITIVE_INFINITY,
    async run(_, signal) {
      while (await findWatched()) {
        // Faults first: a canary that is to be halted must not take another step.
        await watch.look();
        await steps.advance();
        await liveWatch.look();
        await delay(CANARY_INTERVAL_MS, undefined, { signal });
      }
    },
  });
  changes.follow('pointers', async () => {
    const watched = await findWatched();
    if (!watched || watched.revision === seen) return;
    await jobs.add(kind);
    seen = watched.revision;
  });

  return {
    canaries: createCanaries({ store, composing, statistics, now }),
    readProgress: steps.progress,
    pageReports,
    readHealth: (minutes: number): Promise<Health> => readHealth(counts, minutes, now()),
    choose: createChooseCanary({ live, config }),
    /** Evaluates reports that were counted before this start. */
    watch: alarmSoon.soon,
    /** Writes pending reports and waits for a running evaluation. */
    async stop(): Promise<void> {
      await pageReports.stop();
      await Promise.all([watch.stop(), alarmSoon.stop()]);
    },
  };
}

const seedCookie = 'desk_canary';

/** Lifetime of the seed cookie in ms: longer than a canary runs. */
const SEED_LIFETIME_MS = 30 * 86_400_000;

/**
 * Assigns a share of visitors to each running canary, independently of the others. Each browser gets a random seed in its own
 * cookie, set with its first page (or with the first request for its next composition) and only while a
 * canary runs. Browsers without cookies are assigned anew on each request.
 */
function createChooseCanary(deps: {
  live: Pick<LiveComposition, 'resolve'>;
  config: Pick<Config, 'publicUrl'>;
}): ChoosePage {
  const { live, config } = deps;

  return async (ctx, { pointer }) => {
    const running = runningCanaries(pointer);
    if (running.length === 0) return undefined;
    const seed = readSeed(ctx.cookies.get(seedCookie)) ?? giveSeed(ctx, config);
    const ids = running.filter(({ id, share }) => isInShare(seed, id, share)).map(({ id }) => id);
    const composition = compositionFor(pointer, ids);
    if (composition === undefined || composition === pointer.composition) return undefined;
    return { composition: await live.resolve(composition) };
  };
}

function giveSeed(ctx: Context, config: Pick<Config, 'publicUrl'>): string {
  const seed = newSeed();
  setCookie(ctx, config, seedCookie, seed, { maxAge: SEED_LIFETIME_MS });
  return seed;
}

/** Bits taken from the SHA-256: exact as a number, and far finer than any share. */
const BITS = 48;

/** A random browser id that carries no other information. */
export function newSeed(): string {
  return randomBytes(16).toString('base64url');
}

/** Returns undefined for an invalid seed. */
export function readSeed(value: string | undefined): string | undefined {
  return value !== undefined && /^[\w-]{22}$/.test(value) ? value : undefined;
}

/** A visitor's stable position in [0, 100), so that a larger share keeps everyone; differs per canary. */
export function bucketOf(seed: string, canary: string): number {
  const digest = createHash('sha256').update(`${seed}\n${canary}`).digest();
  return (digest.readUIntBE(0, BITS / 8) / 2 ** BITS) * 100;
}

/** `share` in percent: 0 includes nobody, 100 everybody. */
export function isInShare(seed: string, canary: string, share: number): boolean {
  return bucketOf(seed, canary) < share;
}
