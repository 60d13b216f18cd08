import type { AnswerSource, Citation, Judgement } from './answers.ts';
import type { ReadingNotice } from './sources.ts';

/** `answering` while in progress; the other three are final until a retry. */
export type RecordStatus = 'answering' | 'done' | 'stopped' | 'failed';

export type RecordKind = 'chat' | 'predict';

/**
 * The person on whose behalf a question is asked. `id` is the normalised phone number, e-mail address or text
 * (at most 120 characters).
 */
export interface Contact {
  id: string;
  name: string;
}

export interface Feedback {
  rating: 1 | -1;
  note: string;
}

/** A file sent with a question. `url` is /api/files/:id. */
export interface RecordFile {
  id: string;
  name: string;
  kind: string;
  chars: number;
  pages: number;
  url: string;
  /** What could not be read; missing if everything was. */
  notices?: ReadingNotice[];
}

/**
 * Marks a version of an earlier question: edited, or the same one answered again. All versions of a question name the first one, which may
 * have been deleted meanwhile.
 */
export interface VersionOf {
  recordId: string;
  /** When the first version was asked: the place of all versions in their conversation. */
  createdAt: string;
  /** 2 for the second version. Numbers of deleted versions are not used again. */
  number: number;
}

/**
 * One question and its answer. `contact` is null if the question was asked for oneself. `outcome` is missing in records of earlier
 * versions, whose source decides it: *nothing* with the source `none`.
 */
export interface DeskRecord extends Partial<Judgement> {
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
  /** Up to three questions that can be answered, offered if nothing was found. */
  suggestions: string[];
  /** Name of the model that answered, or ''. */
  model: string;
  /** The model's reasoning before and during the answer, at most 20,000 units; '' if none. */
  reasoning: string;
  /** The answer an editor has given later to an unanswered or badly rated question; null if none. */
  answeredSince: AnsweredSince | null;
  /** Whether a person has answered the question in a handover; missing if not. */
  answeredByPerson?: true;
  createdAt: string;
  /**
   * Start of the attempt that produced the answer; for a retry it is later than `createdAt`. Missing before
   * the first token, and in records of earlier versions.
   */
  answerStartedAt?: string;
  answeredAt: string | null;
  /**
   * Why the model failed, as a sentence in the language of the question; missing if it did not, or if
   * unknown.
   */
  failure?: string;
  /** Missing for the first version of a question. */
  versionOf?: VersionOf;
}

/** An editor's later answer to a question. */
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
  /** Whether a person has replied since the handovers of the conversation were last marked as seen. */
  unreadReply?: boolean;
  /** Whether its owner has pinned or archived it; at most one of them. */
  pinned?: boolean;
  archived?: boolean;
  createdAt: string;
  updatedAt: string;
}

/**
 * PATCH /api/conversations/:id, at least one field. Pinning takes a conversation out of the archive, archiving
 * unpins it; both at once are refused. A new question or reply in an archived one takes it out as well.
 */
export interface ConversationChange {
  title?: string;
  pinned?: boolean;
  archived?: boolean;
}

/**
 * Lists are newest first; `nextCursor` is opaque and null at the end. GET /api/conversations lists pinned
 * conversations before the others, and archived ones only with `?archived=1`. For a guest, its header
 * `X-Guest-Days` is the retention in days after the last use (GUEST_DAYS).
 */
export interface ConversationPage {
  conversations: Conversation[];
  nextCursor: string | null;
  /** Whether any are archived; only with the first page of those that are not, and if there are any. */
  hasArchived?: boolean;
}

export interface RecordPage {
  records: DeskRecord[];
  nextCursor: string | null;
}
