import { invalidRequest } from '../errors/errors.ts';

/** Sort position of the last item of a page, newest first: the next page starts after it. */
export interface TextPosition {
  at: Date;
  id: string;
}

/** Returns an opaque cursor that is only valid for the list of that name. */
export function writeTextCursor(list: string, { at, id }: TextPosition): string {
  return Buffer.from(JSON.stringify([list, at.getTime(), id])).toString('base64url');
}

/** @throws invalidRequest('cursor') if `cursor` is not a cursor of `list`. */
export function readTextCursor(list: string, cursor: string): TextPosition {
  try {
    const [of, at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (of === list && Number.isSafeInteger(at) && typeof id === 'string') {
      const position = { at: new Date(at as number), id };
      // Accept only the canonical form: encoding it again must give the same text.
      if (writeTextCursor(list, position) === cursor) return position;
    }
  } catch {
    // Handled below like every other invalid cursor.
  }
  throw invalidRequest('cursor');
}

/** Query condition for items after `position`. The separate bound on `field` makes the index usable. */
export function behindText(field: string, { at, id }: TextPosition): Record<string, unknown> {
  return { [field]: { $lte: at }, $or: [{ [field]: { $lt: at } }, { [field]: at, _id: { $lt: id } }] };
}
