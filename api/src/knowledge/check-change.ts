import { Types } from 'mongoose';
import type { CollectionOwner } from '../answers/index/document.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { KnowledgeOverlay } from '../answers/pairs/match-pair.ts';
import type { CuratedPair } from '../answers/pairs/pair.ts';
import { questionKey } from '../answers/retrieve/question-key.ts';
import { compileSynonyms } from '../answers/retrieve/synonyms.ts';
import { editableOwner, type KnowledgeAccess } from '../collections/collections.ts';
import { firstCollection } from '../contract/collections.ts';
import type { KnowledgeChange, KnowledgeCheck } from '../contract/knowledge.ts';
import type { Language } from '../contract/language.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import { databaseDate } from '../store/database-clock.ts';
import { draftsOf } from './documents.ts';
import type { GoldenRuns } from './golden/golden-runs.ts';
import { pairFields, pairsOf, sourceOf } from './pairs.ts';
import { withoutRepetition } from './synonym-list.ts';
import { compareAnswers, trialMs, type WithOverlay } from './try-question.ts';

const maxQuestions = 2000;

/**
 * Answers curated questions with the knowledge base before and after a change, and returns the questions whose answers would differ,
 * and the golden questions. Questions that share words with a changed pair, and those of editors, come first; the changed pair's own
 * questions are excluded. Answers use the collections that `access` allows to read.
 * @throws notFound('pair' or 'document'), forbidden for the handbook, pair_exists if a question belongs to
 * another editor's pair.
 */
export async function checkChange(
  deps: {
    models: Pick<KnowledgeModels, 'documents' | 'pairs'>;
    withOverlay: WithOverlay;
    goldenRuns: Pick<GoldenRuns, 'preview' | 'previewOthers'>;
    /** Questions of the unanswered inbox. */
    unansweredQuestions(): Promise<readonly { question: string; language: Language }[]>;
  },
  change: KnowledgeChange,
  access: KnowledgeAccess,
): Promise<KnowledgeCheck> {
  const { models, withOverlay, goldenRuns, unansweredQuestions } = deps;
  const { overlay, ownKeys } = await plan(models, change, access);
  const readable = access.readable.filter((owner) => owner !== '');
  const golden = await goldenRuns.preview(overlay, AbortSignal.timeout(trialMs), access);
  const unanswered =
    change.kind === 'put_synonyms' &&
    (await goldenRuns.previewOthers(await unansweredQuestions(), overlay, AbortSignal.timeout(trialMs)));
  let checked = 0;
  let isCut = false;
  async function* questions() {
    for await (const one of curatedQuestions(models.pairs, readable, overlay.pair)) {
      isCut = checked >= maxQuestions;
      if (isCut) return;
      if (!ownKeys?.has(questionKey(one.question))) yield { ...one, readable };
      checked += 1;
    }
  }
  const { changed, isPartial } = await compareAnswers(
    questions(),
    { withOverlay, overlay, end: AbortSignal.timeout(trialMs) },
    (_, { source, answer }) => ({ source, answer }),
    (before, after) => before.source === after.source && before.answer === after.answer,
  );
  const isPart = golden.isPartial || isPartial || isCut;
  return { ...golden, ...(unanswered ? { unanswered } : {}), checked, changed, isPartial: isPart };
}

interface Plan {
  overlay: KnowledgeOverlay;
  /** Questions that the changed pair answers both before and after the change. */
  ownKeys?: ReadonlySet<string>;
}

async function plan(
  { documents, pairs }: Pick<KnowledgeModels, 'documents' | 'pairs'>,
  change: KnowledgeChange,
  access: KnowledgeAccess,
): Promise<Plan> {
  const { editable } = access;
  if (change.kind === 'publish_document') {
    await needDraft(documents, change.id, access);
    return { overlay: { draft: change.id } };
  }
  if (change.kind === 'put_synonyms') {
    if (!editable.includes('')) throw new ApiError('forbidden');
    return { overlay: { synonyms: compileSynonyms(withoutRepetition(change.groups)) } };
  }
  if (change.kind === 'delete_document') {
    const there = { _id: change.id, owner: { $in: [...editable] }, deletedAt: null };
    const found = await documents.findOne(there, { source: 1 }).lean();
    if (!found) throw notFound('document');
    if (found.source === 'handbook') throw new ApiError('forbidden');
    return { overlay: { withoutDocument: change.id } };
  }
  const sources: CuratedPair['source'][] = ['handbook', ...editable.map(sourceOf)];
  const { id } = change;
  const before = id === undefined ? null : await pairs.findOne({ _id: id, source: { $in: sources } }).lean();
  if (id !== undefined && !before) throw notFound('pair');
  if (before?.source === 'handbook') throw new ApiError('forbidden');
  if (change.kind === 'delete_pair') return { overlay: { withoutPair: change.id } };
  const now = databaseDate();
  const { collectionId = firstCollection } = change.pair;
  const source = before?.source ?? sourceOf(editableOwner(access, collectionId));
  const old = before ?? { _id: new Types.ObjectId().toHexString(), hits: 0, createdAt: now };
  const pair: CuratedPair = { ...old, ...pairFields(change.pair), source, updatedAt: now };
  const others = { keys: { $in: pair.keys }, source, _id: { $ne: pair._id } };
  if (await pairs.exists(others)) throw new ApiError('pair_exists');
  return { overlay: { pair }, ownKeys: new Set(before?.keys.filter((key) => pair.keys.includes(key))) };
}

/** @throws notFound('document') unless it is a draft that is ready, of a collection that may be changed. */
export async function needDraft(
  documents: KnowledgeModels['documents'],
  id: string,
  access: KnowledgeAccess,
): Promise<void> {
  const draft = { _id: id, ...draftsOf(access), status: 'ready' } as const;
  if (!(await documents.exists(draft))) throw notFound('document');
}

/** Sorts questions of pairs that share words with the changed pair first, so that they are checked even if there is no time for all. */
async function* curatedQuestions(
  pairs: KnowledgeModels['pairs'],
  readable: readonly CollectionOwner[],
  changed?: Pick<CuratedPair, 'keys' | 'terms'>,
): AsyncGenerator<{ question: string; language: Language }> {
  const words = new Set([...(changed?.keys ?? []), ...(changed?.terms ?? [])]);
  for (const isNear of [true, false])
    for (const source of ['editor', ...readable, 'handbook'] as const)
      for await (const { question, variants, language, keys, terms } of pairsOf(pairs, source))
        if ([...keys, ...terms].some((word) => words.has(word)) === isNear)
          for (const way of [question, ...variants]) yield { question: way, language };
}
