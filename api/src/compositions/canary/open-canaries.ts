import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Health } from '../../contract/reports.ts';
import { repeat } from '../../store/repeat.ts';
import { createCanaryTallyModel } from '../canary-tally.ts';
import type { Composing } from '../composing.ts';
import type { CompositionStore } from '../composition-store.ts';
import { createLiveAlarm } from '../health/live-alarm.ts';
import { createPageReports, type PageReports } from '../health/page-reports.ts';
import { readHealth } from '../health/read-health.ts';
import { createHealthCountModel } from '../health-count.ts';
import type { LiveComposition } from '../live-composition.ts';
import type { ChoosePage } from '../pages/choose-page.ts';
import { type Canaries, createCanaries } from './canaries.ts';
import { createCanaryStatistics } from './canary-statistics.ts';
import { type CanarySteps, createCanarySteps } from './canary-steps.ts';
import { createChooseCanary } from './choose-canary.ts';
import { createThrottle } from './throttle.ts';
import { createCanaryWatch } from './watch-canary.ts';
import { createLiveWatch } from './watch-live.ts';

/**
 * Interval of canary evaluation without new reports, in ms: takes due steps, and covers a process that died
 * before it could evaluate. New reports trigger an evaluation as well.
 */
const CANARY_INTERVAL_MS = 3000;
/** Interval of evaluating the live composition without new reports, in ms. */
const LIVE_INTERVAL_MS = 15_000;
/** Minimum interval between evaluations of the live composition, in ms. */
const MIN_INTERVAL_MS = 2000;

export interface OpenCanaries {
  canaries: Canaries;
  /** The progress of each canary. */
  readProgress: CanarySteps['progress'];
  pageReports: PageReports;
  readHealth(minutes: number): Promise<Health>;
  choose: ChoosePage;
  /** From now on reports, including earlier ones, may halt a canary. */
  watch(): void;
  /** Writes pending reports and waits for a running evaluation. */
  stop(): Promise<void>;
}

/**
 * Wires canaries and the page reports by which they are judged. `key` is used for reports only, see
 * `deriveKey`.
 */
export async function openCanaries(deps: {
  connection: Connection;
  store: CompositionStore;
  composing: Composing;
  live: LiveComposition;
  config: Pick<Config, 'publicUrl'>;
  key: Buffer;
  log: Logger;
}): Promise<OpenCanaries> {
  const { connection, store, composing, live, config, key, log } = deps;
  const now = () => new Date();
  const counts = createHealthCountModel(connection, store.environment);
  const tallies = createCanaryTallyModel(connection, store.environment);
  await Promise.all([counts.createIndexes(), tallies.createIndexes()]);
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
    onCounted: alarmSoon.soon,
    onTallied: watch.soon,
    log,
    now,
  });
  const statistics = createCanaryStatistics({ store, tallies });
  const liveWatch = createLiveWatch({ store, statistics, counts, composing, log, now });
  const steps = createCanarySteps({ store, statistics, composing, now });
  let repeated: ReturnType<typeof repeat>[] = [];
  return {
    canaries: createCanaries({ store, composing, statistics, now }),
    readProgress: steps.progress,
    pageReports,
    readHealth: (minutes) => readHealth(counts, minutes, now()),
    choose: createChooseCanary({ live, config }),
    watch() {
      repeated = [
        // Faults first: a canary that is to be halted must not take another step.
        repeat(CANARY_INTERVAL_MS, log, () => watch.look().then(steps.advance)),
        repeat(CANARY_INTERVAL_MS, log, liveWatch.look),
        repeat(LIVE_INTERVAL_MS, log, alarm.look),
      ];
    },
    async stop() {
      await pageReports.stop();
      await Promise.all([...repeated.map((one) => one.stop()), watch.stop(), alarmSoon.stop()]);
    },
  };
}
