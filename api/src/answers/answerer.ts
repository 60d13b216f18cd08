import type { AnswerReason, AnswerSource, Citation } from '../contract/answers.ts';
import type { FileKind } from '../contract/files.ts';
import type { Language } from '../contract/language.ts';

/** An earlier turn of the same conversation, oldest first. */
export interface Turn {
  question: string;
  answer: string;
  /** Ids of the files that came with it; missing without. */
  fileIds?: readonly string[];
}

export interface Question {
  text: string;
  /** `user:<id>` or `guest:<id>`: private passages of this owner may be used, nobody else's. */
  owner: string;
  language: Language;
  history: readonly Turn[];
  /** What came with the question: where there is any, only their passages and pictures answer it. */
  files?: readonly QuestionFile[];
  /** The owner's documents of files that came earlier in the conversation: a question without files may go on about them. */
  earlierDocumentIds?: readonly string[];
  /** Nobody put the question: the files are to be summed up. */
  isSummary?: boolean;
  /** Name of the model that was chosen; '' or missing is the default, 'none' the knowledge base alone. */
  model?: string;
}

/** One file of a question, read already. */
export interface QuestionFile {
  name: string;
  kind: FileKind;
  /** The owner's private document that its text became; null when nothing could be read in it. */
  documentId: string | null;
  /** The picture itself, for models that see; null for other files. `type` is its media type. */
  readImage: (() => Promise<{ type: string; bytes: Uint8Array }>) | null;
}

/** Name of the model that answers, and why it answers as it does. */
export interface AnsweredBy {
  model: string;
  why?: AnswerReason;
}

/**
 * `text` pieces joined are the answer; exactly one `final` comes last. A piece never splits a surrogate pair, and `[n]` is only
 * ever sent when `citations[n - 1]` will exist. `cites` are the citations that are new with a piece, so that an answer which is
 * stopped or breaks off has those that it shows; for the same reason `by` comes with the first words of a model. `reasoning` is what a model
 * thinks aloud, and no part of the answer.
 */
export type AnswerPiece =
  | { kind: 'text'; text: string; cites?: Citation[]; by?: AnsweredBy }
  | { kind: 'reasoning'; text: string }
  | {
      kind: 'final';
      source: AnswerSource;
      citations: Citation[];
      suggestions: string[];
      /** Name of the model that answered; missing when none did. */
      model?: string;
      /** Why the answer is what it is. */
      why?: AnswerReason;
    };

/** An answer this long has gone astray: it is cut there and counts as broken off. UTF-16 units. */
export const maxAnswerLength = 400_000;
/** Maximum length of what a model thinks aloud, as it is kept and shown, in UTF-16 units. */
export const maxReasoningLength = 20_000;

/**
 * The one way to an answer. A pull stream: nothing runs ahead of its reader by more than a piece. Ends quietly when `signal`
 * aborts. Throws `modelFailed` (see errors.ts) when a model breaks off; what was yielded before stands.
 */
export interface Answerer {
  answer(question: Question, signal: AbortSignal): AsyncIterable<AnswerPiece>;
}
