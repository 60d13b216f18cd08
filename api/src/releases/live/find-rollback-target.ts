import type { Composition } from '../data/composition.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import type { Move } from '../data/move.ts';
import type { PointerState } from '../data/pointer.ts';
import type { Verdict } from '../health/release-health.ts';

/** Number of past moves considered. */
const MAX_MOVES = 200;

/**
 * Target of a rollback without an explicit one: of the previously live compositions, the latest with the
 * fewest releases that pages reported as failing. null if it is no better than the live one, so that
 * rollbacks do not alternate between two failing compositions.
 */
export async function findRollbackTarget(
  pointer: PointerState,
  verdicts: ReadonlyMap<string, Verdict>,
  { compositions, moves }: Pick<CompositionStore, 'compositions' | 'moves'>,
): Promise<string | null> {
  const { composition: live, previous } = pointer;
  if (previous === null || ![...verdicts.values()].includes('failing')) return previous;
  const recent = await moves.find().sort({ _id: -1 }).limit(MAX_MOVES).lean<Move[]>();
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
