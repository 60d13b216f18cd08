import type { Logger } from 'pino';
import { partsOf } from '../data/changes-between.ts';
import { type CompositionStore, readComposition } from '../data/composition-store.ts';
import { type HealthCount, type HealthCountModel, sumOf } from '../data/health-count.ts';
import { readPointer } from '../data/move-pointer.ts';
import { failuresOf, verdictOf } from './release-health.ts';
import { NARROW, spanOf } from './write-counts.ts';

/** Period of reports considered, in ms. */
const PERIOD_MS = 3_600_000;
/** Minimum number of failed pages for an alarm. */
const MIN_FAILED = 3;

/** Logs an error when a live release fails: once per release, composition and process. */
export function createLiveAlarm(deps: {
  store: CompositionStore;
  counts: HealthCountModel;
  log: Pick<Logger, 'error'>;
  now(): Date;
}): { look(): Promise<void> } {
  const { store, counts, log, now } = deps;
  let composition = '';
  let alarmed = new Set<string>();

  return {
    async look() {
      const pointer = await readPointer(store);
      if (!pointer) return;
      if (pointer.composition !== composition) {
        composition = pointer.composition;
        alarmed = new Set();
      }
      const live = await readComposition(store, composition);
      if (!live) return;
      const from = spanOf(new Date(Math.max(pointer.movedAt.getTime(), now().getTime() - PERIOD_MS)), NARROW);
      const found = await counts.find({ step: NARROW, at: { $gte: from }, composition }).lean();
      for (const { name, version, release } of partsOf(live)) {
        const own = found.filter((count) => count.remote === name && count.version === version);
        const sum = sumOf(own);
        const { failed, pages } = failuresOf(sum);
        if (alarmed.has(release) || failed < MIN_FAILED || verdictOf(sum) !== 'failing') continue;
        alarmed.add(release);
        log.error(
          { composition, release, failed, pages, error: firstError(own) },
          'a live release is failing',
        );
      }
    },
  };
}

/** The most frequent failure text. */
function firstError(counts: readonly HealthCount[]): string | undefined {
  const texts = counts.flatMap((one) => Object.values(one.texts ?? {}));
  return texts.filter(({ kind }) => kind === 'failure').sort((a, b) => b.count - a.count)[0]?.error;
}
