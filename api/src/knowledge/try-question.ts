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

/** Answers a question from the first collection, and from the collections in `readable`. @throws unavailable if `signal` aborts */
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

type ComparedQuestion = Required<Pick<Question, 'language' | 'readable'>> & { question: string };

/**
 * Answers questions with the knowledge base and with a change of it, until `end` aborts, and returns the questions whose results
 * differ. `resultOf` gets an answer and the change that it was given with; `known` are results without the change.
 */
export async function compareAnswers<T extends ComparedQuestion, R>(
  questions: Iterable<T> | AsyncIterable<T>,
  { withOverlay, overlay, end }: { withOverlay: WithOverlay; overlay: KnowledgeOverlay; end: AbortSignal },
  resultOf: (one: T, tried: TriedQuestion, change: KnowledgeOverlay) => R | Promise<R>,
  isSame: (before: R, after: R) => boolean,
  known: (one: T) => R | null = () => null,
): Promise<{ checked: number; changed: { question: string; before: R; after: R }[]; isPartial: boolean }> {
  const changed: { question: string; before: R; after: R }[] = [];
  let checked = 0;
  const [without, withChange] = [withOverlay({}), withOverlay(overlay)];
  const ask = (answerer: Answerer, { question, language, readable }: T) =>
    tryQuestion(answerer, question, language, end, readable);
  try {
    for await (const one of questions) {
      if (end.aborted) return { checked, changed, isPartial: true };
      const before = known(one) ?? (await resultOf(one, await ask(without, one), {}));
      const after = await resultOf(one, await ask(withChange, one), overlay);
      checked += 1;
      if (!isSame(before, after)) changed.push({ question: one.question, before, after });
    }
  } catch (cause) {
    if (!end.aborted) throw cause;
    return { checked, changed, isPartial: true };
  }
  return { checked, changed, isPartial: false };
}
