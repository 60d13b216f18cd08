import type { Logger } from 'pino';
import { createThrottle } from '../../store/throttle.ts';
import { runningCanaries, withCanary } from '../data/canary-mixes.ts';
import type { CanaryTallyModel } from '../data/canary-tally.ts';
import type { Composition } from '../data/composition.ts';
import { type CompositionStore, yankedReleases } from '../data/composition-store.ts';
import type { HealthCountModel } from '../data/health-count.ts';
import { movePointer, readPointer } from '../data/move-pointer.ts';
import type { Pointer, PointerCanary } from '../data/pointer.ts';
import { reasonOf } from '../data/reasons.ts';
import { createCanaryStatistics } from './canary-statistics.ts';
import { faultMessages } from './fault-messages.ts';
import { findFaultyCanary } from './find-faulty-canary.ts';

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
    return { canary, reason: faultMessages(fault, await versionOf(fault.part, composition)) };
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

  async function releasesIn(id: string): Promise<string[]> {
    const found = await store.compositions.findById(id).lean<Composition>();
    return found ? [found.host, ...found.remotes].map(({ release }) => release) : [];
  }

  async function versionOf(part: string, composition: string): Promise<string> {
    const found = await store.compositions.findById(composition).lean<Composition>();
    const chosen = found && [found.host, ...found.remotes].find(({ name }) => name === part);
    return chosen?.version ?? '?';
  }

  const { soon, stop } = createThrottle(MIN_INTERVAL_MS, look, {
    log,
    failed: 'evaluating the canaries failed',
  });
  return { look /** Schedules an evaluation because there are new reports. */, soon, stop };
}
