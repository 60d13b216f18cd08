import { Types } from 'mongoose';
import { type CollectionOwner, collectionOf } from '../answers/index/document.ts';
import { pairTerms } from '../answers/pairs/match-pair.ts';
import type { CuratedPair, PairModel } from '../answers/pairs/pair.ts';
import { analyseQuestion } from '../answers/retrieve/analyse-question.ts';
import { questionKey } from '../answers/retrieve/question-key.ts';
import { editableOwner, type KnowledgeAccess, narrowed } from '../collections/collections.ts';
import { firstCollection } from '../contract/collections.ts';
import {
  KnowledgePair,
  type KnowledgePairRequest,
  maxVariants,
  type NewKnowledgePair,
} from '../contract/knowledge.ts';
import type { Language } from '../contract/language.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import type { PageRequest } from '../store/cursor.ts';
import { databaseDate, databaseNow } from '../store/database-clock.ts';
import { describeAs } from '../store/describe-as.ts';
import { slicesById } from '../store/in-slices.ts';
import { orConflict } from '../store/store-failure.ts';
import type { Wanted } from './documents.ts';
import { everyOf, type PhasedList, readPhases, searched, startingWith } from './phased-list.ts';

/** Projection without the fields that only searches for answers use. */
const shownFields = { keys: 0, terms: 0 } as const;
type Shown = Omit<CuratedPair, keyof typeof shownFields>;

export type Pairs = ReturnType<typeof createPairs>;

/** The source of editors' pairs of a collection, by the owner of its documents. */
export const sourceOf = (owner: '' | CollectionOwner): Exclude<CuratedPair['source'], 'handbook'> =>
  owner || 'editor';

/** Curated questions. An editor's pair precedes one of the handbook for the same question. */
export function createPairs(pairs: PairModel) {
  function listOf({ q, collection }: Wanted, language: Language, access: KnowledgeAccess): PhasedList<Shown> {
    const { readable } = narrowed(access, collection);
    const textsIn = ({ question, variants, answer }: Shown) => [question, ...variants, answer];
    const shownLanguages = readable.includes('') ? startingWith(language) : [];
    return {
      ...searched(`pairs ${language} ${collection ?? ''}`, q, textsIn),
      phases: [
        { source: { $in: readable.map(sourceOf) } },
        ...shownLanguages.map((one) => ({ source: 'handbook', language: one })),
      ],
      read: (filter, limit) =>
        pairs.find(filter, shownFields).sort({ createdAt: -1, _id: -1 }).limit(limit).lean(),
    };
  }

  /** A pair that may be changed. */
  async function find(id: string, { readable, editable }: KnowledgeAccess): Promise<CuratedPair> {
    const sources: CuratedPair['source'][] = ['handbook', ...readable.map(sourceOf)];
    const pair = await pairs.findOne({ _id: id, source: { $in: sources } }).lean();
    if (!pair) throw notFound('pair');
    if (!editable.some((owner) => sourceOf(owner) === pair.source)) throw new ApiError('forbidden');
    return pair;
  }

  const owners = (keys: readonly string[], source: CuratedPair['source']) =>
    pairs.find({ keys: { $in: keys }, source }, { keys: 1 }).lean();

  async function add(_id: string, request: KnowledgePairRequest, source: CuratedPair['source']) {
    const now = databaseDate();
    const fields = { ...pairFields(request), source };
    const pair: CuratedPair = { _id, ...fields, hits: 0, createdAt: now, updatedAt: now };
    await refuseTaken(pair);
    await orConflict(() => pairs.create(pair), 'pair_exists');
    return toKnowledgePair(pair);
  }

  /** The store compares pairs of the first collection alone. */
  async function refuseTaken({ _id, source, keys }: Pick<CuratedPair, '_id' | 'source' | 'keys'>) {
    if (source !== 'editor' && (await owners(keys, source)).some((one) => one._id !== _id))
      throw new ApiError('pair_exists');
  }

  async function write(before: CuratedPair, request: KnowledgePairRequest): Promise<KnowledgePair> {
    const { _id, source, updatedAt } = before;
    const change = { ...pairFields(request), source, updatedAt: after(updatedAt) };
    const asSeen = { _id, source, updatedAt };
    await refuseTaken({ ...change, _id });
    const store = () => pairs.findOneAndUpdate(asSeen, { $set: change }, { returnDocument: 'after' }).lean();
    const written = await orConflict(store, 'pair_exists');
    if (!written) throw new ApiError('conflict');
    return toKnowledgePair(written);
  }

  return {
    /**
     * Editors' pairs newest first, then the handbook's; pairs in `language` first. `q` is a part of a question,
     * a variant or the answer, `collection` the id of the only one to list.
     * @throws invalidRequest('cursor'), also for a cursor of a list in another language.
     */
    async list(wanted: Wanted, request: PageRequest, language: Language, access: KnowledgeAccess) {
      const list = listOf(wanted, language, access);
      const { page, nextCursor } = await readPhases(list, request);
      return { pairs: page.map(toKnowledgePair), total: await totalOf(list, pairs), nextCursor };
    },

    count: ({ readable }: KnowledgeAccess): Promise<number> =>
      pairs.countDocuments({ source: { $in: ['handbook', ...readable.map(sourceOf)] } }),

    /** @throws forbidden for a collection that may not be changed; pair_exists if another editor's pair in it has the question or one of the variants. */
    add({ collectionId = firstCollection, ...request }: NewKnowledgePair, access: KnowledgeAccess) {
      const source = sourceOf(editableOwner(access, collectionId));
      return add(new Types.ObjectId().toHexString(), request, source);
    },

    /**
     * @param seen `updatedAt` of the pair that the editor was shown, if known. @throws notFound('pair');
     * forbidden for pairs of the handbook and of collections that may not be changed; conflict if it has changed since; pair_exists
     */
    async change(id: string, { updatedAt: seen, ...request }: KnowledgePairRequest, access: KnowledgeAccess) {
      const before = await find(id, access);
      if (seen !== undefined && seen !== before.updatedAt.toISOString()) throw new ApiError('conflict');
      return write(before, request);
    },

    /** @throws notFound('pair'), forbidden as in `change` */
    async remove(id: string, access: KnowledgeAccess): Promise<void> {
      const { source } = await find(id, access);
      await pairs.deleteOne({ _id: id, source });
    },

    /**
     * Stores an answer to questions from the inbox as a pair of a collection with this id; if an editor's pair of it already has the
     * question, that pair gets the new answer. `asked` are the phrasings; phrasings that belong to other pairs are
     * left out.
     * @throws pair_exists if another pair has a variant of the request.
     */
    async putFor(
      id: string,
      { question, variants = [], answer }: KnowledgePairRequest,
      asked: readonly string[],
      owner: '' | CollectionOwner = '',
    ): Promise<KnowledgePair> {
      const source = sourceOf(owner);
      const mine = new Set([question, ...variants].map(questionKey));
      const others = asked.filter((way) => !mine.has(questionKey(way)));
      const taken = await owners([...mine, ...others.map(questionKey)], source);
      const before = taken.find(({ keys }) => keys.includes(questionKey(question)));
      const elsewhere = new Set(taken.filter((one) => one !== before).flatMap(({ keys }) => keys));
      const free = others.filter((way) => !elsewhere.has(questionKey(way)));
      if (!before)
        return add(id, { question, variants: [...variants, ...free].slice(0, maxVariants), answer }, source);
      const there = await find(before._id, { readable: [owner], editable: [owner] });
      const ways = [...variants, question, ...there.variants, ...free];
      return write(there, { question: there.question, variants: ways.slice(0, maxVariants), answer });
    },

    has: async (id: string): Promise<boolean> => (await pairs.exists({ _id: id })) !== null,
  };
}

