/**
 * What the API says and takes, as types only. The screens import this file by `import type`; nothing in it runs.
 * Times are ISO 8601 in UTC, ids are opaque strings, lengths are UTF-16 units unless told otherwise.
 */

export type Language = 'zh' | 'en';

/** Where an answer came from: a curated pair, a document, a model, or nowhere (nothing good enough was found). */
export type AnswerSource = 'curated' | 'document' | 'model' | 'none';

/** `answering` while it grows; the other three are final until a retry. */
export type RecordStatus = 'answering' | 'done' | 'stopped' | 'failed';

export type RecordKind = 'chat' | 'predict';

/** The person that a question is asked for. `id` is the normalised phone, e-mail or text (at most 120 characters). */
export interface Contact {
  id: string;
  name: string;
}

/**
 * One proof of an answer. `start` and `end` count UTF-16 units of the document's extracted text, and
 * `text.slice(start, end) === quote`. `[n]` in an answer is `citations[n - 1]`. `href` is `/api/passages/:id`.
 */
export interface Citation {
  title: string;
  quote: string;
  start: number;
  end: number;
  href: string;
}

/** GET /api/passages/:id. `start` and `end` place `text` in its document; `place` is its heading path, for people. */
export interface Passage {
  title: string;
  text: string;
  start: number;
  end: number;
  place: string;
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
  createdAt: string;
  answeredAt: string | null;
}

export interface Conversation {
  id: string;
  title: string;
  contact: Contact | null;
  recordCount: number;
  createdAt: string;
  updatedAt: string;
}

/** Lists are newest first; `nextCursor` is opaque and null at the end. */
export interface ConversationPage {
  conversations: Conversation[];
  nextCursor: string | null;
}

export interface RecordPage {
  records: DeskRecord[];
  nextCursor: string | null;
}

/**
 * POST /api/chat. `text` is 1–8,000 characters after trimming. `clientId` (at most 64 characters, unique to its owner) makes a
 * retry idempotent: sent again with the same text it joins or returns the same record, with another text it is 409.
 */
export interface ChatQuestion {
  text: string;
  contact?: string;
  contactName?: string;
  conversationId?: string;
  clientId?: string;
}

/** The JSON answer to POST /api/chat. */
export interface ChatAnswer {
  response: string;
  recordId: string;
  conversationId: string;
  citations: Citation[];
  source: AnswerSource;
}

/**
 * The same as server-sent events: one `record`, any number of `delta`, then one `done` or `error`. Every event's id is the number
 * of UTF-16 units sent so far (`record` 0), so `Last-Event-ID: N` on GET /api/chat/:recordId goes on behind unit N.
 * Joined deltas equal `response`.
 */
export type AnswerEvent =
  | { event: 'record'; data: { recordId: string; conversationId: string; clientId: string | null } }
  | { event: 'delta'; data: { text: string } }
  | {
      event: 'done';
      data: ChatAnswer & { status: Exclude<RecordStatus, 'answering'>; suggestions: string[] };
    }
  | { event: 'error'; data: ErrorBody & { recordId: string } };

/** What a deletion answers. `undoToken` brings everything back until `undoUntil`. */
export interface Deletion {
  matched: number;
  deleted: number;
  undoToken: string;
  undoUntil: string;
}

/** /admin/login and /admin/register: `code` 1 is success and `data` the token; `code` 0 is a refusal told by `msg`. */
export interface AdminReply<T> {
  code: 0 | 1;
  msg: string;
  data?: T;
}

/** A signed-in device. Times are ISO 8601. */
export interface SessionInfo {
  id: string;
  current: boolean;
  device: string;
  createdAt: string;
  lastUsedAt: string;
}

/** Every failure. `code` is the HTTP status, `error` a stable name, `msg` a sentence in the visitor's language. */
export interface ErrorBody {
  code: number;
  msg: string;
  error: ErrorName;
  requestId: string;
  /** The offending field of an `invalid_request`. */
  field?: string;
  /** The contacts that an `ambiguous_contact` could mean. */
  choices?: Contact[];
  /** What a `model_failed` had said, which is kept, and where. */
  response?: string;
  recordId?: string;
  conversationId?: string;
}

export type ErrorName =
  | 'invalid_request'
  | 'session_ended'
  | 'sign_in_required'
  | 'csrf_failed'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'ambiguous_contact'
  | 'undo_used'
  | 'expired'
  | 'too_large'
  | 'unsupported_type'
  | 'unreadable_file'
  | 'rate_limited'
  | 'unavailable'
  | 'model_failed'
  | 'internal';

/**
 * The JSON of index.html's `<script type="application/json" id="composition">`: what the page was rendered with. A tab stays on it
 * until it is reloaded. `id` is '' on a development server.
 */
export interface PageComposition {
  id: string;
  host: PageRemote;
  /** By remote name: 'mfe-chat'. */
  remotes: Record<string, PageRemote>;
  /** External pictures that operations configured; a missing one means the bundled one. */
  avatars: { user?: string; bot?: string };
}

/** The live release; `previous` is the one to fall back to when it fails, null when there has been no other. */
export interface PageRemote extends PageRelease {
  previous: PageRelease | null;
}

/** Addresses are ready for `import()` and `<link>`: from the page's root, or absolute on another origin. */
export interface PageRelease {
  name: string;
  version: string;
  entry: string;
  /** The name that its federation container goes by: 'mfe_chat'; '' for the host. */
  container: string;
  /** Version of the host contract that it was built against (of the host: that it offers). */
  contract: string;
  /** Style sheets by exposed module: `{'./chat': {css: ['/chatbot/releases/mfe-chat/1.4.0/chat.1a2b.css']}}`. */
  exposes: Record<string, { css: string[] }>;
}
