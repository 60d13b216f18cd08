import { Types } from 'mongoose';
import { invalidRequest } from '../errors/errors.ts';

/** The last thing of a page: the next one begins behind it. */
export interface Position {
  at: Date;
  id: Types.ObjectId;
  /** How many the whole list has, where the first page counted them: so that the later ones need not. Only as true as who brings it. */
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
      // Written back it is the same, or it was none of ours: a date that no calendar has, base64 with something behind it.
      if (writeCursor(list, position) === cursor) return position;
    }
  } catch {
    // Handled below like every other invalid cursor.
  }
  throw invalidRequest('cursor');
}

const isWholeNumber = (value: unknown): value is number => Number.isSafeInteger(value);

/** The condition for what comes behind `position`, newest first by (`field`, _id). The bound on `field` alone keeps it on its index. */
export function behind(field: string, { at, id }: Position): Record<string, unknown> {
  return { [field]: { $lte: at }, $or: [{ [field]: { $lt: at } }, { [field]: at, _id: { $lt: id } }] };
}

/** Cuts the one thing too many that was read to learn whether there is more. */
export function cutPage<T>(
  read: T[],
  limit: number,
  cursorOf: (last: T) => string,
): { page: T[]; nextCursor: string | null } {
  const page = read.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: read.length > limit && last ? cursorOf(last) : null };
}
