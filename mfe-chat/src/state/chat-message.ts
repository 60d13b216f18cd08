import type { AnswerSource, Outcome } from 'api/contract/answers';
import type { ReadingProgress } from 'api/contract/files';
import type { Contact, DeskRecord, RecordFile, RecordStatus } from 'api/contract/records';
import type { ReadingNotice } from 'api/contract/sources';
import type { AttachedFile } from './attachments.ts';
import type { ChosenContact } from './contact-choice.ts';

/**
 * State of a message: a question is `sent` once the server has it; an answer has the states of its record. Both are `unsent` while the
 * question waits for a connection, after which it is sent automatically.
 */
type MessageState = 'sending' | 'unsent' | 'sent' | 'waiting' | RecordStatus;

/** Why a question or an answer failed, as a message for the visitor. */
export interface MessageFailure {
  /** A stable error code: one of the API's, or 'offline'. */
  error: string;
  message: string;
  /** When a rate-limited request may be repeated, in milliseconds since the epoch. */
  retryAt?: number;
  /** The contacts that match an ambiguous name. */
  choices?: readonly Contact[];
}

/** A file of a question. `url` is '' until the server has stored it; until then `attached` is the local file. */
export interface MessageFile {
  readonly name: string;
  readonly isImage: boolean;
  readonly url: string;
  readonly pages: number;
  /** What could not be read from it; missing if everything could be read. */
  readonly notices?: readonly ReadingNotice[];
  readonly attached: AttachedFile | null;
}

/** Progress of a question's files before its record exists. */
export type FileProgress =
  /** In bytes. */
  | { kind: 'upload'; loaded: number; total: number }
  /** null: all bytes are uploaded, and the server has not reported any reading progress yet. */
  | { kind: 'reading'; at: ReadingProgress | null };

/** The fields of a record that its messages show. */
type RecordFields = Pick<
  DeskRecord,
  'isImage' | 'url' | 'imgUrls' | 'citations' | 'suggestions' | 'feedback' | 'answeredSince' | 'createdAt'
> &
  Required<Pick<DeskRecord, 'unsupported' | 'understoodAs' | 'doubts' | 'model' | 'reasoning'>>;

/** One message of the list. `inversion` is true for the visitor's questions. */
export interface ChatMessage extends Readonly<RecordFields> {
  readonly key: string;
  readonly text: string;
  readonly inversion: boolean;
  readonly state: MessageState;
  /** '' until the server has created the record. */
  readonly recordId: string;
  /** Sent with the question to make it idempotent; '' for messages read from the server. */
  readonly clientId: string;
  readonly source: AnswerSource | null;
  /** null until an answer is complete, and in answers of earlier versions. */
  readonly outcome: Outcome | null;
  readonly failure: MessageFailure | null;
  /** The contact that a question was recorded for; null for oneself, and for answers. */
  readonly contact: ChosenContact | null;
  readonly files: readonly MessageFile[];
  /** Set while an answer waits for the files of its question. */
  readonly progress: FileProgress | null;
  /** True for the record that the address points to. */
  readonly isMarked: boolean;
  /** For a question: which of its versions is shown, counted from 1; null if it has only one. */
  readonly versions: { readonly at: number; readonly of: number } | null;
}

const DEFAULTS = {
  isImage: false,
  url: '',
  imgUrls: [],
  recordId: '',
  clientId: '',
  citations: [],
  source: null,
  outcome: null,
  unsupported: [],
  understoodAs: '',
  doubts: [],
  suggestions: [],
  failure: null,
  contact: null,
  feedback: null,
  files: [],
  progress: null,
  model: '',
  reasoning: '',
  answeredSince: null,
  isMarked: false,
  versions: null,
} satisfies Partial<ChatMessage>;

/** The visitor's question and the empty placeholder for its answer. */
export function questionAndPlaceholder(
  text: string,
  clientId: string,
  now: Date,
  contact: ChosenContact | null,
  attached: readonly AttachedFile[] = [],
): [question: ChatMessage, placeholder: ChatMessage] {
  const common = { ...DEFAULTS, clientId, createdAt: now.toISOString() };
  return [
    {
      ...common,
      key: `q:${clientId}`,
      text,
      contact,
      files: attached.map(localFile),
      inversion: true,
      state: 'sending',
    },
    { ...common, key: `a:${clientId}`, text: '', inversion: false, state: 'waiting' },
  ];
}

export function questionKeyOf(answerKey: string): string {
  return answerKey.replace(/^a:/, 'q:');
}

function localFile(attached: AttachedFile): MessageFile {
  const { name, type } = attached.file;
  return { name, isImage: type.startsWith('image/'), url: '', pages: 0, attached };
}

/** The message fields for the files and pictures of a record. */
export function filesOf({
  files = [],
  isImage = false,
  url = '',
  imgUrls = [],
}: Partial<Pick<DeskRecord, 'files' | 'isImage' | 'url' | 'imgUrls'>>) {
  return { files: files.map(storedFile), isImage, url, imgUrls };
}

/** Whether the question was answered, only related passages were found, or nothing; null while the answer runs and if it is incomplete. */
export function outcomeOf({ state, source, outcome }: ChatMessage): Outcome | null {
  if (state !== 'done') return null;
  return outcome ?? (source === 'none' ? 'nothing' : 'answered');
}

/** The message fields about the quality of an answer. */
export function judgementOf({
  outcome,
  unsupported = [],
  understoodAs = '',
  doubts = [],
}: Pick<DeskRecord, 'outcome' | 'unsupported' | 'understoodAs' | 'doubts'>) {
  return { outcome: outcome ?? null, unsupported, understoodAs, doubts };
}

function storedFile({ name, kind, url, pages, notices }: RecordFile): MessageFile {
  return { name, isImage: kind === 'image', url, pages, attached: null, ...(notices && { notices }) };
}

export function messagesOf(record: DeskRecord): [question: ChatMessage, answer: ChatMessage] {
  const { id } = record;
  return [
    {
      ...DEFAULTS,
      key: `q:${id}`,
      text: record.question,
      inversion: true,
      ...filesOf(record),
      state: 'sent',
      recordId: id,
      contact: record.contact,
      createdAt: record.createdAt,
    },
    {
      ...DEFAULTS,
      key: `a:${id}`,
      text: record.answer,
      inversion: false,
      state: record.status,
      recordId: id,
      citations: record.citations,
      source: record.status === 'answering' ? null : record.source,
      ...judgementOf(record),
      suggestions: record.suggestions,
      feedback: record.feedback,
      model: record.model ?? '',
      reasoning: record.reasoning ?? '',
      answeredSince: record.answeredSince ?? null,
      failure: record.failure ? { error: 'model_failed', message: record.failure } : null,
      createdAt: record.answeredAt ?? record.createdAt,
    },
  ];
}
