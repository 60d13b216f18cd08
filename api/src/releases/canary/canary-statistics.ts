import { changesBetween } from '../data/changes-between.ts';
import { type CompositionStore, readComposition } from '../data/composition-store.ts';
import type { CanaryTally, CanaryTallyModel } from '../data/page-counts.ts';
import type { Pointer, PointerCanary } from '../data/pointer.ts';
import { ADDRESS_GROUPS, tallyId } from '../health/write-counts.ts';

type WithCanaries = Pick<Pointer, 'composition' | 'canaries' | 'mixes'>;

export type CanaryStatistics = ReturnType<typeof createCanaryStatistics>;

export function createCanaryStatistics(deps: { store: CompositionStore; tallies: CanaryTallyModel }) {
  const { store, tallies } = deps;

  /** What pages of `composition` have reported since `run` started, by address group. */
  const talliesOf = (run: Date, composition: string): Promise<CanaryTally[]> => {
    const ids = Array.from({ length: ADDRESS_GROUPS }, (_, slot) => tallyId(run, composition, slot));
    return tallies.find({ _id: { $in: ids } }).lean();
  };

  const readChanges = async (pointer: WithCanaries, canary: PointerCanary) => {
    const [live, own] = await Promise.all([
      readComposition(store, pointer.composition),
      readComposition(store, canary.composition),
    ]);
    return own ? changesBetween(live, own) : [];
  };

  return {
    talliesOf,
    /** Pages that loaded each part it changes, with or without others; of a removed part, the host. */
    async loadedPages(pointer: WithCanaries, canary: PointerCanary): Promise<Record<string, number>> {
      const changes = await readChanges(pointer, canary);
      const { mixes } = pointer;
      const own = [canary, ...mixes.filter((mix) => mix.canaries.includes(canary.id))];
      const found = await Promise.all(own.map(({ composition }) => talliesOf(canary.startedAt, composition)));
      const pagesOf = (part: string) =>
        found.flat().reduce((sum, { parts }) => {
          const { pages = 0, failed = 0 } = parts[part] ?? {};
          return sum + Math.max(0, pages - failed);
        }, 0);
      return Object.fromEntries(changes.map(({ name, to }) => [name, pagesOf(to === null ? 'host' : name)]));
    },
    /** Names of the parts that the canary changes. */
    changedParts: async (pointer: WithCanaries, canary: PointerCanary): Promise<string[]> =>
      (await readChanges(pointer, canary)).map(({ name }) => name),
  };
}
