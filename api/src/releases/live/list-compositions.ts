import type { CompositionInfo } from '../../contract/compositions.ts';
import { after, cutPage, readTextCursor, writeCursor } from '../../store/cursor.ts';
import type { Composition } from '../data/composition.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import { describeComposition } from './describe-composition.ts';

const list = 'compositions';

/**
 * A page of all stored compositions, newest first. @throws invalidRequest('cursor') for an invalid cursor.
 */
export async function listCompositions(
  { compositions }: Pick<CompositionStore, 'compositions'>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ compositions: CompositionInfo[]; nextCursor: string | null }> {
  const found = await compositions
    .find(cursor === undefined ? {} : after('createdAt', readTextCursor(list, cursor)))
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit + 1)
    .lean<Composition[]>();
  const { page, nextCursor } = cutPage(found, limit, ({ createdAt, _id }) =>
    writeCursor(list, { at: createdAt, id: _id }),
  );
  return { compositions: page.map(describeComposition), nextCursor };
}
