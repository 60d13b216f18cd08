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
  /** Name of the model that answered, '' when none did. */
  model: string;
  /** What the model thought aloud before and while it answered, at most 20,000 units; '' without. */
  reasoning: string;
  /** What an editor has answered since to a question that had found nothing or was rated down; null without. */
  answeredSince: AnsweredSince | null;
  createdAt: string;
  answeredAt: string | null;
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
  /** Name of a model of GET /api/models; `none` answers from the knowledge base alone. Without one: the default. */
  model?: string;
}

/** The JSON answer to POST /api/chat. */
export interface ChatAnswer {
  response: string;
  recordId: string;
  conversationId: string;
  citations: Citation[];
  source: AnswerSource;
}

/** What a file turned out to be, told by its content. */
export type FileKind = 'text' | 'markdown' | 'csv' | 'json' | 'html' | 'pdf' | 'docx' | 'image';

/**
 * POST /api/predict, multipart: `file` 1–10 times, and these fields. Without `text` the files are summed up.
 * `MAX_UPLOAD_MB` bounds all files of a call together, `MAX_PAGES` each.
 */
export interface PredictQuestion {
  text?: string;
  contact?: string;
  contactName?: string;
  conversationId?: string;
  clientId?: string;
  model?: string;
}

/** What predict tells of its files besides the answer. `url` is the first image's, `extracted` says what the first file held. */
export interface PredictFiles {
  isImage: boolean;
  url: string;
  imgUrls: string[];
  extracted: { kind: FileKind; chars: number; pages: number };
  files: RecordFile[];
}

/** The JSON answer to POST /api/predict. As events, `done` holds the same besides its own. */
export type PredictAnswer = ChatAnswer & PredictFiles;

/**
 * The same as server-sent events: one `record`, any number of `delta`, then one `done` or `error`. Every event's id is the number
 * of UTF-16 units sent so far (`record` 0), so `Last-Event-ID: N` on GET /api/chat/:recordId goes on behind unit N.
 * Joined deltas equal `response`. `reasoning` comes where a model thinks aloud; it counts no units, and a resumed reader gets all of
 * it anew in one event before what else it missed. `reading` comes before `record`, from POST /api/predict?progress=1 alone and only
 * while reading takes long: after it, a file that cannot be read is an `error` without `recordId`.
 */
export type AnswerEvent =
  | { event: 'reading'; data: ReadingProgress }
  | { event: 'record'; data: { recordId: string; conversationId: string; clientId: string | null } }
  | { event: 'reasoning'; data: { text: string } }
  | { event: 'delta'; data: { text: string } }
  | {
      event: 'done';
      data: ChatAnswer &
        Partial<PredictFiles> & {
          status: Exclude<RecordStatus, 'answering'>;
          suggestions: string[];
          /** Name of the model that answered; '' or missing when none did. */
          model?: string;
        };
    }
  | { event: 'error'; data: ErrorBody & { recordId?: string } };

/** How far the reading of uploaded files is: `file` counts from 0, `done` of `total` are pages, or other steps of that file. */
export interface ReadingProgress {
  file: number;
  files: number;
  name: string;
  done: number;
  total: number;
}

/** GET /api/models: what a question can be answered by. `models` is empty where only the knowledge base answers. */
export interface ModelList {
  models: ModelInfo[];
  /** Name of the one that answers when none is chosen; 'none' where there is no model. */
  default: string;
}

export interface ModelInfo {
  name: string;
  /** Takes images. */
  vision: boolean;
  /** False while it is not being asked because it failed repeatedly: the knowledge base answers instead. */
  isAvailable: boolean;
}

/** GET /api/usage: what the caller's questions to models have used today (UTC). `limit` 0 is unlimited. */
export interface ModelUsage {
  day: string;
  questions: number;
  tokens: number;
  limit: number;
}

/**
 * GET /api/records/:id/why: why the owner's record was answered as it was. `null` parts were not come to: a curated answer needs no
 * passages.
 */
export interface AnswerReason {
  verdict: 'curated' | 'answered' | 'weak' | 'nothing';
  /** The question as it was looked up, where the conversation was needed to understand it. */
  rewritten: string | null;
  /** The curated question that matched, and how well (1 is the same). */
  pair: { question: string; similarity: number } | null;
  /** What the question asks about; `passages` is how many say it, of `total`. */
  terms: { word: string; weight: number; passages: number }[];
  total: number;
  /** How many passages were looked at. */
  candidates: number;
  /** The best of them, best first, at most 10. */
  ranked: {
    href: string;
    title: string;
    place: string;
    score: number;
    /** Share of the question's content that the passage says, 0–1. */
    coverage: number;
    missing: string[];
    taken: boolean;
  }[];
}

