import { Types } from 'mongoose';
import { invalidRequest } from '../errors/errors.ts';

/** Sort position of the last item of a page: the next page starts after it. */
export interface Position {
  at: Date;
  id: Types.ObjectId;
  /**
   * Total number of items as counted with the first page, so that later pages need not count. Supplied by the
   * client, so not trustworthy.
   */
  counted?: number;
}

/**
 * Returns an opaque cursor. `list` identifies the list and its filter: the cursor is only valid for these.
 */
export function writeCursor(list: string, { at, id, counted }: Position): string {
  const parts = [at.getTime(), id.toHexString(), list, ...(counted === undefined ? [] : [counted])];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws invalidRequest('cursor') if `cursor` is not a cursor of `list`. */
export function readCursor(list: string, cursor: string): Position {
  try {
    const [at, id, of, ...more] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isWhole = isWholeNumber(at) && typeof id === 'string' && more.every(isWholeNumber);
    if (isWhole && /^[0-9a-f]{24}$/.test(id) && of === list) {
      const [counted] = more;
      const position = {
        at: new Date(at),
        id: new Types.ObjectId(id),
        ...(counted === undefined ? {} : { counted }),
      };
      // Accept only the canonical form: encoding it again must give the same text, unlike invalid dates or
      // base64 with trailing data.
      if (writeCursor(list, position) === cursor) return position;
    }
  } catch {
    // Handled below like every other invalid cursor.
  }
  throw invalidRequest('cursor');
}

const isWholeNumber = (value: unknown): value is number => Number.isSafeInteger(value);

/**
 * Query condition for items after `position`, newest first by (`field`, _id). The separate bound on `field`
 * makes the index usable.
 */
export function behind(field: string, { at, id }: Position): Record<string, unknown> {
  return { [field]: { $lte: at }, $or: [{ [field]: { $lt: at } }, { [field]: at, _id: { $lt: id } }] };
}

/** Removes the extra item that was read to find out whether there is another page. */
export function cutPage<T>(
  read: T[],
  limit: number,
  cursorOf: (last: T) => string,
): { page: T[]; nextCursor: string | null } {
  const page = read.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: read.length > limit && last ? cursorOf(last) : null };
}
