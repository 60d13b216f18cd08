import { randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import { notFound } from '../errors/errors.ts';

/** @throws notFound(`what`) when `id` is no id of ours: to its caller the same as an id of somebody else's. */
export function toObjectId(id: string, what: Parameters<typeof notFound>[0]): Types.ObjectId {
  if (!/^[0-9a-f]{24}$/.test(id)) throw notFound(what);
  return new Types.ObjectId(id);
}

/**
 * An id of now that nobody can guess: the driver's own count on from each other, so that whoever has one knows its neighbours. An import
 * renames what another owner has, and so tells whether an id is taken.
 */
export function unguessableId(): Types.ObjectId {
  const seconds = Math.floor(Date.now() / 1000);
  return new Types.ObjectId(seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex'));
}
