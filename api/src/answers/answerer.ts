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
  /** Owners of the collections that answer it besides the first one; missing: those that `owner` may read. */
  readable?: readonly CollectionOwner[];
  /** False: `owner` has no private passages. */
  hasPassages?: boolean;
  language: Language;
  history: readonly Turn[];
  /** Files of the question: if there are any, only their passages and pictures answer it. */
  files?: readonly QuestionFile[];
  /** The owner's documents of earlier files of the conversation: a question without files may be about them. */
  earlierDocumentIds?: readonly string[];
  /** Files were sent without a question: they are summarised. */
  isSummary?: boolean;
  /** Name of the chosen model; '' or missing: the default, 'none': answers are extracted. */
  model?: string;
}

/** A file of a question, after its text was extracted. */
export interface QuestionFile {
  name: string;
  kind: FileKind;
  /** The owner's private document with its text; null without readable text. */
  documentId: string | null;
  /** The picture for models with vision; null for other files. `type` is its media type. */
  readImage: (() => Promise<{ type: string; bytes: Uint8Array }>) | null;
}

/** The model that answers, and how its passages were found. */
export interface AnsweredBy {
  model: string;
  why?: AnswerReason;
}

/**
 * The `text` pieces form the answer; exactly one `final` comes last. A piece never splits a surrogate pair, and `[n]` is sent only if `citations[n - 1]`
 * will exist. `cites` are the new citations of a piece, so that an interrupted answer has those that it shows; for the same reason `by` comes with the first
 * piece of a model. `reasoning` is a model's thinking and not part of the answer. `collections` are those, besides the first one, whose knowledge the
 * following pieces may contain; it comes before them. `audience` are all that the asker may read, besides the first one.
 */
export type AnswerPiece =
  | { kind: 'text'; text: string; cites?: Citation[]; by?: AnsweredBy }
  | { kind: 'reasoning'; text: string }
  | { kind: 'collections'; ids: readonly string[] }
  | { kind: 'audience'; ids: readonly string[] }
  | ({
      kind: 'final';
      source: AnswerSource;
      citations: Citation[];
      suggestions: string[];
      /** Name of the model that answered; missing if none did. */
      model?: string;
      /** How the answer was found. */
      why?: AnswerReason;
      /** `outcome` is missing if `source` decides it, see `outcomeOf`. */
    } & Partial<Judgement>);

/** Maximum length of an answer in UTF-16 units: longer ones are cut and count as interrupted. */
export const maxAnswerLength = 400_000;
/** Maximum length of a model's reasoning as stored and shown, in UTF-16 units. */
export const maxReasoningLength = 20_000;

/**
 * Answers questions. A pull stream: it runs at most one piece ahead of its reader. Ends without an error when `signal` aborts. Throws
 * `modelFailed` (see errors.ts) if a model's answer is interrupted; pieces yielded before remain valid.
 */
export interface Answerer {
  answer(question: Question, signal: AbortSignal): AsyncIterable<AnswerPiece>;
}
