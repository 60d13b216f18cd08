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

/**
 * GET /api/passages/:id. `start` and `end` place `text` in its document; `place` is its heading path, for people; `columns` is the header row of
 * the table that `text` begins inside of, missing elsewhere.
 */
export interface Passage {
  title: string;
  text: string;
  start: number;
  end: number;
  place: string;
  columns?: string;
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

/**
 * POST /api/chat/:recordId/retry; the body may be left out. A retry sent again with the same `clientId` (at most 64 characters) joins the
 * answer that the first one started instead of answering once more.
 */
export interface RetryRequest {
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

/** What a file turned out to be, told by its content. */
export type FileKind =
  | 'text'
  | 'markdown'
  | 'csv'
  | 'json'
  | 'html'
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'image';

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

/** GET /api/upload-rules: what the files of one question must keep to, so that a page can say so before it sends them. */
export interface UploadRules {
  maxFiles: 10;
  /** Of all files together: MAX_UPLOAD_MB. */
  maxBytes: number;
  /** That the caller may still keep; null without a limit. */
  freeBytes: number | null;
  /** What names of files that are read end in, such as `.pdf`. A file of another name is read where it turns out to be text. */
  endings: string[];
  /** Beginnings of media types that are never read, such as `video/`. */
  refusedTypes: string[];
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

/** GET /api/starters: at most three questions to begin with, in the caller's language; none where the desk knows of none. */
export interface StarterList {
  starters: string[];
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

/** GET /ops/models: how the models have been answering since this process began. */
export interface ModelStatusList {
  models: ModelStatus[];
  /** null where none are configured. */
  embeddings: EmbeddingStatus | null;
}

/** How passages are embedded. */
export interface EmbeddingStatus {
  model: string;
  baseUrl: string;
  hasKey: boolean;
  /** False while questions are answered without, because the endpoint was slow or failed repeatedly. */
  isAvailable: boolean;
  /** Passages that have been embedded, of how many. */
  done: number;
  total: number;
  /** What this process has asked the endpoint for. */
  questions: Pick<ModelStatus, 'answered' | 'failures' | 'last'>;
  passages: Pick<ModelStatus, 'answered' | 'failures' | 'last'>;
}

export interface ModelStatus {
  name: string;
  /** What the endpoint calls it. */
  model: string;
  baseUrl: string;
  /** An API key is configured. */
  hasKey: boolean;
  /** Tokens that prompt and answer may have together: as configured, or less where the endpoint has refused that many. */
  contextTokens: number;
  isAvailable: boolean;
  /** Answers that came to their end. */
  answered: number;
  /** How often what went wrong, by the names in the log: invalid_key, unknown_model, rate_limited, content_filter … */
  failures: Record<string, number>;
  /** `message` says what to check; `status` is the HTTP status, where there was one. */
  last: { kind: string; status: number | null; at: string; message: string } | null;
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
  /** Earlier questions of the conversation that were searched for together with this one, oldest first; missing in older records. */
  context?: string[];
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
    /** Whether the answer cites it. */
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
  /** Median time from question to answer in ms; null without answers. */
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
  /** How many days a deletion can be undone: UNDO_DAYS. */
  undoDays: number;
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
  /** Of a deleted conversation; '' for the others. */
  title: string;
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
  /** How many days a deletion can be undone: UNDO_DAYS. */
  undoDays: number;
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

/** An account that may change the knowledge base, as operations see it: GET /ops/editors, POST /ops/editors/grant and revoke. */
export interface EditorInfo {
  id: string;
  username: string;
  createdAt: string;
  isEditor: boolean;
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
  /** What is wrong with a composition that a `check_failed` kept from going live. */
  findings?: CheckFinding[];
  /** Bytes that may still be uploaded, where a quota refused more. */
  remaining?: number;
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
  | 'ops_token_wrong'
  | 'check_failed'
  | 'version_taken'
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
  /** This visitor alone sees something else than what is live. Absent for everyone else. */
  override?: PageOverride;
}

/** `remote`: one remote comes from a developer's own server. `composition`: the page of a composition that is not live. */
export type PageOverride = { expiresAt: string } & (
  | { kind: 'remote'; remote: string; address: string }
  | { kind: 'composition' }
);

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

/*
 * Releases and compositions: /ops/*. Reading is for whoever is signed in or has the ops token; changes need the ops token or one of
 * 30 minutes made of it. A change says what revision of the pointer it was decided on and is refused with 409 `conflict` when the
 * pointer has moved since. Ids of compositions may be given by their first 6 to 64 digits where only one begins so.
 */

/** POST /ops/session, with `Authorization: Bearer <OPS_TOKEN>`. */
export interface OpsSession {
  token: string;
  expiresAt: string;
}

/** One file of a release: a path below its base, bytes, `sha384-…`, and the Content-Type it is served with. */
export interface ReleaseFileInfo {
  path: string;
  size: number;
  integrity: string;
  type: string;
}

export interface ReleaseAssets {
  js: string[];
  css: string[];
}

/**
 * POST /ops/releases, by the ops token or the remote's own release token: a build's release.json with its files described.
 * Answers with `ReleaseClaim`. Then PUT /ops/releases/:id/files/<path> takes the bytes of each missing file, and
 * POST /ops/releases/:id/publish ends it with `ReleaseDetails`, or says 409 `conflict` with the field `files` while some are missing.
 * Everything may be repeated; the same version with other content is 409 `version_taken`. Of a release that is published already,
 * `missing` are files that were lost or garbled since. What an address does not serve as it should is 422 `check_failed`.
 * With `address` the files stay on the team's own origin (one of RELEASE_ORIGINS, with CORS): they are fetched, checked against
 * `files`, and the release is published at once.
 */
export interface ReleaseUpload {
  name: string;
  version: string;
  container: string;
  contract: string;
  entry: string;
  entryFiles: ReleaseAssets;
  exposes: Record<string, ReleaseAssets>;
  shared: Record<string, string>;
  routes: Record<string, string>;
  /** index.html of the host, '' for a remote. */
  template: string;
  styleMarks: Record<string, string>;
  commit: string | null;
  files: Pick<ReleaseFileInfo, 'path' | 'size' | 'integrity'>[];
  /** Absolute, ends with a slash. */
  address?: string;
}

export interface ReleaseClaim {
  id: string;
  /** Paths whose bytes have not come yet. */
  missing: string[];
  publishedAt: string | null;
}

/** GET /ops/releases `?name=&cursor=&limit=` → `{releases, nextCursor}`, newest first. */
export interface ReleaseSummary {
  /** `mfe-chat@1.4.0`. */
  id: string;
  name: string;
  version: string;
  base: string;
  contract: string;
  commit: string | null;
  /** Bytes of all files. */
  size: number;
  fileCount: number;
  /** 'start', 'ops' or the remote whose token it was. */
  publishedBy: string;
  publishedAt: string;
  /** Part of what is live, or of a running canary. */
  isLive: boolean;
}

/** GET /ops/releases/:id. */
export interface ReleaseDetails extends ReleaseSummary {
  entry: string;
  exposes: Record<string, ReleaseAssets>;
  shared: Record<string, string>;
  routes: Record<string, string>;
  files: ReleaseFileInfo[];
}

export interface ChosenRelease {
  name: string;
  /** `mfe-chat@1.4.0`. */
  release: string;
  version: string;
  base: string;
  /** What a tab falls back to. */
  previous: string | null;
}

/** GET /ops/compositions/:id; GET /ops/compositions `?cursor=&limit=` → `{compositions, nextCursor}`, newest first. */
export interface CompositionInfo {
  id: string;
  host: ChosenRelease;
  remotes: ChosenRelease[];
  parent: string | null;
  author: string;
  reason: string;
  createdAt: string;
}

/** GET /ops/pointer: what this environment serves. One store is one environment. */
export interface PointerInfo {
  revision: number;
  composition: CompositionInfo;
  /**
   * What a roll back without an aim leads to: what was live before, unless pages have seen its releases failing. null where there is
   * nothing to go back to.
   */
  previous: string | null;
  movedAt: string;
  canary: CanaryInfo | null;
  /** Of what the call has just made live, or a canary; see `CheckReport`. */
  warnings?: CheckFinding[];
}

export interface CanaryInfo {
  composition: CompositionInfo;
  /** Percent of visitors, 0 to 100. */
  share: number;
  author: string;
  reason: string;
  startedAt: string;
  /** Set when it stopped by itself: visitors get what is live, until its share is set anew or it is aborted. */
  halted: { at: string; reason: string } | null;
}

/** What is to be live: releases put in the place of those of the same remotes in what is live now, or a composition that is there. */
export type CompositionChoice = { releases: string[]; without?: string[] } | { composition: string };

/** Said with every change. `author` is a name, ≤ 100; `reason` ≤ 500. `revision` is the pointer's that the change was decided on. */
export interface ChangeNote {
  author: string;
  reason: string;
  revision?: number;
}

/**
 * POST /ops/compositions: keeps it without making it live; 201 `CompositionInfo`, 200 when it stood already. POST /ops/pointer makes
 * it live → `PointerInfo`, and ends a canary, which was chosen upon what is live no more. What is live already is no move.
 */
export type SetComposition = CompositionChoice & ChangeNote;

/** POST /ops/pointer/rollback → `PointerInfo`: that very composition goes live again, and a canary ends. Without `to`: what was live before. */
export interface RollBack extends ChangeNote {
  to?: string;
}

/** POST /ops/canary begins one → `PointerInfo`; PATCH /ops/canary `{share}`; POST /ops/canary/promote and /abort take a ChangeNote. */
export type StartCanary = SetComposition & { share: number };

export type MoveKind = 'start' | 'set' | 'rollback' | 'canary' | 'share' | 'promote' | 'abort' | 'halt';

/** GET /ops/history `?cursor=&limit=` → `{moves, nextCursor}`, newest first. Only ever added to. */
export interface MoveInfo {
  /** The pointer's after the move. */
  revision: number;
  kind: MoveKind;
  at: string;
  author: string;
  reason: string;
  /** Live after the move. */
  composition: string;
  /** Live before; null at first. */
  from: string | null;
  /** The canary after the move, and its share; of `promote`, `abort` and `halt`, and of a `set` or `rollback` that ended one, the one that ended. */
  canary: string | null;
  share: number | null;
  /** Of `canary` against what is live, else of what became live against what was. */
  changes: ReleaseChange[];
}

/** Versions; null where there was, or is, none. */
export interface ReleaseChange {
  name: string;
  from: string | null;
  to: string | null;
}

/** GET /ops/diff `?from=&to=`, ids of compositions. */
export interface CompositionDiff {
  from: string;
  to: string;
  /** Host first, then by name; equal parts have no lists. */
  parts: PartDiff[];
  /** Bytes more (or less) in all. */
  bytes: number;
}

export interface PartDiff extends ReleaseChange {
  added: ReleaseFileInfo[];
  removed: ReleaseFileInfo[];
  /** Files that both have. */
  kept: number;
  bytes: number;
  exposesAdded: string[];
  exposesRemoved: string[];
  /** Ranges that differ, `{library, from, to}`. */
  shared: { library: string; from: string | null; to: string | null }[];
  contract: { from: string | null; to: string | null };
}

export type CheckRule = 'reachable' | 'integrity' | 'exposes' | 'shared' | 'contract' | 'names' | 'mount';

/** One thing that keeps a composition from going live: where, which rule, what is wrong and what to do, in the caller's language. */
export interface CheckFinding {
  rule: CheckRule;
  /** 'mfe-chat'. */
  remote: string;
  /** 'mfe-chat@1.4.0'. */
  release: string;
  message: string;
  advice: string;
}

/**
 * POST /ops/check takes a `CompositionChoice`, by the ops token or a release token; with `author` and `reason` too, `composition` is the
 * very id that setting it would make. Files of what is live already are not looked at, unless it is all that was chosen. The same
 * check is made by every call that would make something live, which answers 422 `check_failed` with `findings` in the error's body.
 */
export interface CheckReport {
  /** The id that the choice has or would have. */
  composition: string;
  isFine: boolean;
  findings: CheckFinding[];
  /** What keeps nothing from going live, and may not be meant. Left out where there is nothing. */
  warnings?: CheckFinding[];
  /** How much was looked at, by rule: files, modules, libraries … */
  looked: Partial<Record<CheckRule, number>>;
  tookMs: number;
}

/**
 * POST /ops/override → `OverrideLink`. `remote` and `address` (of a remote entry, within RELEASE_ORIGINS), or `composition`, for a
 * page of a composition that is not live. `minutes` 1–480 (60).
 */
export type OverrideRequest = { minutes?: number; author: string } & (
  | { remote: string; address: string }
  | { composition: string }
);

/** `url` is to be opened in the browser that shall see it; /chatbot/override/leave ends it there. */
export interface OverrideLink {
  url: string;
  expiresAt: string;
}

/** GET /ops/live, for anyone: the composition that this visitor's next page would be rendered with. */
export interface NextPage {
  composition: string;
}

/**
 * POST /ops/reports: what one page tells of itself, anyone, limited. What names no release of that composition is dropped, and
 * nothing says who sent it.
 */
export interface PageReport {
  /** Random, made by the page at its start; of one page a failure counts once. */
  page: string;
  composition: string;
  events: PageEvent[];
}

/** `remote` may be 'host'. Times in ms, CLS without a unit, errors at most 500 characters. */
export type PageEvent = { remote: string; version: string } & (
  | { kind: 'load'; ms: number }
  | { kind: 'failure'; phase: 'load' | 'render'; expose: string; error: string }
  | { kind: 'error'; error: string }
  | { kind: 'vital'; name: VitalName; value: number }
);

/** POST /ops/stack `{stack}`, with the ops token: positions in scripts of releases replaced by those in their sources. */
export interface ResolvedStack {
  stack: string;
}

export type VitalName = 'LCP' | 'INP' | 'CLS';

/** GET /ops/health `?minutes=` (60; 5 to 10,080): what pages told, by remote and version. */
export interface Health {
  from: string;
  to: string;
  /** Width of one step of `series`. */
  stepMs: number;
  rows: HealthRow[];
}

export interface HealthRow {
  remote: string;
  version: string;
  /** Of all page loads that named this remote in the time, percent. */
  share: number;
  /** Of the host alone: pages that were sent some time ago. One that works reports, and is counted in `loads`. */
  served?: number;
  /** Those of them that a browser opened, rather than a monitor, say. */
  opened?: number;
  loads: number;
  failures: number;
  errors: number;
  /** So many of its pages fail, or never report, that it cannot be called working. */
  isFailing?: boolean;
  /** 75th percentile; null without a measurement. */
  vitals: Record<VitalName, { p75: number; count: number } | null>;
  series: { at: string; loads: number; failures: number; errors: number }[];
  /** What went wrong lately, most frequent first, at most 10. */
  lastErrors: {
    kind: 'failure' | 'error';
    error: string;
    count: number;
    lastAt: string;
    composition: string;
  }[];
}
