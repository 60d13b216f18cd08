import type { AnswerSource, Citation } from 'api/contract/answers';
import type { ReadingProgress } from 'api/contract/files';
import type {
  AnsweredSince,
  Contact,
  DeskRecord,
  Feedback,
  RecordFile,
  RecordStatus,
} from 'api/contract/records';
import type { ChosenContact } from '../contacts/contact-choice.ts';
import type { AttachedFile } from '../files/attachments.ts';

/**
 * State of a bubble: a question is `sent` once the server has it; an answer has the states of its record. Both are `unsent` while the
 * question waits for a connection, to be sent again automatically.
 */
export type MessageState = 'sending' | 'unsent' | 'sent' | 'waiting' | RecordStatus;

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

/** A file of a question. `url` is '' until the server has it; until then `attached` is what the visitor chose. */
export interface MessageFile {
  readonly name: string;
  readonly isImage: boolean;
  readonly url: string;
  readonly pages: number;
  readonly attached: AttachedFile | null;
}

/** What happens to a question's files before its record is there. */
export type FileProgress =
  /** Bytes. */
  | { kind: 'upload'; loaded: number; total: number }
  /** null: all bytes are there, and nothing has been told of the reading. */
  | { kind: 'reading'; at: ReadingProgress | null };

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
  readonly files: readonly MessageFile[];
  /** Of an answer that waits for its question's files. */
  readonly progress: FileProgress | null;
  /** Name of the model that answered; '' when none did. */
  readonly model: string;
  /** What a model thought aloud. */
  readonly reasoning: string;
  /** What an editor has answered since. */
  readonly answeredSince: AnsweredSince | null;
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
  files: [],
  progress: null,
  model: '',
  reasoning: '',
  answeredSince: null,
  isMarked: false,
} as const;

/** The visitor's words on their way, and the empty placeholder that the answer will fill. */
export function questionAndPlaceholder(
  text: string,
  clientId: string,
  now: Date,
  contact: ChosenContact | null,
  attached: readonly AttachedFile[] = [],
): [question: ChatMessage, placeholder: ChatMessage] {
  const common = { ...BLANK, clientId, createdAt: now.toISOString() };
  return [
    {
      ...common,
      key: `q:${clientId}`,
      text,
      contact,
      files: attached.map(ownFile),
      inversion: true,
      state: 'sending',
    },
    { ...common, key: `a:${clientId}`, text: '', inversion: false, state: 'waiting' },
  ];
}

function ownFile(attached: AttachedFile): MessageFile {
  const { name, type } = attached.file;
  return { name, isImage: type.startsWith('image/'), url: '', pages: 0, attached };
}

/** What a record says of its files and pictures. */
export function filesOf(
  record: Partial<Pick<DeskRecord, 'files' | 'isImage' | 'url' | 'imgUrls'>>,
): Pick<ChatMessage, 'files' | 'isImage' | 'url' | 'imgUrls'> {
  const { files = [], isImage = false, url = '', imgUrls = [] } = record;
  return { files: files.map(keptFile), isImage, url, imgUrls };
}

function keptFile({ name, kind, url, pages }: RecordFile): MessageFile {
  return { name, isImage: kind === 'image', url, pages, attached: null };
}

/** The two bubbles of a record. */
export function messagesOf(record: DeskRecord): [question: ChatMessage, answer: ChatMessage] {
  const { id } = record;
  return [
    {
      ...BLANK,
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
      model: record.model ?? '',
      reasoning: record.reasoning ?? '',
      answeredSince: record.answeredSince ?? null,
      failure: record.failure ? { error: 'model_failed', message: record.failure } : null,
      createdAt: record.answeredAt ?? record.createdAt,
    },
  ];
}
