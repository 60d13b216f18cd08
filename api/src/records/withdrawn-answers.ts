import type { DeskChoices } from '../answers/desk-choices.ts';
import { collectionOwner, collectionOwners } from '../answers/index/document.ts';
import type { MovedPassageModel } from '../answers/index/moved-passage.ts';
import type { AnswerReason, Citation } from '../contract/answers.ts';
import { textsOf } from '../i18n/texts-of.ts';
import type { RecordDocument } from './record.ts';

type Answered = Pick<RecordDocument, 'answer'> &
  Partial<Pick<RecordDocument, 'citations' | 'collections' | 'answeredSince' | 'language' | 'why'>>;

/**
 * Records as `reader` may see them, an asker as in `DeskChoices.readableBy`: an answer is withdrawn if it may contain knowledge that the reader may not
 * read, or cites a document that was moved to such a collection. The explanations of others lose such passages, and an editor's later answer is removed if it
 * is in such a collection. The records need `citations` and `collections`.
 */
export type ShownTo = <T extends Answered>(reader: string, records: readonly T[]) => Promise<T[]>;

export const everythingShown: ShownTo = async (_reader, records) => [...records];

const textOf = textsOf('answers');
const passageOf = (href: string) => decodeURIComponent(href.slice(href.lastIndexOf('/') + 1));

export function createShownTo(
  movedPassages: MovedPassageModel,
  readableBy: DeskChoices['readableBy'],
): ShownTo {
  return async (reader, records) => {
    const stamped = records.some(
      ({ collections, answeredSince }) => collections?.length || answeredSince?.collectionId,
    );
    const hrefs = records.flatMap(({ citations = [], why }) =>
      [...citations, ...(why?.ranked ?? [])].map(({ href }) => href),
    );
    if (!stamped && hrefs.length === 0) return [...records];
    const moved = await movedPassages
      .find({ _id: { $in: hrefs.map(passageOf) }, movedTo: collectionOwners })
      .lean();
    if (!stamped && moved.length === 0) return [...records];
    const readable: readonly string[] = await readableBy(reader);
    const gone = new Set(moved.flatMap(({ _id, movedTo }) => (readable.includes(movedTo) ? [] : [_id])));
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
  const { language = 'zh', citations = [] } = record;
  const citation: Omit<Citation, 'href'> = {
    title: textOf('withdrawn_title')(language),
    quote: '',
    start: 0,
    end: 0,
    isPrivate: false,
    isWithdrawn: true,
  };
  const rest = { suggestions: [], reasoning: '', doubts: undefined, why: null };
  return {
    ...record,
    ...rest,
    answer: textOf('withdrawn')(language),
    citations: citations.map(({ href }) => ({ ...citation, href })),
  };
}
