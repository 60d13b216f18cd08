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
import type { CuratedPair } from '../pairs/pair.ts';
import { questionKey } from '../retrieve/question-key.ts';
import { type Handbook, type HandbookPage, type HandbookPair, readHandbook } from './read-handbook.ts';

export interface IndexedHandbook {
  edition: string;
  /** Questions to offer if no other is similar, by language. */
  starters: Record<Language, string[]>;
  /** Titles of the pages whose headings are not offered: they are for those who run the desk. */
  operations: string[];
  /** Whether anything had to be written. */
  written: boolean;
}

/** The handbook that comes with the product. */
export const handbookFolder = new URL('../../../handbook/', import.meta.url);

/**
 * Indexes the handbook unless this edition is indexed. Ids are derived from the content and documents are written last, so that it can be interrupted,
 * repeated, and run by several processes at once. Passages of earlier editions remain readable from citations, but are not found any more.
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
  // Another process or an interrupted run may have written some: the same id means the same content.
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

/** Removes the handbook from the index. Its passages remain readable from citations. Can be interrupted and repeated. */
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
      const { _id, ...fields } = pairOf(pair, edition);
      const createdAt = inOrder();
      return {
        updateOne: {
          filter: { _id },
          update: { $set: { ...fields, createdAt }, $setOnInsert: { updatedAt: createdAt, hits: 0 } },
          upsert: true,
        },
      };
    }),
    { ordered: false },
  );
}

/** Lists are sorted newest first: the first page of the handbook gets the newest time. */
function timesInOrder(): () => Date {
  let next = databaseNow();
  return () => new Date(next--);
}

function pairOf(pair: HandbookPair, edition: string): Omit<CuratedPair, 'createdAt' | 'updatedAt' | 'hits'> {
  const ways = [pair.question, ...pair.variants];
  return {
    _id: idOf('pair', pair.language, pair.question),
    source: 'handbook',
    question: pair.question,
    variants: pair.variants,
    answer: pair.answer,
    language: pair.language,
    keys: [...new Set(ways.map(questionKey))],
    terms: pair.fuzzy ? pairTerms(ways, pair.language) : [],
    edition,
  };
}

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