/** GET /api/knowledge: how much there is, and whether the caller may change it. The handbook counts. */
export interface KnowledgeSummary {
  isEditor: boolean;
  documents: number;
  passages: number;
  pairs: number;
  /** Groups in the unanswered inbox; null for whoever may not read it. */
  unanswered: number | null;
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

/** What a search, a report or an export is about. All that is given must hold; nothing given means every record. */
export interface RecordFilter {
  /** At most 1,000 units. Every word must occur in the question or the answer; what stands in quotation marks, exactly so. */
  text?: string;
  /** An id, or a name that fits one of the owner's contacts alone (else 409). '' means questions for oneself. */
  contact?: string;
  /** First and last day, YYYY-MM-DD, both inclusive, as days of `tz`. */
  from?: string;
  to?: string;
  /** IANA name of a time zone; 'UTC' without one. */
  tz?: string;
  source?: AnswerSource;
  feedback?: FeedbackFilter;
}

export type FeedbackFilter = 'up' | 'down' | 'none';

/** POST /api/search. `cursor` is good for the same filter alone, `limit` is 1–100 (20). */
export interface SearchRequest extends RecordFilter {
  cursor?: string;
  limit?: number;
}

/** Where a searched word stands: UTF-16 units of the record's `field`. In order, without overlaps. */
export interface Highlight {
  field: 'question' | 'answer';
  start: number;
  end: number;
}

export interface FoundRecord extends DeskRecord {
  highlights: Highlight[];
}

/** `total` is exact up to 10,000; with `totalIsMore` there are more than that. */
export interface SearchPage {
  records: FoundRecord[];
  total: number;
  totalIsMore: boolean;
  nextCursor: string | null;
}

/** GET /api/contacts: the owner's, last used first; `?q=` is a part of the id or the name. */
export interface ContactPage {
  contacts: Contact[];
  nextCursor: string | null;
}

/** GET /api/stats, with a RecordFilter as query. `unanswered` are the records of source `none`. Days are those of `tz`, oldest first. */
export interface RecordStats {
  total: number;
  answered: number;
  unanswered: number;
  bySource: Record<AnswerSource, number>;
  byDay: { day: string; count: number }[];
  /** Most asked first; `contact` is null for oneself. */
  byContact: { contact: Contact | null; count: number }[];
  satisfaction: { up: number; down: number };
  /** Median time from question to answer in ms; null when nothing was answered. */
  medianMs: number | null;
}

/** POST /api/feedback. `rating` 0 takes the rating back. `note` has at most 2,000 units. */
export interface FeedbackRequest {
  recordId: string;
  rating: 1 | -1 | 0;
  note?: string;
}

export interface FeedbackReply {
  recordId: string;
  rating: 1 | -1 | 0;
}

/** POST /api/delete_by_contact. */
export interface DeleteByContact {
  contact: string;
  dryRun?: boolean;
}

/** POST /api/delete_by_date: one `date`, or `from` to `to`, whole days of `tz` (UTC), inclusive; of one contact where given. */
export interface DeleteByDate {
  date?: string;
  from?: string;
  to?: string;
  tz?: string;
  contact?: string;
  dryRun?: boolean;
}

/** POST /api/delete_by_ids: at most 5,000 ids, or everything that a filter finds (at most 50,000 records). */
export interface DeleteByIds {
  ids?: string[];
  filter?: RecordFilter;
  dryRun?: boolean;
}

/**
 * What a deletion answers. `undoToken` brings everything back until `undoUntil`; both are null when nothing went: nothing matched,
 * or `dryRun` only counted.
 */
export interface Deletion {
  matched: number;
  deleted: number;
  undoToken: string | null;
  undoUntil: string | null;
  /** Of what matched: in how many conversations, with how many files, asked when. Only with `dryRun`. */
  preview?: { conversations: number; files: number; firstAt: string | null; lastAt: string | null };
}

/** What DELETE /api/conversations/:id answers: one that was there always goes. */
export interface ConversationDeletion extends Deletion {
  undoToken: string;
  undoUntil: string;
}

/** One deletion that can still be undone. */
export interface BinEntry {
  undoToken: string;
  kind: 'conversation' | 'contact' | 'date' | 'selection';
  contact: Contact | null;
  /** The days of a deletion by date, in `tz`; '' for the others. */
  from: string;
  to: string;
  tz: string;
  matched: number;
  createdAt: string;
  undoUntil: string;
}

/** GET /api/bin. */
export interface BinPage {
  deletions: BinEntry[];
  nextCursor: string | null;
}

/** POST /api/export: by `ids` (at most 5,000) or by `filter`. JSON is a RecordArchive, CSV is UTF-8 with a byte order mark. */
export interface ExportRequest {
  ids?: string[];
  filter?: RecordFilter;
  format: 'json' | 'csv';
}

/** What an export writes and POST /api/import takes. */
export interface RecordArchive {
  format: 'consultation-desk-records';
  version: 1;
  exportedAt: string;
  conversations: Conversation[];
  records: DeskRecord[];
}

/** POST /api/import. `renamed` are records whose id is another owner's: they got new ids, the same ones at every import. */
export interface ImportReply {
  imported: number;
  unchanged: number;
  renamed: number;
}

/**
 * POST /api/generate_pdf: by `ids` or by `filter`, at most 5,000 records. `title` has at most 200 units; `mask` shows contacts by their
 * first and last characters alone. `tz` (with `ids`; a filter has its own) says which days the headings mean.
 */
export interface PdfRequest {
  ids?: string[];
  filter?: RecordFilter;
  title?: string;
  mask?: boolean;
  tz?: string;
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
