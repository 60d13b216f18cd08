import type { Model } from 'mongoose';

/** Declares the indexes of all `models`; existing ones stay as they are. */
export async function createIndexes(models: object): Promise<void> {
  const all: Model<unknown>[] = Object.values(models);
  await Promise.all(all.map((model) => model.createIndexes()));
}
