import type { Contact } from './records.ts';

/** A contact in POST /api/contacts/search with `details`. */
export interface ContactSummary extends Contact {
  /** Number of questions asked on the contact's behalf. */
  recordCount: number;
  lastAskedAt: string;
  hasNote: boolean;
}

/**
 * POST /api/contacts/search: the owner's contacts, most recently used first. `q` is a part of the id or the name. With
 * `details` the reply is a ContactSummaryPage, else a ContactPage; cursors are the same. GET /api/contacts takes the same
 * as query (`details=1`); proxies write down queries, so use it without `q`.
 */
export interface ContactSearch {
  q?: string;
  details?: boolean;
  cursor?: string;
  limit?: number;
}

/** POST /api/contacts/search with `details`. */
export interface ContactSummaryPage {
  contacts: ContactSummary[];
  nextCursor: string | null;
}

/**
 * POST /api/contacts/read with the id in the body. For a contact that was merged it is the one that it was merged into, so `id` may differ
 * from the requested one.
 */
export interface ContactDetails extends Contact {
  /** The owner's note. A note joined by a merge may be longer than 2,000 units. */
  note: string;
  /** Changes with every change of name or note. */
  revision: number;
  recordCount: number;
  conversationCount: number;
  firstAskedAt: string;
  lastAskedAt: string;
}

/** Token for POST /api/undo_contact, valid until `undoUntil` (UNDO_DAYS). */
export interface ContactUndo {
  undoToken: string;
  undoUntil: string;
}

/**
 * POST /api/undo_contact `{undoToken}`: undoes a merge or rename. Every record it changed gets its contact back, and so
 * do notes that were not changed since; questions asked after a merge stay with the contact merged into.
 */
export interface ContactUndoReply {
  /** Number of records that it gives back. */
  records: number;
  /** The contact that was merged or renamed; null if all its records are deleted. */
  contact: ContactDetails | null;
}

/** Response of PATCH /api/contacts. `undo` is missing unless the name changed. */
export interface ContactChangeReply extends ContactDetails {
  undo?: ContactUndo;
}

/**
 * PATCH /api/contacts replies with ContactChangeReply. `name` (at most 120 units) replaces the name in all records
 * and conversations of the contact; `note` has at most 2,000 units. 409 unless `revision` is the current one.
 */
export interface ContactChange {
  id: string;
  name?: string;
  note?: string;
  revision: number;
}

/**
 * POST /api/contacts/merge: all records and conversations of the contact become those of `into`, the id of
 * another contact, and the notes are joined. `dryRun` only counts. Repeating it is harmless.
 */
export interface ContactMergeRequest {
  id: string;
  into: string;
  dryRun?: boolean;
}

export interface ContactMergeReply {
  /** Number of records and conversations that move; 0 if the contacts were merged before. */
  records: number;
  conversations: number;
  /** The contact merged into: without the moved records after a dry run, with them otherwise. */
  contact: ContactDetails;
  /** Missing after a dry run, and if nothing moved. */
  undo?: ContactUndo;
}
