import type { PassageModel } from './passage.ts';

/** Ids of those passages that belong to the shared knowledge base. */
export async function findSharedPassages(
  passages: PassageModel,
  ids: readonly string[],
): Promise<Set<string>> {
  const shared = await passages.find({ _id: { $in: [...ids] }, owner: '' }, { _id: 1 }).lean();
  return new Set(shared.map(({ _id }) => _id));
}
