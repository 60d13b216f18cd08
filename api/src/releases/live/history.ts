import { z } from 'zod';
import { MoveInfo, type ReleaseChange } from '../../contract/compositions.ts';
import { cutPage, decodeCursor, encodeCursor, type PageRequest } from '../../store/cursor.ts';
import { describeAs } from '../../store/describe-as.ts';
import { changesBetween } from '../data/changes-between.ts';
import { type Composition, type CompositionStore, compositionsById } from '../data/composition-store.ts';
import { readPointer, recordMove } from '../data/move-pointer.ts';
import type { Move } from '../data/pointer.ts';

const Revision = z.tuple([z.int().nonnegative()]);

/**
 * A page of the moves of the pointer, newest first. If a process crashed before recording its move, the
 * pointer itself contains its last move, so none is ever missing.
 * @throws invalidRequest('cursor') for an invalid cursor.
 */
export async function readHistory(store: CompositionStore, { limit, cursor }: PageRequest) {
  const after = cursor === undefined ? {} : { _id: { $lt: decodeCursor('moves', cursor, Revision)[0] } };
  const read = () =>
    store.moves
      .find(after)
      .sort({ _id: -1 })
      .limit(limit + 1)
      .lean();
  const pointer = cursor === undefined ? await readPointer(store) : null;
  let found = await read();
  if (pointer && pointer.revision > (found[0]?._id ?? 0)) {
    await recordMove(store, pointer);
    found = await read();
  }
  const { page, nextCursor } = cutPage(found, limit, ({ _id }) => encodeCursor('moves', [_id]));
  return { moves: await describeMoves(page, store), nextCursor };
}

export async function describeMoves(moves: readonly Move[], store: CompositionStore): Promise<MoveInfo[]> {
  const ids = moves.flatMap(({ composition, from, canary }) => [composition, from, canary]);
  const known = await compositionsById(store, ids);
  return moves.map((move) =>
    describeAs(MoveInfo, { ...move, revision: move._id, changes: changesOf(move, known) }),
  );
}

function changesOf(
  { kind, composition, from, canary }: Move,
  known: ReadonlyMap<string, Composition>,
): ReleaseChange[] {
  const live = known.get(composition);
  if (!live) return [];
  if (kind !== 'canary') return changesBetween((from && known.get(from)) || null, live);
  const next = canary && known.get(canary);
  return next ? changesBetween(live, next) : [];
}
