import type { CuratedPair, PairModel } from '../answers/pair.ts';

/** Pairs per read. */
const slice = 100;

/** All pairs of a source, by id, read in slices. */
export async function* pairsOf(pairs: PairModel, source: CuratedPair['source']): AsyncGenerator<CuratedPair> {
  for (let behind = ''; ; ) {
    const some = await pairs
      .find({ source, _id: { $gt: behind } })
      .sort({ _id: 1 })
      .limit(slice)
      .lean();
    const last = some.at(-1);
    if (!last) return;
    yield* some;
    behind = last._id;
  }
}
