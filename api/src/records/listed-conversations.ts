import { z } from 'zod';
import { decodeCursor, encodeCursor, type PageRequest } from '../store/cursor.ts';

interface Page<T> {
  page: T[];
  nextCursor: string | null;
}

/** The parts of the list, in order. Conversations of earlier versions have no place. */
const parts = [{ place: 'pinned' }, { place: null }] as const;
type Part = (typeof parts)[number];

const list = 'conversations';
const ListPosition = z.tuple([
  z
    .int()
    .min(0)
    .max(parts.length - 1),
  z.string().max(400),
]);

/**
 * A page of the list of conversations: pinned ones, then the others. Its cursor names the part and the position
 * in it, so a conversation that moves between the parts meanwhile is read twice or not at all, and no other one.
 * @throws invalidRequest('cursor')
 */
export async function readListed<T>(
  { limit, cursor }: PageRequest,
  read: (name: string, condition: Part, request: PageRequest) => Promise<Page<T>>,
): Promise<Page<T>> {
  const [from, position] = cursor === undefined ? [0, ''] : decodeCursor(list, cursor, ListPosition);
  const found: T[] = [];
  for (const [at, part] of parts.entries()) {
    if (at < from) continue;
    const start = at === from && position !== '' ? position : undefined;
    // A full page still has to find out whether this part has any.
    const left = limit - found.length;
    const { page, nextCursor } = await read(`${list} ${at}`, part, {
      limit: Math.max(left, 1),
      cursor: start,
    });
    if (left === 0) return { page: found, nextCursor: page.length > 0 ? encodeCursor(list, [at, '']) : null };
    found.push(...page);
    if (nextCursor !== null) return { page: found, nextCursor: encodeCursor(list, [at, nextCursor]) };
  }
  return { page: found, nextCursor: null };
}
