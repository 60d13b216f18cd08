import type { Model, mongo } from 'mongoose';

/** Creates the indexes of all `models`, with one command for each of them; existing indexes stay unchanged. */
export async function createIndexes(models: object): Promise<void> {
  const all: Model<unknown>[] = Object.values(models);
  await Promise.all(
    all.map(async ({ schema, collection }) => {
      const defined = schema.indexes();
      const indexes = defined.map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
      if (indexes.length > 0) await collection.createIndexes(indexes);
    }),
  );
}
