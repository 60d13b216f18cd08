import { invalidRequest } from '../contract/errors.ts';

/** The last thing of a page in a list by (date, text id), newest first: the next page begins behind it. */
export interface TextPosition {
  at: Date;
  id: string;
}

/** An opaque cursor, good for the list of that name alone. */
export function writeTextCursor(list: string, { at, id }: TextPosition): string {
  return Buffer.from(JSON.stringify([list, at.getTime(), id])).toString('base64url');
}

/** @throws invalidRequest('cursor') when `cursor` is not one of `list`. */
export function readTextCursor(list: string, cursor: string): TextPosition {
  try {
    const [of, at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (of === list && Number.isSafeInteger(at) && typeof id === 'string') {
      const position = { at: new Date(at as number), id };
      // Written back it is the same, or it was none of ours.
      if (writeTextCursor(list, position) === cursor) return position;
    }
  } catch {
    // Told below, like every other cursor that is none.
  }
  throw invalidRequest('cursor');
}

/** The condition for what comes behind `position`. The bound on `field` alone keeps it on its index. */
export function behindText(field: string, { at, id }: TextPosition): Record<string, unknown> {
  return { [field]: { $lte: at }, $or: [{ [field]: { $lt: at } }, { [field]: at, _id: { $lt: id } }] };
}
