import type { Model, mongo } from 'mongoose';

/**
 * Reads documents by the driver instead of mongoose, for queries of every question: without casting, and with binary
 * fields as buffers, which may be slices of the whole reply.
 */
export async function readPlain<T>({ collection }: Model<T>, filter: object, options: mongo.FindOptions) {
  const rows = collection.find(filter as never, { ...options, promoteBuffers: true });
  return (await rows.toArray()) as unknown as T[];
}
