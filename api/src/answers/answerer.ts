import type { AnswerSource, Citation, Language } from '../contract.ts';

/** An earlier turn of the same conversation, oldest first. */
export interface Turn {
  question: string;
  answer: string;
}

export interface Question {
  text: string;
  /** `user:<id>` or `guest:<id>`: private passages of this owner may be used, nobody else's. */
  owner: string;
  language: Language;
  history: readonly Turn[];
}

/**
 * `text` pieces joined are the answer; exactly one `final` comes last. A piece never splits a surrogate pair, and `[n]` is only
 * ever sent when `citations[n - 1]` will exist. `cites` are the citations that are new with a piece, so that an answer which is
 * stopped or breaks off has those that it shows.
 */
export type AnswerPiece =
  | { kind: 'text'; text: string; cites?: Citation[] }
  | { kind: 'final'; source: AnswerSource; citations: Citation[]; suggestions: string[] };

/**
 * The one way to an answer. A pull stream: nothing runs ahead of its reader by more than a piece. Ends quietly when `signal`
 * aborts. Throws `modelFailed` (see errors.ts) when a model breaks off; what was yielded before stands.
 */
export interface Answerer {
  answer(question: Question, signal: AbortSignal): AsyncIterable<AnswerPiece>;
}
