import type { AnswerReason } from '../../contract/answers.ts';
import type { Language } from '../../contract/language.ts';
import type { AnswerPiece, Question } from '../answerer.ts';
import type { PassageText } from '../extract-answer.ts';

/** A question with its passages. */
export interface ModelQuestion {
  question: Question;
  /** Language to answer in. */
  language: Language;
  /** Best first; the last ones are left out if they do not fit into the context. */
  passages: readonly PassageText[];
  /** Suggestions with an answer without citations, and with a refusal. */
  suggestions: string[];
  suggestionsIfRefused: string[];
  /** The answer if the model says nothing; default: the product's. */
  nothingFound?: string;
  why?: AnswerReason;
}

/** Answers by models. */
export interface ModelAnswers {
  /** Whether a model answers: false if none is configured or chosen. */
  takes(question: Question): boolean;
  /**
   * Answers with the chosen model. Returns true if the answer is complete, false if the model failed before its first token: then the reason was yielded, and
   * the caller continues with an extracted answer and its `final`.
   *
   * @throws modelFailed if the model fails within its answer; pieces yielded before remain valid.
   */
  answer(question: ModelQuestion, signal: AbortSignal): AsyncGenerator<AnswerPiece, boolean, undefined>;
}
