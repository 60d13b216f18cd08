import type { AnswerSource, Citation, Contact, DeskRecord, Feedback, RecordStatus } from 'api/contract';
import type { ChosenContact } from './contact-choice.ts';

/** Where a bubble stands: a question is `sent` once the server has it, an answer runs through the record's own states. */
export type MessageState = 'sending' | 'sent' | 'waiting' | RecordStatus;

/** Why a question or an answer did not get through, ready to be shown. */
export interface MessageFailure {
  /** A stable name: of the API's errors, or 'offline'. */
  error: string;
  message: string;
  /** When asking again makes sense, in milliseconds since the epoch; only for a limit. */
  retryAt?: number;
  /** Whom the question's contact could mean, when its name fits several. */
  choices?: readonly Contact[];
}

/** One bubble of the list. `inversion` is true for the visitor's own. */
export interface ChatMessage {
  readonly key: string;
  readonly text: string;
  readonly inversion: boolean;
  readonly isImage: boolean;
  readonly url: string;
  readonly imgUrls: readonly string[];
  readonly state: MessageState;
  /** '' until the server has named the record. */
  readonly recordId: string;
  /** Sent with the question, so that asking twice is asking once; '' for what came from the server. */
  readonly clientId: string;
  readonly citations: readonly Citation[];
  readonly source: AnswerSource | null;
  readonly suggestions: readonly string[];
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly failure: MessageFailure | null;
  /** Whom a question is for; null for oneself, and of answers. */
  readonly contact: ChosenContact | null;
  /** What the visitor said of an answer. */
  readonly feedback: Feedback | null;
  /** The address leads to its record. */
  readonly isMarked: boolean;
}

const BLANK = {
  isImage: false,
  url: '',
  imgUrls: [],
  recordId: '',
  clientId: '',
  citations: [],
  source: null,
  suggestions: [],
  failure: null,
  contact: null,
  feedback: null,
  isMarked: false,
} as const;

/** The visitor's words on their way, and the empty placeholder that the answer will fill. */
export function questionAndPlaceholder(
  text: string,
  clientId: string,
  now: Date,
  contact: ChosenContact | null,
): [question: ChatMessage, placeholder: ChatMessage] {
  const common = { ...BLANK, clientId, createdAt: now.toISOString() };
  return [
    { ...common, key: `q:${clientId}`, text, contact, inversion: true, state: 'sending' },
    { ...common, key: `a:${clientId}`, text: '', inversion: false, state: 'waiting' },
  ];
}

/** The two bubbles of a record. */
export function messagesOf(record: DeskRecord): [question: ChatMessage, answer: ChatMessage] {
  const { id, isImage, url, imgUrls } = record;
  return [
    {
      ...BLANK,
      key: `q:${id}`,
      text: record.question,
      inversion: true,
      isImage,
      url,
      imgUrls,
      state: 'sent',
      recordId: id,
      contact: record.contact,
      createdAt: record.createdAt,
    },
    {
      ...BLANK,
      key: `a:${id}`,
      text: record.answer,
      inversion: false,
      state: record.status,
      recordId: id,
      citations: record.citations,
      source: record.status === 'answering' ? null : record.source,
      suggestions: record.suggestions,
      feedback: record.feedback,
      createdAt: record.answeredAt ?? record.createdAt,
    },
  ];
}
