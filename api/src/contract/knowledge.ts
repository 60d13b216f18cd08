import type { AnswerSource, Passage } from './answers.ts';
import type { FileKind } from './files.ts';

/** GET /api/knowledge: how much there is, and whether the caller may change it. The handbook counts. */
export interface KnowledgeSummary {
  isEditor: boolean;
  documents: number;
  passages: number;
  pairs: number;
  /** Groups in the unanswered inbox; null for whoever may not read it. */
  unanswered: number | null;
  /** How many passages are embedded; absent without embeddings. */
  embedded?: { done: number; total: number };
}

/** A document that everyone's questions are answered from. */
export interface KnowledgeDocumentInfo {
  id: string;
  /** What its file says of itself, or was given with it; else the file's name. */
  title: string;
  /** The file's name as it was uploaded; '' without a file. */
  name: string;
  type: FileKind;
  /** Bytes of the file; of a page of the handbook 0. */
  size: number;
  pages: number;
  status: 'indexing' | 'ready' | 'failed';
  /** 0–1 while indexing; 1 when ready. */
  progress: number;
  passages: number;
  /** How often an answer has cited it. */
  cited: number;
  /** Why it failed, in the caller's language; null otherwise. */
  error: string | null;
  /** The handbook comes with the product: it is not deleted or indexed by hand. */
  isHandbook: boolean;
  createdAt: string;
  updatedAt: string;
}

/**
 * GET /api/knowledge/documents `?q=&cursor=&limit=`: uploads newest first, then the handbook page by page, in the caller's language first. `q` is
 * a part of the title or the name. `total` and `passages` count all of them.
 */
export interface KnowledgeDocumentPage {
  documents: KnowledgeDocumentInfo[];
  total: number;
  passages: number;
  nextCursor: string | null;
}

/** GET /api/knowledge/documents/:id/passages, in the order of the document. `id` is that of GET /api/passages/:id. */
export interface KnowledgePassagePage {
  passages: (Passage & { id: string })[];
  nextCursor: string | null;
}

/** A curated question with its answer. */
export interface KnowledgePair {
  id: string;
  question: string;
  /** Other ways to ask it. */
  variants: string[];
  answer: string;
  /** How often it has answered. */
  hits: number;
  isHandbook: boolean;
  createdAt: string;
  updatedAt: string;
}

/**
 * POST and PUT of a pair: `question` and each of at most 50 `variants` 1–8,000 units, `answer` 1–20,000. A PUT with `updatedAt`, as the pair
 * was read, is 409 when somebody else has changed it since.
 */
export interface KnowledgePairRequest {
  question: string;
  variants?: string[];
  answer: string;
  updatedAt?: string;
}

/** GET /api/knowledge/pairs `?q=&cursor=&limit=`: editors' newest first, then the handbook's, in the caller's language first. */
export interface KnowledgePairPage {
  pairs: KnowledgePair[];
  total: number;
  nextCursor: string | null;
}

/** A group of questions that are alike and found no good answer. Never says who asked. */
export interface UnansweredQuestion {
  id: string;
  /** As it was asked last. */
  question: string;
  /** Up to 5 other ways in which it was asked. */
  alike: string[];
  count: number;
  lastAskedAt: string;
}

/** GET /api/knowledge/unanswered `?cursor=&limit=`: asked most first. */
export interface UnansweredPage {
  questions: UnansweredQuestion[];
  total: number;
  nextCursor: string | null;
}

/** What POST /api/knowledge/check would change: one of these. */
export type KnowledgeChange =
  | { kind: 'put_pair'; id?: string; pair: KnowledgePairRequest }
  | { kind: 'delete_pair'; id: string }
  | { kind: 'delete_document'; id: string };

/** One curated question that would be answered differently. */
export interface ChangedAnswer {
  question: string;
  before: { source: AnswerSource; answer: string };
  after: { source: AnswerSource; answer: string };
}

/** `checked` is how many curated questions (variants included) were asked; `isPartial` when time ran out before all were. */
export interface KnowledgeCheck {
  checked: number;
  isPartial: boolean;
  changed: ChangedAnswer[];
}

/** GET /api/knowledge/export and what POST …/import takes; the handbook is not in it. Documents come as their extracted text. */
export interface KnowledgeArchive {
  format: 'consultation-desk-knowledge';
  version: 1;
  exportedAt: string;
  documents: { id: string; title: string; type: FileKind; text: string; createdAt: string }[];
  pairs: { id: string; question: string; variants: string[]; answer: string; createdAt: string }[];
}

/** What an import of knowledge did. */
export interface KnowledgeImportReply {
  documents: number;
  pairs: number;
  unchanged: number;
}
