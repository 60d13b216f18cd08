import { setTimeout as wait } from 'node:timers/promises';
import { partsOf } from '../data/changes-between.ts';
import type { Composition, CompositionStore } from '../data/composition-store.ts';
import { readPointer } from '../data/move-pointer.ts';
import type { Move } from '../data/pointer.ts';
import { shownCompositions } from '../data/pointer.ts';

/** Keyed by remote name or `host`. */
export type Parts = ReadonlyMap<string, { version: string; previous: string | null }>;

/** Maximum age of a tab whose reports are accepted, in ms. */
const MAX_TAB_AGE_MS = 7 * 86_400_000;

/** Maximum number of moves read. */
const MAX_MOVES = 500;

/** Minimum interval between reads in ms, however many unknown names arrive. */
const READ_INTERVAL_MS = 250;

/** Which releases a page may report on. Reads only for compositions that have just gone live. */
export function createKnownParts(
  store: Pick<CompositionStore, 'environment' | 'compositions' | 'pointers' | 'moves'>,
  now: () => Date,
) {
  let known = new Map<string, Parts>();
  let readAt = 0;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    await wait(Math.max(0, readAt + READ_INTERVAL_MS - performance.now()), undefined, { ref: false });
    readAt = performance.now();
    const ids = await recentIds(store, new Date(now().getTime() - MAX_TAB_AGE_MS));
    const missing = [...ids].filter((id) => !known.has(id));
    const found = await store.compositions.find({ _id: { $in: missing } }).lean<Composition[]>();
    const next = new Map([...known].filter(([id]) => ids.has(id)));
    for (const composition of found) next.set(composition._id, versionsOf(composition));
    known = next;
  }

  return {
    /** undefined if the composition is not live, was not live recently and was not a canary recently. */
    async find(composition: string): Promise<Parts | undefined> {
      // A read that was already running may have started before the composition went live; a second one
      // cannot have.
      for (let reads = 0; reads < 2 && !known.has(composition); reads += 1) {
        reading ??= read().finally(() => {
          reading = null;
        });
        await reading;
      }
      return known.get(composition);
    },
  };
}

/** The live composition, those that a visitor may still have open, and canaries. */
async function recentIds(
  store: Pick<CompositionStore, 'environment' | 'pointers' | 'moves'>,
  since: Date,
): Promise<Set<string>> {
  const pointer = await readPointer(store);
  const moves = await store.moves.find().sort({ _id: -1 }).limit(MAX_MOVES).lean<Move[]>();
  const recent = moves.filter(({ at }) => at >= since);
  const named = [
    ...(pointer ? shownCompositions(pointer) : []),
    ...recent.flatMap(({ composition, from, canary }) => [composition, from, canary]),
  ];
  return new Set(named.filter((id) => typeof id === 'string'));
}

function versionsOf(composition: Composition): Parts {
  return new Map(
    partsOf(composition).map(({ name, version, previous }) => [
      name,
      { version, previous: previous?.slice(previous.lastIndexOf('@') + 1) ?? null },
    ]),
  );
}
