import type { AnswerReason, AnswerSource, Citation, Judgement } from '../contract/answers.ts';
import type { FileKind } from '../contract/files.ts';
import type { Language } from '../contract/language.ts';
import type { CollectionOwner } from './index/document.ts';

/** An earlier turn of the same conversation, oldest first. */
export interface Turn {
  question: string;
  answer: string;
  /** Ids of its files; missing if there are none. */
  fileIds?: readonly string[];
}

export interface Question {
  text: string;
  /** `user:<id>` or `guest:<id>`: only private passages of this owner are used. */
  owner: string;
  /** Owners of the collections to search besides the first one; default: those that `owner` may read. */
  readable?: readonly CollectionOwner[];
  /** Whether `owner` may have private passages; default true. */
  hasPassages?: boolean;
  language: Language;
  history: readonly Turn[];
  /** Files of the question. If there are any, it is answered only from them. */
  files?: readonly QuestionFile[];
  /** The owner's documents of earlier files of the conversation, which a question may be about. */
  earlierDocumentIds?: readonly string[];
  /** Whether files were sent without a question, so that they are summarised. */
  isSummary?: boolean;
  /** Name of the chosen model; '' or missing for the default, 'none' to extract answers. */
  model?: string;
}

/** A file of a question, after its text was extracted. */
export interface QuestionFile {
  name: string;
  kind: FileKind;
  /** Id of the owner's private document with its text; null without readable text. */
  documentId: string | null;
  /** Reads a picture, for models with vision; null for other files. `type` is its media type. */
  readImage: (() => Promise<{ type: string; bytes: Uint8Array }>) | null;
}

/** The model that answers, and how its passages were found. */
export interface AnsweredBy {
  model: string;
  why?: AnswerReason;
}

/**
 * A piece of an answer. The texts of the `text` pieces form the answer; exactly one `final` comes last. A
 * piece never splits a surrogate pair.
 */
export type AnswerPiece =
  /**
   * `cites` are the citations that `[n]` in this text refers to first: an interrupted answer has those that
   * it shows. `by` comes with the first text of a model.
   */
  | { kind: 'text'; text: string; cites?: Citation[]; by?: AnsweredBy }
  /** A model's reasoning, which is not part of the answer. */
  | { kind: 'reasoning'; text: string }
  /** The collections, besides the first one, whose knowledge the following pieces may contain. */
  | { kind: 'collections'; ids: readonly string[] }
  /** All collections that the asker may read, besides the first one. */
  | { kind: 'audience'; ids: readonly string[] }
  | FinalPiece;

/** Yields the pieces of an answer, and returns `R`. */
export type Pieces<R = void> = AsyncGenerator<AnswerPiece, R, undefined>;

/** The end of an answer. `outcome` is missing if `source` decides it, see `outcomeOf`. */
export interface FinalPiece extends Partial<Judgement> {
  kind: 'final';
  source: AnswerSource;
  citations: Citation[];
  suggestions: string[];
  /** Name of the model that answered; missing if none did. */
  model?: string;
  /** How the answer was found. */
  why?: AnswerReason;
}

/** Maximum length of an answer in UTF-16 units. Longer ones are cut and count as interrupted. */
export const maxAnswerLength = 400_000;
/** Maximum length of a model's reasoning as stored and shown, in UTF-16 units. */
export const maxReasoningLength = 20_000;

/**
 * Answers questions. The pieces are computed when the reader asks for them. Ends without an error when
 * `signal` aborts. Throws `modelFailed` (see errors.ts) if a model's answer is interrupted; the pieces before
 * remain valid.
 */
export interface Answerer {
  answer(question: Question, signal: AbortSignal): AsyncIterable<AnswerPiece>;
}
