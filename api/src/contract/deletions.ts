import type { Contact } from './records.ts';
import type { RecordFilter } from './search.ts';

/** POST /api/delete_by_contact. */
export interface DeleteByContact {
  contact: string;
  dryRun?: boolean;
}

/**
 * POST /api/delete_by_date: one `date`, or `from` to `to`, whole days of `tz` (UTC), inclusive; optionally of
 * one contact.
 */
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
 * Response of a deletion. `undoToken` restores everything until `undoUntil`; both are null if nothing was
 * deleted: nothing matched, or `dryRun` was set.
 */
export interface Deletion {
  matched: number;
  deleted: number;
  undoToken: string | null;
  undoUntil: string | null;
  /** Number of days in which a deletion can be undone (UNDO_DAYS). */
  undoDays: number;
  /**
   * Only with `dryRun`: number of conversations and files of the matching records, and when the first and
   * last was asked.
   */
  preview?: { conversations: number; files: number; firstAt: string | null; lastAt: string | null };
}

/** Response of DELETE /api/conversations/:id, which always deletes something. */
export interface ConversationDeletion extends Deletion {
  undoToken: string;
  undoUntil: string;
}

/**
 * One deletion that can still be undone, or a merge or rename of a contact: these are undone by POST /api/undo_contact,
 * and `into` is what `contact` became.
 */
export interface BinEntry {
  undoToken: string;
  kind: 'conversation' | 'contact' | 'date' | 'selection' | 'merge' | 'rename';
  /** Title of a deleted conversation; '' for other deletions. */
  title: string;
  contact: Contact | null;
  into?: Contact;
  /** The days of a deletion by date, in `tz`; '' for others. */
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
  /** Number of days in which a deletion can be undone (UNDO_DAYS). */
  undoDays: number;
  nextCursor: string | null;
}
