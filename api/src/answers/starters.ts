import type { Language } from '../contract/language.ts';
import type { KnowledgeModels } from './knowledge-models.ts';

/** At most so many questions to begin with, in a visitor's language. */
export type Starters = (language: Language) => Promise<string[]>;

const most = 3;
const mostDocuments = 10;
const longestHeading = 60;
const question = /[?？]\s*$/;

/**
 * Questions to begin with that the desk can answer: what its editors' pairs answer most often, then headings of its newest documents, those that
 * are questions first and one of each document. The handbook's are offered by a desk that has nothing of its own.
 */
export function createStarters(
  { pairs, documents, passages }: Pick<KnowledgeModels, 'pairs' | 'documents' | 'passages'>,
  handbook: Readonly<Record<Language, readonly string[]>>,
): Starters {
  return async (language) => {
    const asked = await pairs
      .find({ source: 'editor', language }, { question: 1 })
      .sort({ hits: -1 })
      .limit(most)
      .lean();
    const own = asked.map((pair) => pair.question);
    if (own.length < most) own.push(...(await headings(language)));
    return [...new Set(own.length > 0 ? own : handbook[language])].slice(0, most);
  };

  async function headings(language: Language): Promise<string[]> {
    const newest = await documents
      .find({ source: 'upload', owner: '', status: 'ready', language }, { _id: 1 })
      .sort({ createdAt: -1 })
      .limit(mostDocuments)
      .lean();
    const found = await Promise.all(
      newest.map(async ({ _id }) => {
        const cut = await passages
          .find({ documentId: _id, heading: { $ne: '' } }, { heading: 1 })
          .sort({ start: 1 })
          .limit(20)
          .lean();
        const short = cut.map(({ heading }) => heading).filter((one) => one.length <= longestHeading);
        return short.find((heading) => question.test(heading)) ?? short[0] ?? '';
      }),
    );
    const real = found.filter((heading) => heading !== '');
    return [...real.filter((one) => question.test(one)), ...real.filter((one) => !question.test(one))];
  }
}
