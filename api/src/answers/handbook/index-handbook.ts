import type { Language } from '../../contract/language.ts';
import { forEachLanguage } from '../../contract/language.ts';
import { databaseNow } from '../../store/database-clock.ts';
import { putAll } from '../../store/write-all.ts';
import type { FindablePassage } from '../index/findable.ts';
import { idOf, type PassagePair, passagesOf } from '../index/passages-of.ts';
import { countsOf, handbookScope } from '../index/shared-counts.ts';
import { structureOf } from '../index/structure.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import { pairTerms } from '../pairs/match-pair.ts';
import { questionKey } from '../retrieve/question-key.ts';
import { type Handbook, type HandbookPage, type HandbookPair, readHandbook } from './read-handbook.ts';

export interface IndexedHandbook {
  edition: string;
  /** Starter questions by language. */
  starters: Record<Language, string[]>;
  /** Titles of the pages for operators, whose headings are not suggested to others. */
  operations: string[];
  /** Whether the store was changed. */
  written: boolean;
}

/** The handbook that comes with the product. */
export const handbookFolder = new URL('../../../handbook/', import.meta.url);

/**
 * Indexes the handbook unless this edition is indexed. It can be interrupted, repeated, and run by several
 * processes at once, as ids are derived from the content and documents are written last. Passages of earlier
 * editions remain readable from citations, but are not found any more.
 *
 * @throws if a file of the handbook is missing or invalid.
 */
export async function indexHandbook(
  models: KnowledgeModels,
  folder: URL = handbookFolder,
): Promise<IndexedHandbook> {
  const handbook = await readHandbook(folder);
  const { edition, operations } = handbook;
  const starters = forEachLanguage((language) => startersOf(handbook, language));
  const ready = await models.documents.countDocuments({ source: 'handbook', edition, status: 'ready' });
  if (ready === handbook.pages) return { edition, starters, operations, written: false };

  const parsed = handbook.parse();
  const pairs = parsed.pages.flatMap((page) => pairsOfPage(page, edition));
  const findable = pairs.map((pair) => pair.findable);
  const scope = handbookScope(edition);
  const counts = [...countsOf(findable)].map(([key, passages]) => ({ _id: scope + key, passages }));
  // Another process or an interrupted run may have written some. Equal ids mean equal content.
  await putAll(
    models.passages.collection,
    pairs.map(({ passage }) => passage),
  );
  await putAll(models.findable.collection, findable);
  await putAll(models.termCounts.collection, counts);
  await putPairs(models, edition, parsed.pairs);
  await putDocuments(models, edition, parsed.pages, findable);
  await retireOthers(models, edition);
  return { edition, starters, operations, written: true };
}

/** Removes the handbook from the index. Its passages remain readable. Can be interrupted and repeated. */
export async function removeHandbook(models: KnowledgeModels): Promise<IndexedHandbook> {
  const isThere = (await models.documents.countDocuments({ source: 'handbook' })) > 0;
  if (isThere) await retireOthers(models, '');
  return { edition: '', starters: forEachLanguage(() => []), operations: [], written: isThere };
}

/** Starter questions: the headings of the first page. */
function startersOf(handbook: Handbook, language: Language): string[] {
  const first = handbook.firstPage(language);
  if (first === undefined) return [];
  const headings = structureOf(first.text).filter((block) => block.kind === 'heading' && block.level > 1);
  return headings.map((block) => first.text.slice(block.start, block.end).replace(/^#+\s*/, ''));
}

function pairsOfPage(page: HandbookPage, edition: string): PassagePair[] {
  const { name, language, title, text, asks } = page;
  return [...passagesOf({ _id: documentIdOf(page), owner: '', name, title, language, edition, text, asks })];
}

function documentIdOf(page: HandbookPage): string {
  return idOf('document', page.name, page.text);
}

async function putDocuments(
  models: KnowledgeModels,
  edition: string,
  pages: readonly HandbookPage[],
  passages: readonly FindablePassage[],
): Promise<void> {
  const inOrder = timesInOrder();
  await models.documents.bulkWrite(
    pages.map((page) => {
      const _id = documentIdOf(page);
      const fields = {
        owner: '',
        source: 'handbook' as const,
        title: page.title,
        language: page.language,
        edition,
        status: 'ready' as const,
        text: page.text,
        passages: passages.filter(({ documentId }) => documentId === _id).length,
        createdAt: inOrder(),
      };
      return { updateOne: { filter: { _id }, update: { $set: fields }, upsert: true } };
    }),
    { ordered: false },
  );
}

async function putPairs(
  models: KnowledgeModels,
  edition: string,
  pairs: readonly HandbookPair[],
): Promise<void> {
  const inOrder = timesInOrder();
  await models.pairs.bulkWrite(
    pairs.map((pair) => {
      const { question, variants, answer, language } = pair;
      const ways = [question, ...variants];
      const createdAt = inOrder();
      const fields = {
        source: 'handbook' as const,
        question,
        variants,
        answer,
        language,
        keys: [...new Set(ways.map(questionKey))],
        terms: pair.fuzzy ? pairTerms(ways, language) : [],
        edition,
        createdAt,
      };
      return {
        updateOne: {
          filter: { _id: idOf('pair', language, question) },
          update: { $set: fields, $setOnInsert: { updatedAt: createdAt, hits: 0 } },
          upsert: true,
        },
      };
    }),
    { ordered: false },
  );
}

/** Returns a function for decreasing times: lists are sorted newest first, and page 1 must come first. */
function timesInOrder(): () => Date {
  let next = databaseNow();
  return () => new Date(next--);
}

/** Removes all other editions from the index. */
async function retireOthers(models: KnowledgeModels, edition: string): Promise<void> {
  const older = { $nin: ['', edition] };
  await models.findable.deleteMany({ edition: older });
  await models.pairs.deleteMany({ edition: older });
  const stale = await models.documents.find({ source: 'handbook', edition: older }, { edition: 1 }).lean();
  for (const gone of new Set(stale.map((document) => document.edition))) {
    const scope = handbookScope(gone);
    await models.termCounts.deleteMany({ _id: { $gte: `${scope} `, $lt: `${scope}!` } });
  }
  await models.documents.deleteMany({ source: 'handbook', edition: older });
}
