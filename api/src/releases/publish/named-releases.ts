import { shownCompositions } from '../data/canary-mixes.ts';
import type { Composition } from '../data/composition.ts';
import { type CompositionStore, storesOf } from '../data/composition-store.ts';
import type { Move } from '../data/move.ts';
import { readPointer } from '../data/move-pointer.ts';

/**
 * Releases that are still needed: those of compositions that were created, or live or a canary in any
 * environment, since `since`, and of the live composition, the previous one, the canaries and the previews of
 * every environment; fallbacks included.
 */
export async function namedReleases(store: CompositionStore, since: Date): Promise<Set<string>> {
  const ids = await Promise.all((await storesOf(store)).map((one) => compositionsOf(one, since)));
  const named = new Set<string>();
  const add = ({ host, remotes }: Pick<Composition, 'host' | 'remotes'>) => {
    for (const { release, previous } of [host, ...remotes]) {
      named.add(release);
      if (previous) named.add(previous);
    }
  };
  const fields = { host: 1, remotes: 1 };
  for await (const composition of store.compositions
    .find({ _id: { $in: ids.flat() } }, fields)
    .lean<Composition[]>()
    .cursor())
    add(composition);
  for await (const composition of store.compositions
    .find({ createdAt: { $gte: since } }, fields)
    .lean<Composition[]>()
    .cursor())
    add(composition);
  return named;
}

/** Compositions that one environment still needs. */
async function compositionsOf(store: CompositionStore, since: Date): Promise<string[]> {
  const pointer = await readPointer(store);
  const ids = pointer ? [...shownCompositions(pointer), pointer.previous] : [];
  const previews = await store.previews.find({}, { composition: 1 }).lean<{ composition: string }[]>();
  for (const { composition } of previews) ids.push(composition);
  // Newest first, so that reading stops at `since`; what was live at that time is the `from` of the first
  // move.
  for await (const move of store.moves.find().sort({ _id: -1 }).lean<Move[]>().cursor()) {
    if (move.at < since) {
      ids.push(move.composition, move.canary);
      break;
    }
    ids.push(move.composition, move.from, move.canary);
  }
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}
