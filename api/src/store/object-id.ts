import { randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import { notFound } from '../errors/errors.ts';
import { databaseNow } from './database-clock.ts';

/** @throws notFound(`what`) if `id` is not a valid id, like for the id of another owner. */
export function toObjectId(id: string, what: Parameters<typeof notFound>[0]): Types.ObjectId {
  if (!/^[0-9a-f]{24}$/.test(id)) throw notFound(what);
  return new Types.ObjectId(id);
}

/**
 * A random id with the current time. The driver's ids are consecutive, so one reveals its neighbours, and an
 * import, which renames ids of other owners, reveals whether an id is taken.
 */
export function unguessableId(): Types.ObjectId {
  const seconds = Math.floor(databaseNow() / 1000);
  return new Types.ObjectId(seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex'));
}
