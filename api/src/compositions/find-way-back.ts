import type { Composition } from './composition.ts';
import type { CompositionStore } from './composition-store.ts';
import type { Verdict } from './health/release-health.ts';
import type { Move } from './move.ts';
import type { Pointer } from './pointer.ts';

/** Moves that are looked back on. */
const MOVES = 200;

/**
 * What a roll back without an aim leads to: of what was live before, the latest with the fewest releases that pages have seen failing.
 * null where that is no better than what is live: going back and forth between two that fail helps nobody.
 */
export async function findWayBack(
  pointer: Pointer,
  verdicts: ReadonlyMap<string, Verdict>,
  { compositions, moves }: Pick<CompositionStore, 'compositions' | 'moves'>,
): Promise<string | null> {
  const { composition: live, previous } = pointer;
  if (previous === null || ![...verdicts.values()].includes('failing')) return previous;
  const recent = await moves.find().sort({ _id: -1 }).limit(MOVES).lean<Move[]>();
  const before = recent.flatMap(({ composition, from }) => [composition, from]);
  const ids = [...new Set([previous, ...before])].filter((id) => id !== null && id !== live);
  const found = await compositions.find({ _id: { $in: [live, ...ids] } }).lean<Composition[]>();
  const known = new Map(found.map((one) => [one._id, one]));
  const failing = (id: string | null) => {
    const one = known.get(id ?? '');
    if (!one) return Number.POSITIVE_INFINITY;
    return [one.host, ...one.remotes].filter(({ release }) => verdicts.get(release) === 'failing').length;
  };
  const least = Math.min(...ids.map(failing));
  if (least > 0 && least >= failing(live)) return null;
  return ids.find((id) => failing(id) === least) ?? null;
}
