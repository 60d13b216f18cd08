import type { DeskChoices } from '../answers/desk-choices.ts';
import { collectionOwner, collectionOwners } from '../answers/index/document.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { AnswerReason, Citation } from '../contract/answers.ts';
import { textsOf } from '../i18n/texts-of.ts';
import type { RecordDocument } from './record.ts';

type Answered = Pick<RecordDocument, 'answer'> &
  Partial<Pick<RecordDocument, 'citations' | 'collections' | 'answeredSince' | 'language' | 'why'>>;

/**
 * Records as `reader` (an asker as in `DeskChoices.readableBy`) may see them. An answer is withdrawn if it may contain
 * knowledge of a collection that the reader may not read, or cites a document that was moved to one. From other answers,
 * passages of such collections are removed from the explanation, and an editor's later answer if it is in one. The
 * records need `citations` and `collections`.
 */
export type ShownTo = <T extends Answered>(reader: string, records: readonly T[]) => Promise<T[]>;

export const everythingShown: ShownTo = async (_reader, records) => [...records];

const textOf = textsOf('answers');
/** Id of the passage that a citation links to. */
export const passageOf = (href: string) => decodeURIComponent(href.slice(href.lastIndexOf('/') + 1));

export function createShownTo(
  { passages, movedPassages }: Pick<KnowledgeModels, 'passages' | 'movedPassages'>,
  readableBy: DeskChoices['readableBy'],
): ShownTo {
  return async (reader, records) => {
    const isStamped = records.some((one) => one.collections?.length || one.answeredSince?.collectionId);
    const hrefs = records.flatMap(({ citations = [], why }) =>
      [...citations, ...(why?.ranked ?? [])].map(({ href }) => href),
    );
    if (!isStamped && hrefs.length === 0) return [...records];
    const cited = { _id: { $in: hrefs.map(passageOf) } };
    const [moved, present] = await Promise.all([
      movedPassages.find({ ...cited, movedTo: collectionOwners }).lean(),
      // Earlier versions have moved documents without a note.
      passages.find({ ...cited, owner: collectionOwners }, { owner: 1 }).lean(),
    ]);
    const places = [...moved.map(({ _id, movedTo: owner }) => ({ _id, owner })), ...present];
    if (!isStamped && places.length === 0) return [...records];
    const readable: readonly string[] = await readableBy(reader);
    const gone = new Set(places.flatMap(({ _id, owner }) => (readable.includes(owner) ? [] : [_id])));
    const mayRead = (id: string) => readable.includes(collectionOwner(id));
    const isShown = ({ href }: { href: string }) => !gone.has(passageOf(href));
    return records.map((given) => {
      const since = given.answeredSince?.collectionId;
      const record = since && !mayRead(since) ? { ...given, answeredSince: null } : given;
      const { collections = [], citations = [], why } = record;
      if (!collections.every(mayRead) || !citations.every(isShown)) return withdrawn(record);
      if (!why) return record;
      const ranked = why.ranked.filter(
        (one) => isShown(one) && (one.collectionId === undefined || mayRead(one.collectionId)),
      );
      return { ...record, why: { ...why, ranked } satisfies AnswerReason };
    });
  };
}

/** The question without its answer. */
function withdrawn<T extends Answered>(record: T): T {
  const { language = 'zh' } = record;
  const title = textOf('withdrawn_title')(language);
  const nothing = { title, quote: '', start: 0, end: 0, isPrivate: false, isWithdrawn: true } as const;
  const citations = record.citations?.map(({ href }): Citation => ({ ...nothing, href })) ?? [];
  const answer = textOf('withdrawn')(language);
  return { ...record, suggestions: [], reasoning: '', doubts: undefined, why: null, answer, citations };
}
