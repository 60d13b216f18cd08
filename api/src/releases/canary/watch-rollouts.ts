import type { Logger } from 'pino';
import type { VitalName } from '../../contract/reports.ts';
import { ApiError } from '../../errors/errors.ts';
import { createThrottle } from '../../store/throttle.ts';
import { partsOf, releasesOf } from '../data/changes-between.ts';
import {
  type Composition,
  type CompositionStore,
  readComposition,
  yankedReleases,
} from '../data/composition-store.ts';
import { movePointer, readPointer } from '../data/move-pointer.ts';
import {
  type CanaryTally,
  type CanaryTallyModel,
  type HealthCountModel,
  type PartTally,
  sumOf,
} from '../data/page-counts.ts';
import {
  compositionFor,
  type LiveWatchState,
  type Pointer,
  type PointerCanary,
  runningCanaries,
  subsetsOf,
  withCanary,
} from '../data/pointer.ts';
import { reasonOf } from '../data/reasons.ts';
import { added, vitalNames } from '../health/histogram.ts';
import { NARROW, spanOf } from '../health/write-counts.ts';
import type { Composing } from '../live/composing.ts';
import { analyseCanary, faultMessages, type Rate, type Tallies } from './canary-analysis.ts';
import { type CanaryStatistics, createCanaryStatistics } from './canary-statistics.ts';

/** Minimum interval between evaluations of the canaries in ms, however many reports arrive. */
const MIN_INTERVAL_MS = 2000;

/** Attempts, as the pointer may have been moved meanwhile. */
const MAX_ATTEMPTS = 3;

export function createCanaryWatch(deps: {
  store: CompositionStore;
  tallies: CanaryTallyModel;
  counts: HealthCountModel;
  log: Pick<Logger, 'warn'>;
  now(): Date;
}) {
  const { store, tallies, counts, log, now } = deps;
  const statistics = createCanaryStatistics({ store, tallies });

  /** Halts canaries if the reports so far justify it. Any process may do so at any time. */
  async function look(): Promise<void> {
    for (let tries = 1; tries <= MAX_ATTEMPTS; tries += 1) {
      const pointer = await readPointer(store);
      const faulty = pointer && ((await findYanked(pointer)) ?? (await findFaulty(pointer)));
      if (!faulty) return;
      const { reason } = faulty;
      const at = now();
      const canary = { ...faulty.canary, halted: { at, reason } };
      const note = { kind: 'halt', author: 'canary', reason, canary } as const;
      if (await movePointer(store, pointer, withCanary(pointer, canary), note, at))
        log.warn({ canary: canary.id, share: canary.share, reason }, 'the canary was halted automatically');
    }
  }

  async function findFaulty(pointer: Pointer): Promise<{ canary: PointerCanary; reason: string } | null> {
    const faulty = await findFaultyCanary(pointer, { statistics, counts });
    if (!faulty) return null;
    const { canary, fault, composition } = faulty;
    return { canary, reason: faultMessages(fault, await readComposition(store, composition)) };
  }

  /** A canary with a release that has been yanked since. */
  async function findYanked(pointer: Pointer): Promise<{ canary: PointerCanary; reason: string } | null> {
    const running = runningCanaries(pointer);
    if (running.length === 0) return null;
    const yanked = await yankedReleases(store);
    if (yanked.length === 0) return null;
    const live = await releasesIn(pointer.composition);
    for (const canary of running) {
      const own = await releasesIn(canary.composition);
      const release = own.find((one) => yanked.includes(one) && !live.includes(one));
      if (release) return { canary, reason: reasonOf('yanked', { release }) };
    }
    return null;
  }

  const releasesIn = async (id: string) => releasesOf(await readComposition(store, id));

  const { soon, stop } = createThrottle(MIN_INTERVAL_MS, look, {
    log,
    failed: 'evaluating the canaries failed',
  });
  return { look /** Schedules an evaluation because there are new reports. */, soon, stop };
}

/** Time before the canary over which silent pages of the live composition are counted, in ms. */
const USUAL_PERIOD_MS = 24 * 3_600_000;

/**
 * Finds a canary that is worse than the composition that its visitors would get without it. Visitors who are in other canaries
 * as well are compared with visitors of just these others, so that a canary is not blamed for the faults of
 * another one. If the same fault could be that of several canaries, it is that of the one that changes the
 * faulty part, else of the newest.
 */
async function findFaultyCanary(
  pointer: Pointer,
  deps: { statistics: CanaryStatistics; counts: HealthCountModel },
) {
  const { statistics, counts } = deps;
  const running = runningCanaries(pointer);
  const found = await Promise.all(
    running.map(async (canary, age) => {
      const faults = await Promise.all(
        subsetsOf(running.filter((one) => one !== canary)).map(async (others) => {
          // The composition in which the fault occurs: the canary, alone or together with others.
          const composition = composed(pointer, [...others, canary]);
          const without = composed(pointer, others);
          if (!composition || !without) return [];
          const { startedAt } = canary;
          const [own, other] = await Promise.all([
            statistics.talliesOf(startedAt, composition),
            statistics.talliesOf(startedAt, without),
          ]);
          let fault = analyseCanary(own, other);
          if (fault?.what === 'silent')
            fault = analyseCanary(own, other, await usualSilence(counts, pointer.composition, startedAt));
          return fault ? [{ canary, fault, composition, others: others.length, age }] : [];
        }),
      );
      const own = faults.flat();
      if (own.length === 0) return [];
      const parts = await statistics.changedParts(pointer, canary);
      return own.map((one) => ({ ...one, isOwnPart: parts.includes(one.fault.part) }));
    }),
  );
  const [first] = found
    .flat()
    .sort((a, b) => Number(b.isOwnPart) - Number(a.isOwnPart) || a.others - b.others || b.age - a.age);
  return first ?? null;
}

/** The composition of visitors who are in exactly these canaries. */
function composed(pointer: Pointer, canaries: readonly PointerCanary[]): string | undefined {
  return compositionFor(
    pointer,
    pointer.canaries.filter((one) => canaries.includes(one)).map(({ id }) => id),
  );
}

/** Pages of `composition` that were served in the day before `until`, and how many of them never reported. */
async function usualSilence(counts: HealthCountModel, composition: string, until: Date): Promise<Rate> {
  const from = new Date(until.getTime() - USUAL_PERIOD_MS);
  const found = await counts
    .find(
      { step: NARROW, at: { $gte: from, $lt: spanOf(until, NARROW) }, composition, remote: 'host' },
      { served: 1, loads: 1 },
    )
    .lean();
  const { served, loads } = sumOf(found);
  return { pages: served, bad: served - loads };
}

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
