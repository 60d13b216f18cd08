import { Types } from 'mongoose';
import type { CuratedPair, PairModel } from '../answers/pair.ts';
import { questionKey } from '../answers/question-key.ts';
import {
  type KnowledgePair,
  type KnowledgePairPage,
  type KnowledgePairRequest,
  maxVariants,
} from '../contract/knowledge.ts';
import type { Language } from '../contract/language.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import type { PageRequest } from '../store/cursor.ts';
import { databaseDate, databaseNow } from '../store/database-clock.ts';
import { isDuplicateKey } from '../store/store-failure.ts';
import { pairFields } from './pair-fields.ts';
import { everyOf, type PhasedList, readPhases, searched, startingWith } from './phased-list.ts';

const fields = {
  source: 1,
  question: 1,
  variants: 1,
  answer: 1,
  hits: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;
type Shown = Pick<CuratedPair, '_id' | keyof typeof fields>;

export type Pairs = ReturnType<typeof createPairs>;

/**
 * Curated questions with their answers. An editor's pair takes precedence over one of the handbook for the
 * same question.
 */
export function createPairs(pairs: PairModel) {
  function listOf(q: string, language: Language): PhasedList<Shown> {
    return {
      ...searched(`pairs ${language}`, q, ({ question, variants, answer }) => [
        question,
        ...variants,
        answer,
      ]),
      phases: [
        { source: 'editor' },
        ...startingWith(language).map((one) => ({ source: 'handbook', language: one })),
      ],
      read: (filter, limit) =>
        pairs.find(filter, fields).sort({ createdAt: -1, _id: -1 }).limit(limit).lean<Shown[]>(),
    };
  }

  async function find(id: string): Promise<CuratedPair> {
    const pair = await pairs.findById(id).lean();
    if (!pair) throw notFound('pair');
    if (pair.source !== 'editor') throw new ApiError('forbidden');
    return pair;
  }

  const owners = (keys: readonly string[]) =>
    pairs.find({ keys: { $in: keys }, source: 'editor' }, { keys: 1 }).lean();

  async function add(_id: string, request: KnowledgePairRequest): Promise<KnowledgePair> {
    const now = databaseDate();
    const pair: CuratedPair = { _id, ...pairFields(request), hits: 0, createdAt: now, updatedAt: now };
    return toKnowledgePair(await known(() => pairs.create(pair).then(() => pair)));
  }

  async function write(before: CuratedPair, request: KnowledgePairRequest): Promise<KnowledgePair> {
    const change = { ...pairFields(request), updatedAt: after(before.updatedAt) };
    const asSeen = { _id: before._id, source: 'editor' as const, updatedAt: before.updatedAt };
    const written = await known(() =>
      pairs.findOneAndUpdate(asSeen, { $set: change }, { returnDocument: 'after' }).lean(),
    );
    if (!written) throw new ApiError('conflict');
    return toKnowledgePair(written);
  }

  return {
    /**
     * Editors' pairs newest first, then the handbook's, those in `language` first. `q` is a part of a question,
     * a variant or the answer.
     * @throws invalidRequest('cursor'), also for a cursor of a list in another language.
     */
    async list(q: string, request: PageRequest, language: Language): Promise<KnowledgePairPage> {
      const list = listOf(q, language);
      const { page, nextCursor } = await readPhases(list, request);
      return { pairs: page.map(toKnowledgePair), total: await totalOf(list, pairs), nextCursor };
    },

    count: (): Promise<number> => pairs.estimatedDocumentCount(),

    /** @throws pair_exists if another editor's pair has the question or one of the variants. */
    add: (request: KnowledgePairRequest): Promise<KnowledgePair> =>
      add(new Types.ObjectId().toHexString(), request),

    /**
     * @param seen `updatedAt` of the pair that the editor was shown, if known. @throws notFound('pair');
     * forbidden for the handbook's; conflict if it has changed since; pair_exists
     */
    async change(id: string, request: KnowledgePairRequest, seen?: string): Promise<KnowledgePair> {
      const before = await find(id);
      if (seen !== undefined && seen !== before.updatedAt.toISOString()) throw new ApiError('conflict');
      return write(before, request);
    },

    /** @throws notFound('pair'), forbidden for the handbook's. */
    async remove(id: string): Promise<void> {
      await find(id);
      await pairs.deleteOne({ _id: id, source: 'editor' });
    },

    /**
     * Stores an answer to questions from the inbox as a pair with this id; if an editor's pair already has the
     * question, that pair gets the new answer. `asked` are the phrasings; those that belong to other pairs are
     * left out.
     * @throws pair_exists if another pair has a variant of the request.
     */
    async putFor(
      id: string,
      { question, variants = [], answer }: KnowledgePairRequest,
      asked: readonly string[],
    ): Promise<KnowledgePair> {
      const mine = new Set([question, ...variants].map(questionKey));
      const others = asked.filter((way) => !mine.has(questionKey(way)));
      const taken = await owners([...mine, ...others.map(questionKey)]);
      const before = taken.find(({ keys }) => keys.includes(questionKey(question)));
      const elsewhere = new Set(taken.filter((one) => one !== before).flatMap(({ keys }) => keys));
      const free = others.filter((way) => !elsewhere.has(questionKey(way)));
      if (!before)
        return add(id, { question, variants: [...variants, ...free].slice(0, maxVariants), answer });
      const there = await find(before._id);
      const ways = [...variants, question, ...there.variants, ...free];
      return write(there, { question: there.question, variants: ways.slice(0, maxVariants), answer });
    },

    has: async (id: string): Promise<boolean> => (await pairs.exists({ _id: id })) !== null,
  };
}

async function totalOf(list: PhasedList<Shown>, pairs: PairModel): Promise<number> {
  if (!list.fits) return pairs.estimatedDocumentCount();
  let total = 0;
  for await (const _one of everyOf(list)) total += 1;
  return total;
}

/** A later timestamp, distinct even within one millisecond. */
function after(before: Date): Date {
  return new Date(Math.max(databaseNow(), before.getTime() + 1));
}

/** @throws pair_exists if the store reports that another pair has one of the phrasings. */
async function known<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    throw isDuplicateKey(cause) ? new ApiError('pair_exists') : cause;
  }
}

function toKnowledgePair(pair: Shown): KnowledgePair {
  const { _id, question, variants, answer, hits, source, createdAt, updatedAt } = pair;
  return {
    id: _id,
    question,
    variants,
    answer,
    hits: hits ?? 0,
    isHandbook: source === 'handbook',
    createdAt: createdAt.toISOString(),
    updatedAt: (updatedAt ?? createdAt).toISOString(),
  };
}
