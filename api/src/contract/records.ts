import type { AnswerSource, Citation } from './answers.ts';

/** `answering` while it grows; the other three are final until a retry. */
export type RecordStatus = 'answering' | 'done' | 'stopped' | 'failed';

export type RecordKind = 'chat' | 'predict';

/** The person that a question is asked for. `id` is the normalised phone, e-mail or text (at most 120 characters). */
export interface Contact {
  id: string;
  name: string;
}

export interface Feedback {
  rating: 1 | -1;
  note: string;
}

/** A file that came with a question. `url` is /api/files/:id. */
export interface RecordFile {
  id: string;
  name: string;
  kind: string;
  chars: number;
  pages: number;
  url: string;
}

/** One question and its answer. `contact` is null when the question was asked for oneself. */
export interface DeskRecord {
  id: string;
  conversationId: string;
  contact: Contact | null;
  kind: RecordKind;
  status: RecordStatus;
  question: string;
  answer: string;
  citations: Citation[];
  source: AnswerSource;
  isImage: boolean;
  url: string;
  imgUrls: string[];
  files: RecordFile[];
  feedback: Feedback | null;
  /** Up to three questions that the desk can answer, offered when it found nothing. */
  suggestions: string[];
  /** Name of the model that answered, or ''. */
  model: string;
  /** What the model thought aloud before and while it answered, at most 20,000 units; '' without. */
  reasoning: string;
  /** What an editor has answered since to a question that had found nothing or was rated down; null without. */
  answeredSince: AnsweredSince | null;
  createdAt: string;
  /** When the attempt that gave the answer began: of a retry, later than `createdAt`. Absent before the first word, and for records of earlier versions. */
  answerStartedAt?: string;
  answeredAt: string | null;
  /** Why its model broke off, as a sentence in the language of the question; absent where none did, or it is not known. */
  failure?: string;
}

/** An editor's answer to a question that was asked before it was there. */
export interface AnsweredSince {
  pairId: string;
  answer: string;
  at: string;
}

export interface Conversation {
  id: string;
  title: string;
  contact: Contact | null;
  recordCount: number;
  createdAt: string;
  updatedAt: string;
}

/**
 * Lists are newest first; `nextCursor` is opaque and null at the end. For a guest, the header `X-Guest-Days` of GET /api/conversations says
 * how many days after their last use they are kept: GUEST_DAYS.
 */
export interface ConversationPage {
  conversations: Conversation[];
  nextCursor: string | null;
}

export interface RecordPage {
  records: DeskRecord[];
  nextCursor: string | null;
}
