import type { Language } from '../../contract/language.ts';
import { type DeskChoices, productChoices } from '../desk-choices.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';

/** Reads starter questions in a language from what the asker may read. */
export type Starters = (language: Language, asker: string) => Promise<string[]>;

const maxStarters = 3;
const maxDocuments = 10;
const maxHeadingLength = 60;
const question = /[?？]\s*$/;

/**
 * Starter questions that the desk can answer: the editors' most used pairs, then from each of the newest
 * documents a heading that is a question. Without any, those of the handbook.
 */
export function createStarters(
  { pairs, documents, passages }: Pick<KnowledgeModels, 'pairs' | 'documents' | 'passages'>,
  handbook: Readonly<Record<Language, readonly string[]>>,
  { usesHandbook, readableBy }: Pick<DeskChoices, 'usesHandbook' | 'readableBy'> = productChoices,
): Starters {
  return async (language, asker) => {
    const readable = await readableBy(asker);
    const asked = await pairs
      .find({ source: { $in: ['editor', ...readable] }, language }, { question: 1 })
      .sort({ hits: -1 })
      .limit(maxStarters)
      .lean();
    const own = asked.map((pair) => pair.question);
    if (own.length < maxStarters) own.push(...(await headings(language, ['', ...readable])));
    const others = usesHandbook() ? handbook[language] : [];
    return [...new Set(own.length > 0 ? own : others)].slice(0, maxStarters);
  };

  async function headings(language: Language, owners: string[]): Promise<string[]> {
    const newest = await documents
      .find({ source: 'upload', owner: { $in: owners }, status: 'ready', language }, { _id: 1 })
      .sort({ createdAt: -1 })
      .limit(maxDocuments)
      .lean();
    const found = await Promise.all(
      newest.map(async ({ _id }) => {
        const cut = await passages
          .find({ documentId: _id, owner: { $in: owners }, heading: { $ne: '' } }, { heading: 1 })
          .sort({ start: 1 })
          .limit(20)
          .lean();
        const asked = cut.find(({ heading }) => heading.length <= maxHeadingLength && question.test(heading));
        return asked ? [asked.heading] : [];
      }),
    );
    return found.flat();
  }
}
