import { LRUCache } from 'lru-cache';
import { writeAll } from '../../store/write-all.ts';
import type { CanaryTallyModel, HealthCountModel } from '../data/page-counts.ts';
import type { ReleaseCounts, SlotCounts } from './pending-counts.ts';

/** Widths of the counting spans in minutes: a chart of a week uses the wide ones. */
export const NARROW = 5;
export const WIDE = 60;

/** Maximum number of distinct texts of each kind that one process adds to one document. */
const MAX_TEXTS = 10;
/** Number of documents of the current time spans whose texts are remembered. */
const MAX_DOCUMENTS = 1000;

/** Start of the span of `step` minutes that contains `at`. */
export function spanOf(at: Date, step: number): Date {
  const ms = step * 60_000;
  return new Date(Math.floor(at.getTime() / ms) * ms);
}

/** Writes counts as increments, one per document, so that concurrent processes do not overwrite each other. */
export function createCountWriter(models: { counts: HealthCountModel; tallies: CanaryTallyModel }) {
  const written = new LRUCache<string, Set<string>>({ max: MAX_DOCUMENTS });

  /** The `texts` that still fit: the first ten failures and errors that this process received. */
  function textsFor(id: string, texts: ReleaseCounts['texts']) {
    return [...texts].filter(([key, { kind }]) => {
      const known = written.get(`${id} ${kind}`) ?? new Set<string>();
      written.set(`${id} ${kind}`, known);
      if (known.size < MAX_TEXTS) known.add(key);
      return known.has(key);
    });
  }

  function addTo(counts: ReleaseCounts, step: number, at: Date) {
    const { composition, remote, version, fields } = counts;
    const span = spanOf(at, step);
    const id = `${step}.${span.getTime().toString(36)} ${composition} ${remote} ${version}`;
    const texts = textsFor(id, counts.texts);
    const set = texts.flatMap(([key, { kind, error }]) => [
      [`texts.${key}.kind`, kind],
      [`texts.${key}.error`, error],
      [`texts.${key}.lastAt`, at],
    ]);
    const found = texts.map(([key, { count }]) => [`texts.${key}.count`, count]);
    return upsert(id, {
      $inc: { ...fields, ...Object.fromEntries(found) },
      ...(set.length > 0 ? { $set: Object.fromEntries(set) } : {}),
      $setOnInsert: { step, at: span, composition, remote, version },
    });
  }

  return {
    async writeReleases(releases: readonly ReleaseCounts[], at: Date): Promise<void> {
      const writes = releases.flatMap((counts) => [addTo(counts, NARROW, at), addTo(counts, WIDE, at)]);
      await writeAll(models.counts.collection, writes);
    },
    async writeSlots(slots: readonly SlotCounts[], run: Date, at: Date): Promise<void> {
      const writes = slots.map(({ composition, slot, remote, fields }) => {
        const added = Object.entries(fields).map(([path, count]) => [`parts.${remote}.${path}`, count]);
        return upsert(tallyId(run, composition, slot), {
          $inc: Object.fromEntries(added),
          $set: { lastAt: at },
          $setOnInsert: { run, composition, slot },
        });
      });
      await writeAll(models.tallies.collection, writes);
    },
  };
}

export function tallyId(run: Date, composition: string, slot: number): string {
  return `${run.getTime().toString(36)} ${composition} ${slot}`;
}

function upsert(id: string, update: object) {
  return { updateOne: { filter: { _id: id as never }, update, upsert: true } };
}

/** Number of address groups, see `CanaryTally`. */
export const ADDRESS_GROUPS = 32;
