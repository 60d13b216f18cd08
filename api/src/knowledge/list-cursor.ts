import { invalidRequest } from '../contract/errors.ts';

/** What a list is ordered by, of the last thing of a page. */
export type ListPosition = readonly (string | number)[];

/** An opaque cursor. `list` names the list and its filter: a cursor is good for that alone. */
export function writeListCursor(list: string, position: ListPosition): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url');
}

/**
 * @param shape an example of a position: as many parts, of the same types.
 * @throws invalidRequest('cursor') when `cursor` is not one of `list`.
 */
export function readListCursor<const T extends ListPosition>(
  list: string,
  cursor: string,
  shape: T,
): { -readonly [K in keyof T]: T[K] extends number ? number : string } {
  try {
    const [of, ...position] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const fits =
      of === list &&
      position.length === shape.length &&
      position.every((part, at) => typeof part === typeof shape[at] && isSound(part));
    if (fits && writeListCursor(list, position as ListPosition) === cursor) return position as never;
  } catch {
    // Told below, like every other cursor that is none.
  }
  throw invalidRequest('cursor');
}

/** Dates beyond these are none. */
const latestDate = 8.64e15;

function isSound(part: unknown): boolean {
  if (typeof part === 'string') return part.length <= 100;
  return Number.isSafeInteger(part) && Math.abs(part as number) <= latestDate;
}
