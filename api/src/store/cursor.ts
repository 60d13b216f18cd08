import { type Model, Types } from 'mongoose';
import { z } from 'zod';
import { invalidRequest } from '../errors/errors.ts';

/** Sort position of an item by a date and its id. The next page starts after it. */
export interface Position<Id = Types.ObjectId> {
  at: Date;
  id: Id;
  /** Length of the whole list, if the first page counted it. Comes from the client: check it before use. */
  counted?: number;
}

/** Range of timestamps in ms that a Date can represent. */
export const CursorTime = z.int().min(-8.64e15).max(8.64e15);
const DateOfTime = CursorTime.transform((ms) => new Date(ms));
const ObjectIdOfText = z
  .string()
  .regex(/^[0-9a-f]{24}$/)
  .transform((id) => new Types.ObjectId(id));
const DatePosition = z.tuple([DateOfTime, ObjectIdOfText, z.int().optional()]);

/** Returns an opaque cursor. `list` identifies the list and its filter: the cursor is only valid for these. */
export function encodeCursor(list: string, position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url');
}

/** @throws invalidRequest('cursor') if `cursor` is not a cursor of `list` with a position of this shape. */
export function decodeCursor<T>(list: string, cursor: string, shape: z.ZodType<T>): T {
  try {
    const [, ...position] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const parsed = shape.safeParse(position);
    // Of this list, and in the canonical form only: base64 decoding ignores invalid characters.
    if (parsed.success && encodeCursor(list, position) === cursor) return parsed.data;
  } catch {
    // Handled below like every other invalid cursor.
  }
  throw invalidRequest('cursor');
}

/** A cursor for a list that is sorted by a date and the id. */
export function writeCursor(list: string, { at, id, counted }: Position<Types.ObjectId | string>): string {
  return encodeCursor(list, [at.getTime(), String(id), ...(counted === undefined ? [] : [counted])]);
}

/** @throws invalidRequest('cursor') if `cursor` is not a cursor of `list`. */
export function readCursor(list: string, cursor: string): Position {
  const [at, id, counted] = decodeCursor(list, cursor, DatePosition);
  return { at, id, ...(counted === undefined ? {} : { counted }) };
}

/** Condition for items after `position`, newest first by (`field`, _id). The bound on `field` alone makes the index usable. */
export function after(field: string, { at, id }: Position<unknown>): Record<string, unknown> {
  return { [field]: { $lte: at }, $or: [{ [field]: { $lt: at } }, { [field]: at, _id: { $lt: id } }] };
}

/** Page of a list: at most `limit` items after `cursor`. */
export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

export interface Page<T> {
  page: T[];
  nextCursor: string | null;
}

/** Items per page of a list that is read completely. */
const slice = 100;

/** Sort order of a list: fields with 1, ascending, or -1, descending. Together their values are unique. */
type Order = Readonly<Record<string, 1 | -1>>;

/**
 * A page of the documents of `model` to which `condition` applies, in `order`: a field name means by this date and the id,
 * newest first. `list` identifies the list and its filter in cursors.
 * @throws invalidRequest('cursor') if the cursor is not one of `list`.
 */
export async function readPage<T>(
  // biome-ignore lint/suspicious/noExplicitAny: the type of its documents alone is of interest.
  model: Model<T, any, any, any, any, any, any>,
  order: (keyof T & string) | Order,
  list: string,
  { limit, cursor }: PageRequest,
  condition: object = {},
  projection: Record<string, 0 | 1> = {},
): Promise<Page<T>> {
  const sort: Order = typeof order === 'string' ? { [order]: -1, _id: -1 } : order;
  const fields = Object.keys(sort);
  const shape = fields.map((field) => positionTypes[model.schema.path(field).instance] ?? TextPosition);
  const start = cursor === undefined ? null : decodeCursor(list, cursor, z.tuple(shape as [z.ZodType]));
  const filter = start ? { $and: [condition, beyond(sort, start)] } : condition;
  const read = await model
    .find(filter, projection)
    .sort(sort)
    .limit(limit + 1)
    .lean();
  const positionAt = (last: T) => fields.map((field) => positionOf(last[field as keyof T]));
  return cutPage(read as T[], limit, (last) => encodeCursor(list, positionAt(last)));
}

/** All pages of a list, each read when the one before has been used. */
export async function* pages<T>(read: (request: PageRequest) => Promise<Page<T>>): AsyncGenerator<T[]> {
  let cursor: string | undefined;
  do {
    const { page, nextCursor }: Page<T> = await read({ limit: slice, cursor });
    yield page;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

const TextPosition = z.string().max(200);

/** The values of a field in cursors, by its type in the schema; a text for all other types. */
const positionTypes: Record<string, z.ZodType> = {
  Date: DateOfTime,
  ObjectId: ObjectIdOfText,
  Number: z.int(),
  Boolean: z.boolean(),
};

function positionOf(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return value instanceof Types.ObjectId ? value.toHexString() : value;
}

/** Condition for the items after these values. The bound on the first field alone makes an index usable. */
function beyond(order: Order, values: readonly unknown[]): Record<string, unknown> {
  const fields = Object.entries(order);
  const [[first, direction] = ['', 1]] = fields;
  const after = fields.map(([field, rising], at) => ({
    ...Object.fromEntries(fields.slice(0, at).map(([before], index) => [before, values[index]])),
    [field]: { [rising === 1 ? '$gt' : '$lt']: values[at] },
  }));
  return { [first]: { [direction === 1 ? '$gte' : '$lte']: values[0] }, $or: after };
}

/** Cuts off the extra item that was read to find out whether there is another page. */
export function cutPage<T>(read: T[], limit: number, cursorOf: (last: T) => string): Page<T> {
  const page = read.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: read.length > limit && last ? cursorOf(last) : null };
}
