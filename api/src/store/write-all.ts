import type { mongo } from 'mongoose';

type Write = { updateOne: mongo.UpdateOneModel<mongo.BSON.Document> };

const maxAttempts = 5;

/** In any order. Of two processes that insert an id at once, one updates the other's document. */
export async function writeAll(collection: WriteTarget, writes: readonly Write[]): Promise<void> {
  let left = writes;
  for (let tries = 1; left.length > 0; tries += 1) {
    try {
      await collection.bulkWrite([...left], { ordered: false });
      return;
    } catch (failure) {
      const failed = failedOf(failure);
      if (failed === null || tries === maxAttempts) throw failure;
      left = failed.map((index) => left[index]!);
    }
  }
}

/** Writes documents, whether their ids exist or not. */
function replaceAll(collection: WriteTarget, documents: readonly { _id: string }[]): Promise<void> {
  const writes = documents.map(({ _id, ...fields }) => ({
    updateOne: { filter: { _id: _id as never }, update: { $set: fields }, upsert: true },
  }));
  return writeAll(collection, writes);
}

/** Replaces `known` ones and inserts the others, three times as fast; or replaces them, too. */
export async function putAll(
  collection: InsertTarget,
  documents: readonly { _id: string }[],
  known: ReadonlySet<string> = new Set(),
): Promise<void> {
  const fresh = documents.filter(({ _id }) => !known.has(_id));
  const again = documents.filter(({ _id }) => known.has(_id));
  if (fresh.length > 0) {
    try {
      await collection.insertMany(fresh as never, { ordered: false });
    } catch (failure) {
      const failed = failedOf(failure);
      if (failed === null) throw failure;
      for (const index of failed) again.push(fresh[index]!);
    }
  }
  if (again.length > 0) await replaceAll(collection, again);
}

interface WriteTarget {
  bulkWrite(writes: Write[], options: { ordered: boolean }): Promise<unknown>;
}

interface InsertTarget extends WriteTarget {
  insertMany(documents: never, options: { ordered: boolean }): Promise<unknown>;
}

/** Indexes of writes whose id was inserted concurrently; null for any other failure. */
function failedOf(failure: unknown): number[] | null {
  type Failed = { code: number; index: number };
  const { writeErrors } = failure as { writeErrors?: Failed[] | Failed };
  if (writeErrors === undefined) return null;
  const list = [writeErrors].flat();
  return list.length > 0 && list.every(({ code }) => code === 11000) ? list.map(({ index }) => index) : null;
}
