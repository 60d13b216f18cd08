import { Types } from 'mongoose';
import { notFound } from '../errors.ts';

/** @throws notFound(`what`) when `id` is no id of ours: to its caller the same as an id of somebody else's. */
export function toObjectId(id: string, what: Parameters<typeof notFound>[0]): Types.ObjectId {
  if (!/^[0-9a-f]{24}$/.test(id)) throw notFound(what);
  return new Types.ObjectId(id);
}
