import { compositionFor, runningCanaries, subsetsOf } from '../data/canary-mixes.ts';
import type { HealthCount, HealthCountModel } from '../data/health-count.ts';
import type { Pointer, PointerCanary } from '../data/pointer.ts';
import { NARROW, spanOf } from '../health/write-counts.ts';
import { analyseCanary, type Fault, type Rate } from './canary-analysis.ts';
import type { CanaryStatistics } from './canary-statistics.ts';

/** Time before the canary over which silent pages of the live composition are counted, in ms. */
const USUAL_PERIOD_MS = 24 * 3_600_000;

export interface FaultyCanary {
  canary: PointerCanary;
  fault: Fault;
  /** The composition in which the fault occurred: the canary, alone or together with others. */
  composition: string;
}

/**
 * Finds a canary that is worse than what its visitors would get without it. Visitors who are in other canaries
 * as well are compared with visitors of just these others, so that a canary is not blamed for the faults of
 * another one. If the same fault could be that of several canaries, it is that of the one that changes the
 * faulty part, else of the newest.
 */
export async function findFaultyCanary(
  pointer: Pointer,
  deps: { statistics: CanaryStatistics; counts: HealthCountModel },
): Promise<FaultyCanary | null> {
  const { statistics, counts } = deps;
  const running = runningCanaries(pointer);
  const found = await Promise.all(
    running.map(async (canary, age) => {
      const faults = await Promise.all(
        subsetsOf(running.filter((one) => one !== canary)).map(async (others) => {
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
    .lean<Pick<HealthCount, 'served' | 'loads'>[]>();
  const pages = found.reduce((sum, { served }) => sum + (served ?? 0), 0);
  return { pages, bad: pages - found.reduce((sum, { loads }) => sum + loads, 0) };
}
