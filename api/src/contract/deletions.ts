import type { Contact } from './records.ts';
import type { RecordFilter } from './search.ts';

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
