import type { AnswerReason, Citation } from '../../contract/answers.ts';
import type { FinalPiece, Question } from '../answerer.ts';
import type { KnowledgePassage } from '../index/passage.ts';

/** A question with its passages. It is answered in its language. */
export interface ModelQuestion {
  question: Question;
  /** Best first; the last ones are left out if they do not fit into the context. */
  passages: readonly KnowledgePassage[];
  /** Suggestions with an answer without citations, and with a refusal. */
  suggestions: string[];
  suggestionsIfRefused: string[];
  /** The answer if the model says nothing; default: the product's. */
  nothingFound?: string;
  why?: AnswerReason;
  /** What the final piece contains besides, by the citations of the complete answer. */
  judge?(citations: readonly Citation[]): Partial<FinalPiece>;
}
