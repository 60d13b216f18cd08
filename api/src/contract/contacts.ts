import { z } from 'zod';
import { ContactText, maxContactLength, nextCursor, PageQuery, trimmedText } from './fields.ts';
import { Contact } from './records.ts';

/** A contact in POST /api/contacts/search with `details`. */
export const ContactSummary = Contact.extend({
  /** Number of questions asked on the contact's behalf. */
  recordCount: z.number(),
  lastAskedAt: z.string(),
  hasNote: z.boolean(),
});
export type ContactSummary = z.infer<typeof ContactSummary>;

/**
 * POST /api/contacts/search: the owner's contacts, most recently used first. `q` is a part of the id or the name. With
 * `details` the reply is a ContactSummaryPage, else a ContactPage; cursors are the same. GET /api/contacts takes the same
 * as query (`details=1`). Proxies log queries, so use it without `q`.
 */
export const ContactSearch = z.strictObject({
  q: ContactText.default(''),
  details: z.boolean().default(false),
  cursor: z.string().min(1).max(500).exactOptional(),
  limit: z.int().min(1).max(100).default(20),
});
export type ContactSearch = z.input<typeof ContactSearch>;

/** Query of GET /api/contacts. */
export const ContactQuery = PageQuery.extend({
  q: ContactText.default(''),
  details: z.enum(['0', '1']).default('0'),
});

const ContactId = trimmedText(maxContactLength, 1);

/** POST /api/contacts/read. */
export const ContactRequest = z.strictObject({ id: ContactId });
export type ContactRequest = z.input<typeof ContactRequest>;

/** POST /api/contacts/search with `details`. */
export const ContactSummaryPage = z.object({ contacts: z.array(ContactSummary), nextCursor });
export type ContactSummaryPage = z.infer<typeof ContactSummaryPage>;

/**
 * POST /api/contacts/read with the id in the body. For a contact that was merged it is the one that it was merged into, so `id` may differ
 * from the requested one.
 */
export const ContactDetails = Contact.extend({
  /** The owner's note. A note joined by a merge may be longer than 2,000 units. */
  note: z.string(),
  /** Changes with every change of name or note. */
  revision: z.number(),
  recordCount: z.number(),
  conversationCount: z.number(),
  firstAskedAt: z.string(),
  lastAskedAt: z.string(),
});
export type ContactDetails = z.infer<typeof ContactDetails>;

/** Token for POST /api/undo_contact, valid until `undoUntil` (UNDO_DAYS). */
export const ContactUndo = z.object({ undoToken: z.string(), undoUntil: z.string() });
export type ContactUndo = z.infer<typeof ContactUndo>;

/**
 * POST /api/undo_contact `{undoToken}`: undoes a merge or rename. Every record it changed gets its contact back, and so
 * do notes that were not changed since; questions asked after a merge stay with the contact merged into.
 */
export const ContactUndoReply = z.object({
  /** Number of records that it gives back. */
  records: z.number(),
  /** The contact that was merged or renamed; null if all its records are deleted. */
  contact: ContactDetails.nullable(),
});
export type ContactUndoReply = z.infer<typeof ContactUndoReply>;

/** Response of PATCH /api/contacts. `undo` is missing unless the name changed. */
export const ContactChangeReply = ContactDetails.extend({ undo: ContactUndo.exactOptional() });
export type ContactChangeReply = z.infer<typeof ContactChangeReply>;

/**
 * PATCH /api/contacts replies with ContactChangeReply. `name` (at most 120 units) replaces the name in all records
 * and conversations of the contact; `note` has at most 2,000 units. 409 unless `revision` is the current one.
 */
export const ContactChange = z
  .strictObject({
    id: ContactId,
    name: trimmedText(maxContactLength).exactOptional(),
    // Joined notes may be longer: nothing is cut off.
    note: trimmedText(2000).exactOptional(),
    revision: z.int().min(0),
  })
  .refine(({ name, note }) => name !== undefined || note !== undefined, { path: ['name'] });
export type ContactChange = z.input<typeof ContactChange>;

/**
 * POST /api/contacts/merge: all records and conversations of the contact become those of `into`, the id of
 * another contact, and the notes are joined. `dryRun` only counts. Repeating it is harmless.
 */
export const ContactMergeRequest = // Strict: a misspelt `dryRun` must not merge.
  z.strictObject({ id: ContactId, into: ContactId, dryRun: z.boolean().default(false) });
export type ContactMergeRequest = z.input<typeof ContactMergeRequest>;

export const ContactMergeReply = z.object({
  /** Number of records and conversations that move; 0 if the contacts were merged before. */
  records: z.number(),
  conversations: z.number(),
  /** The contact merged into: without the moved records after a dry run, with them otherwise. */
  contact: ContactDetails,
  /** Missing after a dry run, and if nothing moved. */
  undo: ContactUndo.exactOptional(),
});
export type ContactMergeReply = z.infer<typeof ContactMergeReply>;
