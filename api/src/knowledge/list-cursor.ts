import { invalidRequest } from '../errors/errors.ts';

/** Sort position of the last item of a page. */
export type ListPosition = readonly (string | number)[];

/**
 * Returns an opaque cursor. `list` identifies the list and its filter: the cursor is only valid for these.
 */
export function writeListCursor(list: string, position: ListPosition): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url');
}

/**
 * @param shape an example position: the same number of parts with the same types. @throws
 * invalidRequest('cursor') if `cursor` is not a cursor of `list`.
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
    // Handled below like every other invalid cursor.
  }
  throw invalidRequest('cursor');
}

/** Largest valid timestamp of a Date in ms. */
const latestDate = 8.64e15;

function isSound(part: unknown): boolean {
  if (typeof part === 'string') return part.length <= 100;
  return Number.isSafeInteger(part) && Math.abs(part as number) <= latestDate;
}
