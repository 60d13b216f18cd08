import { Types } from 'mongoose';
import type { Answerer } from '../answers/answerer.ts';
import { judgementOf } from '../answers/judgement.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { KnowledgeOverlay } from '../answers/match-pair.ts';
import type { CuratedPair } from '../answers/pair.ts';
import { questionKey } from '../answers/question-key.ts';
import type { AnswerSource } from '../contract/answers.ts';
import type { KnowledgeChange, KnowledgeCheck, TriedQuestion } from '../contract/knowledge.ts';
import type { Language } from '../contract/language.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import { databaseDate } from '../store/database-clock.ts';
import { pairFields } from './pair-fields.ts';
import { pairsOf } from './pairs-of.ts';

/** Maximum number of questions checked, and the time limit in ms. */
const maxQuestions = 2000;
const withinMs = 5000;

/**
 * Creates an answerer that sees the knowledge base with an overlay. It calls no model and updates no
 * statistics.
 */
export type WithOverlay = (overlay: KnowledgeOverlay) => Answerer;

/**
 * Answers the curated questions, those of editors first, with the knowledge base before and after a change,
 * and returns those whose answer would differ. The changed pair's own questions are excluded.
 * @throws notFound('pair' or 'document'), forbidden for the handbook, pair_exists if a question belongs to
 * another editor's pair.
 */
export async function checkChange(
  { models, withOverlay }: { models: Pick<KnowledgeModels, 'documents' | 'pairs'>; withOverlay: WithOverlay },
  change: KnowledgeChange,
): Promise<KnowledgeCheck> {
  const { overlay, ownKeys } = await plan(models, change);
  const [before, after] = [withOverlay({}), withOverlay(overlay)];
  const result: KnowledgeCheck = { checked: 0, isPartial: false, changed: [] };
  const end = AbortSignal.timeout(withinMs);
  for await (const { text, language } of curatedQuestions(models.pairs)) {
    if (end.aborted || result.checked >= maxQuestions) return { ...result, isPartial: true };
    if (!ownKeys.has(questionKey(text))) {
      const was = await ask(before, text, language, end);
      const willBe = await ask(after, text, language, end);
      // A result that was interrupted is not reported.
      if (end.aborted) return { ...result, isPartial: true };
      const isSame = was.source === willBe.source && was.answer === willBe.answer;
      if (!isSame) result.changed.push({ question: text, before: was, after: willBe });
    }
    result.checked += 1;
  }
  return result;
}

interface Plan {
  overlay: KnowledgeOverlay;
  /** Questions that the changed pair answers both before and after the change. */
  ownKeys: ReadonlySet<string>;
}

async function plan(
  { documents, pairs }: Pick<KnowledgeModels, 'documents' | 'pairs'>,
  change: KnowledgeChange,
): Promise<Plan> {
  if (change.kind === 'delete_document') {
    const found = await documents
      .findOne({ _id: change.id, owner: '', deletedAt: null }, { source: 1 })
      .lean();
    if (!found) throw notFound('document');
    if (found.source === 'handbook') throw new ApiError('forbidden');
    return { overlay: { withoutDocument: change.id }, ownKeys: new Set() };
  }
  const before = change.id === undefined ? null : await pairs.findById(change.id).lean();
  if (change.id !== undefined && !before) throw notFound('pair');
  if (before?.source === 'handbook') throw new ApiError('forbidden');
  if (change.kind === 'delete_pair') return { overlay: { withoutPair: change.id }, ownKeys: new Set() };
  const now = databaseDate();
  const fields = pairFields(change.pair);
  const pair: CuratedPair = {
    ...(before ?? { _id: new Types.ObjectId().toHexString(), hits: 0, createdAt: now }),
    ...fields,
    updatedAt: now,
  };
  const others = { keys: { $in: pair.keys }, source: 'editor' as const, _id: { $ne: pair._id } };
  if (await pairs.exists(others)) throw new ApiError('pair_exists');
  return { overlay: { pair }, ownKeys: new Set(before?.keys.filter((key) => pair.keys.includes(key))) };
}

async function* curatedQuestions(
  pairs: KnowledgeModels['pairs'],
): AsyncGenerator<{ text: string; language: Language }> {
  for (const source of ['editor', 'handbook'] as const)
    for await (const { question, variants, language } of pairsOf(pairs, source))
      for (const text of [question, ...variants]) yield { text, language };
}

/** Answers a question as the knowledge base does for anyone. */
export async function tryQuestion(
  withOverlay: WithOverlay,
  text: string,
  language: Language,
): Promise<TriedQuestion> {
  const end = AbortSignal.timeout(withinMs);
  let answer = '';
  for await (const piece of withOverlay({}).answer({ text, language, owner: '', history: [] }, end)) {
    if (piece.kind === 'text') answer += piece.text;
    if (piece.kind !== 'final') continue;
    const { source, citations, why = null } = piece;
    return { answer, source, ...judgementOf(piece), citations, why };
  }
  throw new ApiError('unavailable');
}

async function ask(
  answerer: Answerer,
  text: string,
  language: Language,
  signal: AbortSignal,
): Promise<{ source: AnswerSource; answer: string }> {
  let answer = '';
  let source: AnswerSource = 'none';
  for await (const piece of answerer.answer({ text, language, owner: '', history: [] }, signal)) {
    if (piece.kind === 'text') answer += piece.text;
    if (piece.kind === 'final') ({ source } = piece);
  }
  return { source, answer };
}
