import { setTimeout as wait } from 'node:timers/promises';
import type { Composition } from '../composition.ts';
import type { CompositionStore } from '../composition-store.ts';
import type { Move } from '../move.ts';
import { readPointer } from '../move-pointer.ts';

/** By the name of a remote, or `host`. */
export type Parts = ReadonlyMap<string, { version: string; previous: string | null }>;

/** Tells which releases a page may speak of. */
export interface KnownParts {
  /** undefined for a composition that is neither live, nor was so lately, nor has been a canary lately. */
  find(composition: string): Promise<Parts | undefined>;
}

/** A tab may stay open so long and still be heard, in ms. */
const LATELY = 7 * 86_400_000;
/** Moves that are looked at. */
const MOVES = 500;
/** However many unknown names come in, what is known is read anew at most so often, in ms. */
const READ_EVERY = 250;

/** Keeps what it has read: a report costs no read, unless it names what has just gone live. */
export function createKnownParts(
  store: Pick<CompositionStore, 'compositions' | 'pointers' | 'moves'>,
  now: () => Date,
): KnownParts {
  let known = new Map<string, Parts>();
  let readAt = 0;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    await wait(Math.max(0, readAt + READ_EVERY - performance.now()), undefined, { ref: false });
    readAt = performance.now();
    const ids = await recentIds(store, new Date(now().getTime() - LATELY));
    const missing = [...ids].filter((id) => !known.has(id));
    const found = await store.compositions.find({ _id: { $in: missing } }).lean<Composition[]>();
    const next = new Map([...known].filter(([id]) => ids.has(id)));
    for (const composition of found) next.set(composition._id, partsOf(composition));
    known = next;
  }

  return {
    async find(composition) {
      // A reading that was under way may have begun before the composition went live: the second has not.
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

/** What is live, what a visitor may still have open, and canaries. */
async function recentIds(
  store: Pick<CompositionStore, 'pointers' | 'moves'>,
  since: Date,
): Promise<Set<string>> {
  const pointer = await readPointer(store);
  const moves = await store.moves.find().sort({ _id: -1 }).limit(MOVES).lean<Move[]>();
  const recent = moves.filter(({ at }) => at >= since);
  const named = [
    pointer?.composition,
    pointer?.canary?.composition,
    ...recent.flatMap(({ composition, from, canary }) => [composition, from, canary]),
  ];
  return new Set(named.filter((id) => typeof id === 'string'));
}

function partsOf({ host, remotes }: Composition): Parts {
  return new Map(
    [host, ...remotes].map(({ name, version, previous }) => [
      name,
      { version, previous: previous?.slice(previous.lastIndexOf('@') + 1) ?? null },
    ]),
  );
}
