import type { Answerer, Question } from '../answers/answerer.ts';
import { judgementOf } from '../answers/judgement.ts';
import type { KnowledgeOverlay } from '../answers/pairs/match-pair.ts';
import type { TriedQuestion } from '../contract/knowledge.ts';
import type { Language } from '../contract/language.ts';
import { ApiError } from '../errors/errors.ts';

/** Time limit of trying questions while an editor waits, in ms. */
export const trialMs = 5000;

/** An answerer that sees the knowledge with an overlay, calls no model and updates no statistics. */
export type WithOverlay = (overlay: KnowledgeOverlay) => Answerer;

/** Answers a question as the knowledge base does for anyone, or who may read the collections of `readable` besides the first one. @throws unavailable if `signal` aborts */
export async function tryQuestion(
  answerer: Answerer,
  text: string,
  language: Language,
  signal: AbortSignal = AbortSignal.timeout(trialMs),
  readable?: Question['readable'],
): Promise<TriedQuestion> {
  let answer = '';
  const question = { text, language, owner: '', history: [], ...(readable ? { readable } : {}) };
  for await (const piece of answerer.answer(question, signal)) {
    if (piece.kind === 'text') answer += piece.text;
    if (piece.kind !== 'final') continue;
    const { source, citations, why = null } = piece;
    return { answer, source, ...judgementOf(piece), citations, why };
  }
  throw new ApiError('unavailable');
}
