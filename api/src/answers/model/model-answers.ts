import type { AnswerReason } from '../../contract/answers.ts';
import type { Language } from '../../contract/language.ts';
import type { AnswerPiece, Question } from '../answerer.ts';
import type { PassageText } from '../extract-answer.ts';

/** A question with what was found for it. */
export interface ModelQuestion {
  question: Question;
  /** Language to answer in. */
  language: Language;
  /** Best first; what does not fit into the model's budget is left out from the end. */
  passages: readonly PassageText[];
  /** What the desk itself would offer, none where it could answer; and what is offered where the model says that it cannot. */
  suggestions: string[];
  suggestionsIfRefused: string[];
  why?: AnswerReason;
}

/** The models, as the answerer asks them. */
export interface ModelAnswers {
  /** Whether a model is to answer: false where none is configured, or none was chosen. */
  takes(question: Question): boolean;
  /**
   * Answers by the model that was chosen. Returns true when that is all. Returns false when the model said nothing: then a line that tells so has been
   * yielded, and what the knowledge base says is to follow, with its `final`.
   *
   * @throws modelFailed when the model breaks off midway; what was yielded stands.
   */
  answer(question: ModelQuestion, signal: AbortSignal): AsyncGenerator<AnswerPiece, boolean, undefined>;
}
