import type { Logger } from 'pino';
import type { CanaryTally, CanaryTallyModel } from '../canary-tally.ts';
import type { Composition } from '../composition.ts';
import type { CompositionStore } from '../composition-store.ts';
import { ADDRESS_GROUPS } from '../health/address-groups.ts';
import { NARROW, spanOf, tallyId } from '../health/write-counts.ts';
import type { HealthCount, HealthCountModel } from '../health-count.ts';
import { movePointer, readPointer } from '../move-pointer.ts';
import type { PointerCanary } from '../pointer.ts';
import { analyseCanary, type Rate } from './canary-analysis.ts';
import { faultMessages } from './fault-messages.ts';
import { createThrottle } from './throttle.ts';

/** Minimum interval between evaluations of the canary in ms, however many reports arrive. */
const MIN_INTERVAL_MS = 2000;
/** Attempts, as the pointer may have been moved meanwhile. */
const MAX_ATTEMPTS = 3;

export interface CanaryWatch {
  /** Halts the canary if the reports so far justify it. Any process may do so at any time. */
  look(): Promise<void>;
  /** Schedules an evaluation because there are new reports. */
  soon(): void;
  stop(): Promise<void>;
}

/** Time before the canary over which silent pages of the live composition are counted, in ms. */
const USUAL_PERIOD_MS = 24 * 3_600_000;

export function createCanaryWatch(deps: {
  store: CompositionStore;
  tallies: CanaryTallyModel;
  counts: HealthCountModel;
  log: Pick<Logger, 'warn'>;
  now(): Date;
}): CanaryWatch {
  const { store, tallies, counts, log, now } = deps;

  const talliesOf = ({ startedAt }: PointerCanary, composition: string) =>
    tallies
      .find({
        _id: {
          $in: Array.from({ length: ADDRESS_GROUPS }, (_, slot) => tallyId(startedAt, composition, slot)),
        },
      })
      .lean<CanaryTally[]>();

  async function look(): Promise<void> {
    for (let tries = 1; tries <= MAX_ATTEMPTS; tries += 1) {
      const pointer = await readPointer(store);
      const canary = pointer?.canary;
      if (!canary || canary.halted) return;
      const [own, other] = await Promise.all([
        talliesOf(canary, canary.composition),
        talliesOf(canary, pointer.composition),
      ]);
      let fault = analyseCanary(own, other);
      if (fault?.what === 'silent')
        fault = analyseCanary(own, other, await usualSilence(counts, pointer.composition, canary.startedAt));
      if (!fault) return;
      const at = now();
      const reason = faultMessages(fault, await versionOf(fault.part, canary.composition));
      const change = { canary: { ...canary, halted: { at, reason } } };
      if (await movePointer(store, pointer, change, { kind: 'halt', author: 'canary', reason }, at)) {
        log.warn(
          { canary: canary.composition, share: canary.share, reason },
          'the canary was halted automatically',
        );
        return;
      }
    }
  }

  async function versionOf(part: string, composition: string): Promise<string> {
    const found = await store.compositions.findById(composition).lean<Composition>();
    const chosen = found && [found.host, ...found.remotes].find(({ name }) => name === part);
    return chosen?.version ?? '?';
  }

  const { soon, stop } = createThrottle(MIN_INTERVAL_MS, look, {
    log,
    failed: 'evaluating the canary failed',
  });
  return { look, soon, stop };
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
