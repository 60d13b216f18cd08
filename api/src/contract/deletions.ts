import { z } from 'zod';
import { ContactText, Day, hasOneSelection, nextCursor, TimeZone } from './fields.ts';
import { Contact } from './records.ts';
import { endsAfterItBegins, RecordFilter } from './search.ts';

// All requests are strict: a misspelt `dryRun` or `contact` must not delete the wrong records.
const dryRun = z.boolean().default(false);

/** POST /api/delete_by_contact. */
export const DeleteByContact = z.strictObject({ contact: ContactText, dryRun });
export type DeleteByContact = z.input<typeof DeleteByContact>;

/**
 * POST /api/delete_by_date: one `date`, or `from` to `to`, whole days of `tz` (UTC), inclusive; optionally of
 * one contact.
 */
export const DeleteByDate = z
  .strictObject({
    date: Day.exactOptional(),
    from: Day.exactOptional(),
    to: Day.exactOptional(),
    tz: TimeZone.default('UTC'),
    contact: ContactText.exactOptional(),
    dryRun,
  })
  .refine(endsAfterItBegins, { path: ['to'] })
  .transform(({ date, from, to, ...others }, ctx) => {
    const days = date === undefined ? { from, to } : { from: date, to: date };
    const isWhole = days.from !== undefined && days.to !== undefined;
    const isOne = date === undefined || (from === undefined && to === undefined);
    if (isWhole && isOne) return { ...others, from: days.from ?? '', to: days.to ?? '' };
    const missing = from === undefined ? 'from' : 'to';
    const isNeither = from === undefined && to === undefined;
    ctx.addIssue({ code: 'custom', path: [!isOne || isNeither ? 'date' : missing] });
    return z.NEVER;
  });
export type DeleteByDate = z.input<typeof DeleteByDate>;

/** POST /api/delete_by_ids: at most 5,000 ids, or everything that a filter finds (at most 50,000 records). */
export const DeleteByIds = z
  .strictObject({
    ids: z.array(z.string().max(100)).min(1).exactOptional(),
    filter: RecordFilter.exactOptional(),
    dryRun,
  })
  .refine(hasOneSelection, { path: ['ids'] });
export type DeleteByIds = z.input<typeof DeleteByIds>;

/** POST /api/undo_delete, /api/purge and /api/undo_contact: `undoToken` of a `Deletion` or `ContactUndo`. */
export const UndoRequest = z.object({ undoToken: z.string().min(1).max(200) });
export type UndoRequest = z.infer<typeof UndoRequest>;

/** POST /api/undo_delete. */
export const UndoReply = z.object({ restored: z.number() });
export type UndoReply = z.infer<typeof UndoReply>;

/** POST /api/purge. */
export const PurgeReply = z.object({ purged: z.number() });
export type PurgeReply = z.infer<typeof PurgeReply>;

/**
 * Response of a deletion. `undoToken` restores everything until `undoUntil`; both are null if nothing was
 * deleted: nothing matched, or `dryRun` was set.
 */
export const Deletion = z.object({
  matched: z.number(),
  deleted: z.number(),
  undoToken: z.string().nullable(),
  undoUntil: z.string().nullable(),
  /** Number of days in which a deletion can be undone (UNDO_DAYS). */
  undoDays: z.number(),
  /**
   * Only with `dryRun`: number of conversations and files of the matching records, and when the first and
   * last was asked.
   */
  preview: z
    .object({
      conversations: z.number(),
      files: z.number(),
      firstAt: z.string().nullable(),
      lastAt: z.string().nullable(),
    })
    .exactOptional(),
});
export type Deletion = z.infer<typeof Deletion>;

/** Response of DELETE /api/conversations/:id, which always deletes something. */
export const ConversationDeletion = Deletion.extend({ undoToken: z.string(), undoUntil: z.string() });
export type ConversationDeletion = z.infer<typeof ConversationDeletion>;

/**
 * One deletion that can still be undone, or a merge or rename of a contact: these are undone by POST /api/undo_contact,
 * and `into` is what `contact` became.
 */
export const BinEntry = z.object({
  undoToken: z.string(),
  kind: z.enum(['conversation', 'contact', 'date', 'selection', 'merge', 'rename']),
  /** Title of a deleted conversation; '' for other deletions. */
  title: z.string(),
  contact: Contact.nullable(),
  into: Contact.exactOptional(),
  /** The days of a deletion by date, in `tz`; '' for others. */
  from: z.string(),
  to: z.string(),
  tz: z.string(),
  matched: z.number(),
  createdAt: z.string(),
  undoUntil: z.string(),
});
export type BinEntry = z.infer<typeof BinEntry>;

/** GET /api/bin. */
export const BinPage = z.object({
  deletions: z.array(BinEntry),
  /** Number of days in which a deletion can be undone (UNDO_DAYS). */
  undoDays: z.number(),
  nextCursor,
});
export type BinPage = z.infer<typeof BinPage>;