async function totalOf(list: PhasedList<Shown>, pairs: PairModel): Promise<number> {
  if (!list.fits) return pairs.countDocuments({ $or: [...list.phases] });
  let total = 0;
  for await (const _one of everyOf(list)) total += 1;
  return total;
}

/** A later timestamp, distinct even within one millisecond. */
function after(before: Date): Date {
  return new Date(Math.max(databaseNow(), before.getTime() + 1));
}

function toKnowledgePair(pair: Shown): KnowledgePair {
  const { hits, source, createdAt, updatedAt } = pair;
  return describeAs(KnowledgePair, {
    ...pair,
    collectionId: collectionOf(source),
    hits: hits ?? 0,
    isHandbook: source === 'handbook',
    updatedAt: updatedAt ?? createdAt,
  });
}

/** Pairs per read. */
const slice = 100;

/** All pairs of a source, by id, read in slices. */
export async function* pairsOf(pairs: PairModel, source: CuratedPair['source']): AsyncGenerator<CuratedPair> {
  for await (const some of slicesById<CuratedPair>(pairs, slice, { source })) yield* some;
}

/** Fewest words for matching similar questions; shorter ones match only exactly: 你好, “OK?”. */
const minWords = 1;

/** The fields of a pair entered by an editor. Variants that equal the question or one another are dropped. */
export function pairFields({ question, variants = [], answer }: KnowledgePairRequest) {
  const ways = new Map([[questionKey(question), question]]);
  for (const variant of variants) {
    const key = questionKey(variant);
    if (!ways.has(key)) ways.set(key, variant);
  }
  const { language } = analyseQuestion(question, 'zh');
  const [, ...others] = ways.values();
  const comparable = [...ways.values()].filter((way) => wordsOf(way) >= minWords);
  const terms = comparable.length > 0 ? pairTerms(comparable, language) : [];
  const keys = [...ways.keys()];
  return {
    source: 'editor' as const,
    question,
    variants: others,
    answer,
    language,
    keys,
    terms,
    edition: '',
  };
}

function wordsOf(way: string): number {
  return analyseQuestion(way, 'zh').units.reduce((sum, { share }) => sum + share, 0);
}
