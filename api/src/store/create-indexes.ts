import type { Model } from 'mongoose';

/** Creates the indexes of all `models`; existing ones stay unchanged. */
export async function createIndexes(models: object): Promise<void> {
  const all: Model<unknown>[] = Object.values(models);
  await Promise.all(all.map((model) => model.createIndexes()));
}
