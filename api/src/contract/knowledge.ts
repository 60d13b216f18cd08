import type { AnswerReason, AnswerSource, Citation, Judgement, Passage } from './answers.ts';
import type { FileKind } from './files.ts';
import type { ReadingNotice } from './sources.ts';

/**
 * GET /api/knowledge: size of the knowledge base including the handbook, and whether the caller may change
 * it.
 */
export interface KnowledgeSummary {
  isEditor: boolean;
  /** Whether guests are answered from it, too: unless REQUIRE_SIGN_IN is set. */
  guestsAsk: boolean;
  documents: number;
  passages: number;
  pairs: number;
  /** Number of groups in the unanswered inbox; null if the caller may not read it. */
  unanswered: number | null;
  /** Number of embedded passages; missing without embeddings. */
  embedded?: { done: number; total: number };
}

/** A document of the shared knowledge base. */
export interface KnowledgeDocumentInfo {
  id: string;
  /** From the file's metadata or the upload; otherwise the file's name. */
  title: string;
  /** Name of the uploaded file; '' without a file. */
  name: string;
  type: FileKind;
  /** Size of the file in bytes; 0 for a page of the handbook. */
  size: number;
  pages: number;
  status: 'indexing' | 'ready' | 'failed';
  /** 0–1 while indexing; 1 when ready. */
  progress: number;
  passages: number;
  /** Number of answers that have cited it. */
  cited: number;
  /** Why it failed, in the caller's language; otherwise null. */
  error: string | null;
  /** What could not be read of it; missing if everything was. */
  notices?: ReadingNotice[];
  /** The handbook is part of the product: it cannot be deleted or re-indexed. */
  isHandbook: boolean;
  createdAt: string;
  updatedAt: string;
}

/**
 * POST /api/knowledge/documents/search and /api/knowledge/pairs/search: the lists with what contains `q`. Proxies
 * write down queries, and a question may contain anything.
 */
export interface KnowledgeSearch {
  q: string;
  cursor?: string;
  limit?: number;
}

/**
 * GET /api/knowledge/documents `?q=&cursor=&limit=`: uploads newest first, then the handbook page by page, in
 * the caller's language first. `q` is a part of the title or the name. `total` and `passages` count all of
 * them.
 */
export interface KnowledgeDocumentPage {
  documents: KnowledgeDocumentInfo[];
  total: number;
  passages: number;
  nextCursor: string | null;
}

/** PATCH /api/knowledge/documents/:id: a new title of 1–200 units; the document is indexed again. */
export interface DocumentTitle {
  title: string;
}

/** GET /api/knowledge/documents/:id/passages, in document order. `id` is that of GET /api/passages/:id. */
export interface KnowledgePassagePage {
  passages: (Passage & { id: string })[];
  nextCursor: string | null;
}

/** A curated question with its answer. */
export interface KnowledgePair {
  id: string;
  question: string;
  /** Other phrasings. */
  variants: string[];
  answer: string;
  /** Number of answers given with it. */
  hits: number;
  isHandbook: boolean;
  createdAt: string;
  updatedAt: string;
}

/**
 * POST and PUT of a pair: `question` and each of at most 50 `variants` have 1–8,000 units, `answer` 1–20,000.
 * A PUT with the `updatedAt` that was read gets 409 if the pair has been changed since.
 */
export interface KnowledgePairRequest {
  question: string;
  variants?: string[];
  answer: string;
  updatedAt?: string;
}

/**
 * GET /api/knowledge/pairs `?q=&cursor=&limit=`: editors' pairs newest first, then the handbook's, in the
 * caller's language first.
 */
export interface KnowledgePairPage {
  pairs: KnowledgePair[];
  total: number;
  nextCursor: string | null;
}

/** A group of similar questions without a good answer. Never reveals who asked. */
export interface UnansweredQuestion {
  id: string;
  /** The latest phrasing. */
  question: string;
  /** Up to 5 other phrasings. */
  alike: string[];
  count: number;
  /** How often nothing was found. */
  notFound: number;
  /** How often an answer was found and rated as not helpful. Never reveals who rated it, nor the note. */
  notHelpful: number;
  lastAskedAt: string;
}

/** Why a question is in the inbox. */
export type UnansweredReason = 'not_found' | 'not_helpful';

/** GET /api/knowledge/unanswered `?reason=&cursor=&limit=`: most frequent first. `total` counts those with the reason. */
export interface UnansweredPage {
  questions: UnansweredQuestion[];
  total: number;
  nextCursor: string | null;
}

/** The change whose effect POST /api/knowledge/check determines: one of these. */
export type KnowledgeChange =
  | { kind: 'put_pair'; id?: string; pair: KnowledgePairRequest }
  | { kind: 'delete_pair'; id: string }
  | { kind: 'delete_document'; id: string };

/** A curated question that would be answered differently. */
export interface ChangedAnswer {
  question: string;
  before: { source: AnswerSource; answer: string };
  after: { source: AnswerSource; answer: string };
}

/**
 * `checked` is the number of curated questions (variants included) that were checked; `isPartial` if the time
 * limit was reached before all were.
 */
export interface KnowledgeCheck {
  checked: number;
  isPartial: boolean;
  changed: ChangedAnswer[];
}

/** POST /api/knowledge/try: a question to try out, 1–8,000 characters after trimming. */
export interface TrialQuestion {
  text: string;
}

/** Its answer as the knowledge base gives it, without a model. Nothing is stored or counted. */
export interface TriedQuestion extends Judgement {
  answer: string;
  source: AnswerSource;
  citations: Citation[];
  /** How it was found; null if unknown. */
  why: AnswerReason | null;
}

/**
 * GET /api/knowledge/export, and the body of POST …/import; the handbook is excluded. Documents are included
 * as their extracted text.
 */
export interface KnowledgeArchive {
  format: 'consultation-desk-knowledge';
  version: 1;
  exportedAt: string;
  documents: { id: string; title: string; type: FileKind; text: string; createdAt: string }[];
  pairs: { id: string; question: string; variants: string[]; answer: string; createdAt: string }[];
}

/** Result of importing knowledge. */
export interface KnowledgeImportReply {
  documents: number;
  pairs: number;
  unchanged: number;
}
