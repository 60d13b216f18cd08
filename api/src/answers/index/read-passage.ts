import { Passage } from '../../contract/answers.ts';
import { describeAs } from '../../store/describe-as.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import type { KnowledgePassage, PassageModel } from './passage.ts';

/** Reads a passage of `owner` or of a collection that it may read. @throws notFound('passage') */
export type ReadPassage = (id: string, owner: string) => Promise<Passage>;

/** The passage with this id; null unless it belongs to the first collection or one of `owners`. */
export async function readPassage(
  models: Pick<KnowledgeModels, 'passages'>,
  id: string,
  owners: readonly string[],
): Promise<Passage | null> {
  const found = await models.passages
    .findOne(
      { _id: id },
      { owner: 1, documentId: 1, title: 1, text: 1, start: 1, end: 1, place: 1, tableHead: 1 },
    )
    .lean();
  if (!found || (found.owner !== '' && !owners.includes(found.owner))) return null;
  return toPassage(found);
}

type Shown = 'documentId' | 'title' | 'text' | 'start' | 'end' | 'place' | 'tableHead';

/** A passage as in the contract. */
export function toPassage(passage: Pick<KnowledgePassage, Shown>): Passage {
  return describeAs(Passage, { ...passage, columns: passage.tableHead || undefined });
}

/** Ids of those passages that belong to the shared knowledge base. */
export async function findSharedPassages(
  passages: PassageModel,
  ids: readonly string[],
): Promise<Set<string>> {
  const shared = await passages.find({ _id: { $in: [...ids] }, owner: '' }, { _id: 1 }).lean();
  return new Set(shared.map(({ _id }) => _id));
}
