import type { CuratedPair, PairModel } from '../answers/pair.ts';

/** Pairs per read. */
const slice = 100;

/** All pairs of a source, by id, read in slices. */
export async function* pairsOf(pairs: PairModel, source: CuratedPair['source']): AsyncGenerator<CuratedPair> {
  for (let lastId = ''; ; ) {
    const some = await pairs
      .find({ source, _id: { $gt: lastId } })
      .sort({ _id: 1 })
      .limit(slice)
      .lean();
    const last = some.at(-1);
    if (!last) return;
    yield* some;
    lastId = last._id;
  }
}
