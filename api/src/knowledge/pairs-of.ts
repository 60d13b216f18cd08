import type { CuratedPair, PairModel } from '../answers/pairs/pair.ts';
import { slicesById } from '../store/in-slices.ts';

/** Pairs per read. */
const slice = 100;

/** All pairs of a source, by id, read in slices. */
export async function* pairsOf(pairs: PairModel, source: CuratedPair['source']): AsyncGenerator<CuratedPair> {
  for await (const some of slicesById<CuratedPair>(pairs, slice, { source })) yield* some;
}
