import type { Logger } from 'pino';
import type { VitalName } from '../../contract/reports.ts';
import { ApiError } from '../../errors/errors.ts';
import type { CanaryTally, PartTally } from '../data/canary-tally.ts';
import { partsOf } from '../data/changes-between.ts';
import { type Composition, type CompositionStore, readComposition } from '../data/composition-store.ts';
import { type HealthCountModel, sumOf } from '../data/health-count.ts';
import { readPointer } from '../data/move-pointer.ts';
import type { LiveWatchState } from '../data/pointer.ts';
import { added, vitalNames } from '../health/histogram.ts';
import { NARROW, spanOf } from '../health/write-counts.ts';
import type { Composing } from '../live/composing.ts';
import { analyseCanary, faultMessages, type Tallies } from './canary-analysis.ts';
import type { CanaryStatistics } from './canary-statistics.ts';

/** Period before the watch with which it is compared, in ms: few tabs of the previous composition are left. */
const BASELINE_MS = 24 * 3_600_000;
/** Before one address group suffices, in ms: others may be late, and one visitor must not decide. */
const SINGLE_GROUP_MS = 20_000;

/**
 * Rolls back a composition that was set live with a watch if it fails as a canary would be halted, compared with
 * the composition before it: its pages of the last day and those still open. Any process may do so at any time.
 */
export function createLiveWatch(deps: {
  store: CompositionStore;
  statistics: Pick<CanaryStatistics, 'talliesOf'>;
  counts: HealthCountModel;
  composing: Pick<Composing, 'rollBack'>;
  log: Pick<Logger, 'warn' | 'error'>;
  now(): Date;
}): { look(): Promise<void> } {
  const { store, statistics, counts, composing, log, now } = deps;
  let baseline: { run: number; parts: CanaryTally['parts'] } | undefined;
  /** Revision at which a rollback was refused: the reason is logged once. */
  let refused: number | undefined;

  /** Reports of pages in the day before. Read once. */
  async function baselineOf({ from, startedAt }: LiveWatchState): Promise<CanaryTally['parts']> {
    const run = startedAt.getTime();
    if (baseline?.run !== run)
      baseline = { run, parts: await readBaseline(await readComposition(store, from), startedAt, counts) };
    return baseline.parts;
  }

  return {
    async look() {
      const pointer = await readPointer(store);
      const watch = pointer?.watch;
      if (!watch || watch.until <= now() || refused === pointer.revision) return;
      const [own, other, before] = await Promise.all([
        statistics.talliesOf(watch.startedAt, pointer.composition),
        statistics.talliesOf(watch.startedAt, watch.from),
        baselineOf(watch),
      ]);
      const slots = [...new Set([...own, ...other].map(({ slot }) => slot))];
      const age = now().getTime() - watch.startedAt.getTime();
      if (slots.length === 0 || (slots.length === 1 && age < SINGLE_GROUP_MS)) return;
      const fault = analyseCanary(own, [...other, ...spread(before, slots)]);
      if (!fault) return;
      const reason = faultMessages(fault, await readComposition(store, pointer.composition));
      const request = { author: 'watch', reason, revision: pointer.revision, force: true };
      try {
        await composing.rollBack(request, 'en');
        log.warn(
          { composition: pointer.composition, reason },
          'the live composition was rolled back automatically',
        );
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        // Somebody else was faster.
        if (cause.error === 'conflict') return;
        refused = pointer.revision;
        log.error({ err: cause, reason }, 'the live composition is failing and cannot be rolled back');
      }
    },
  };
}

async function readBaseline(composition: Composition | null, until: Date, counts: HealthCountModel) {
  if (!composition) return {};
  const at = { $gte: new Date(until.getTime() - BASELINE_MS), $lt: spanOf(until, NARROW) };
  const found = await counts.find({ step: NARROW, at, composition: composition._id }).lean();
  const parts: Record<string, PartTally> = {};
  for (const { name, version } of partsOf(composition)) {
    const own = found.filter((count) => count.remote === name && count.version === version);
    const { served, loads, failures } = sumOf(own);
    const stepsOf = (vital: VitalName) => added(own.map(({ vitals }) => vitals?.[vital] ?? {}));
    const vitals = Object.fromEntries(vitalNames.map((vital) => [vital, stepsOf(vital)]));
    // Errors are counted one by one here, so this is an upper limit of the pages with errors.
    const erred = own.reduce((sum, one) => sum + Math.min(one.loads + one.failures, one.errorCount), 0);
    parts[name] = { served, pages: loads + failures, failed: failures, erred, vitals };
  }
  return parts;
}

/** Divides counts evenly among the address groups that have reported since, so that none of them dominates. */
function spread(parts: CanaryTally['parts'], slots: readonly number[]): Tallies {
  const shareOf = (count = 0) => count / slots.length;
  return slots.map((slot, index) => ({
    slot,
    parts: Object.fromEntries(
      Object.entries(parts).map(([name, { served, pages, failed, erred, vitals }]) => [
        name,
        {
          served: shareOf(served),
          pages: shareOf(pages),
          failed: shareOf(failed),
          erred: shareOf(erred),
          // Vitals are compared as a whole.
          ...(index === 0 && vitals ? { vitals } : {}),
        },
      ]),
    ),
  }));
}
