import type { PassageModel } from './passage.ts';

/** Ids of those passages that belong to this owner alone. */
export async function findOwnPassages(
  passages: PassageModel,
  owner: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const own = await passages.find({ _id: { $in: [...ids] }, owner }, { _id: 1 }).lean();
  return new Set(own.map(({ _id }) => _id));
}
