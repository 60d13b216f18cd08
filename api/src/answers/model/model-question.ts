import type { AnswerReason } from '../../contract/answers.ts';
import type { Language } from '../../contract/language.ts';
import type { Question } from '../answerer.ts';
import type { PassageText } from '../retrieve/places.ts';

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
