import type { RecordStatus } from './records.ts';

/** POST and PATCH /api/conversations/:id/share. `files` includes the files sent with the questions. */
export interface ShareRequest {
  files: boolean;
  /** Shares all versions of each question; default false: the newest one, or the one in `shown`. */
  versions?: boolean;
  /** Ids of records that are the chosen version of their question, at most 2,000. */
  shown?: string[];
  /** The link ends after this many days from now, 1–365; null: it does not. PATCH keeps the end if it is missing. */
  days?: number | null | undefined;
}

/**
 * GET /api/conversations/:id/share: the link of a conversation without its token, which is not stored. It shows
 * the questions that were answered at `updatedAt`; POST replaces the link by a new one, PATCH shows what has
 * been added since, DELETE revokes it.
 */
export interface Share {
  files: boolean;
  versions: boolean;
  /** Number of records it can show. */
  recordCount: number;
  createdAt: string;
  updatedAt: string;
  /** From then on the link is unknown; null if it does not end. */
  expiresAt: string | null;
}

/** GET /api/shares: the owner's links, newest first, expired ones included. */
export interface SharePage {
  shares: ListedShare[];
  nextCursor: string | null;
}

export interface ListedShare extends Share {
  conversationId: string;
  /** Title of the conversation. */
  title: string;
}

export interface ShareState {
  /** Null if the conversation is not shared. */
  share: Share | null;
  /** Whether files were sent with its questions, and whether a question has several versions. */
  hasFiles: boolean;
  hasVersions: boolean;
}

/** The response of POST /api/conversations/:id/share. The only time the token is known: nothing can show it again. */
export interface NewShare extends Share {
  token: string;
}

/** POST /api/shared, for anyone. `from` is `next` of the previous page. */
export interface SharedRequest {
  token: string;
  from?: number;
}

/**
 * A shared conversation, oldest record first, at most 50 records. Contains no ids, contacts, ratings or names of people. 404 for
 * an unknown link and for one that was revoked.
 */
export interface SharedConversation {
  /** '' if it would name a file that is not shared. */
  title: string;
  /** The state of the conversation that it shows. */
  updatedAt: string;
  records: SharedRecord[];
  /** Position of the next page; null at the end. */
  next: number | null;
}

export interface SharedRecord {
  /** '' if it would only name files that are not shared. */
  question: string;
  /** Null if the question was answered again after it was shared. `[0]` follows what has no support. */
  answer: string | null;
  status: Exclude<RecordStatus, 'answering'>;
  /** 2 for the second version of a question, and so on; missing for the first, and unless all versions are shared. */
  version?: number;
  /** `[n]` in the answer refers to `citations[n - 1]`; null for passages of a file that is not shared. */
  citations: (SharedCitation | null)[];
  files: SharedFile[];
  /** Number of files that are not shared. */
  hiddenFiles: number;
  createdAt: string;
}

export interface SharedCitation {
  title: string;
  quote: string;
}

/** `id` is only valid together with the token, for POST /api/shared/file. */
export interface SharedFile {
  id: string;
  name: string;
  kind: string;
  pages: number;
}

/** POST /api/shared/file: the bytes of a shared file. */
export interface SharedFileRequest {
  token: string;
  file: string;
}
