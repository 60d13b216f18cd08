import { z } from 'zod';
import { AnsweredBy, Outcome } from './answers.ts';
import { ContactText, Day, nextCursor, TimeZone, trimmedText } from './fields.ts';
import { Contact, Conversation, DeskRecord } from './records.ts';

export const FeedbackFilter = z.enum(['up', 'down', 'none']);
export type FeedbackFilter = z.infer<typeof FeedbackFilter>;

const filterFields = z.strictObject({
  /** Every word must occur in the question or the answer; text in quotation marks literally. */
  text: trimmedText(1000).exactOptional(),
  /**
   * An id, or a name that matches exactly one of the owner's contacts (otherwise 409). '' means questions for
   * oneself.
   */
  contact: ContactText.exactOptional(),
  /** First and last day, YYYY-MM-DD, both inclusive, as days of `tz`. */
  from: Day.exactOptional(),
  to: Day.exactOptional(),
  /** IANA name of a time zone; default 'UTC'. */
  tz: TimeZone.exactOptional(),
  /** `person` finds the questions that a person has answered; the other values find the rest by their source. */
  source: AnsweredBy.exactOptional(),
  /** Questions that a person has answered are `answered`. */
  outcome: Outcome.exactOptional(),
  feedback: FeedbackFilter.exactOptional(),
});

/** Whether `to` is not before `from`. */
export function endsAfterItBegins({ from, to }: { from?: string; to?: string }): boolean {
  return from === undefined || to === undefined || from <= to;
}

/**
 * Filter of a search, report or export. All given conditions must hold; an empty filter matches every record. Strict: a
 * misspelt condition must not match every record.
 */
export const RecordFilter = filterFields.refine(endsAfterItBegins, { path: ['to'] });
export type RecordFilter = z.input<typeof RecordFilter>;

/** POST /api/search. `cursor` is only valid for the same filter, `limit` is 1–100 (default 20). */
export const SearchRequest = filterFields
  .extend({ cursor: z.string().min(1).max(500).exactOptional(), limit: z.int().min(1).max(100).default(20) })
  .refine(endsAfterItBegins, { path: ['to'] });
export type SearchRequest = z.input<typeof SearchRequest>;

/** Position of a searched word: UTF-16 units of the record's `field`. In order, without overlaps. */
export const Highlight = z.object({
  field: z.enum(['question', 'answer']),
  start: z.number(),
  end: z.number(),
});
export type Highlight = z.infer<typeof Highlight>;

export const FoundRecord = DeskRecord.extend({ highlights: z.array(Highlight) });
export type FoundRecord = z.infer<typeof FoundRecord>;

/**
 * `total` is exact; with `totalIsMore` it is what was counted before counting stopped: at 10,000, or once a limited number of
 * records was examined. A page may therefore contain fewer records than asked for, or none, and still have a `nextCursor`.
 */
export const SearchPage = z.object({
  records: z.array(FoundRecord),
  total: z.number(),
  totalIsMore: z.boolean(),
  nextCursor,
  /**
   * On the first page, if the filter has only words: at most 5 conversations whose title, set by their owner, contains
   * these words, newest first. Missing if there are none.
   */
  conversations: z.array(Conversation).exactOptional(),
});
export type SearchPage = z.infer<typeof SearchPage>;

/**
 * GET /api/contacts and POST /api/contacts/search, see ContactSearch: the owner's contacts, most recently used first.
 */
export const ContactPage = z.object({ contacts: z.array(Contact), nextCursor });
export type ContactPage = z.infer<typeof ContactPage>;

/**
 * POST /api/stats, with a RecordFilter as body, or GET with it as query, which proxies log. `unanswered` counts records of source `none` that no
 * person has answered: the outcomes *related* and *nothing*. Days are those of `tz`, oldest first.
 */
export const RecordStats = z.object({
  total: z.number(),
  /** With words: `total` is not exact, as in SearchPage, and everything here is of the newest `total` records that match. */
  totalIsMore: z.literal(true).exactOptional(),
  answered: z.number(),
  unanswered: z.number(),
  /** Every record counts once. */
  bySource: z.record(AnsweredBy, z.number()),
  byOutcome: z.record(Outcome, z.number()),
  byDay: z.array(z.object({ day: z.string(), count: z.number() })),
  /** Most frequent first; `contact` is null for oneself. */
  byContact: z.array(z.object({ contact: Contact.nullable(), count: z.number() })),
  satisfaction: z.object({ up: z.number(), down: z.number() }),
  /** Median time from question to the desk's answer in ms; null without answers. */
  medianMs: z.number().nullable(),
  /** Only for editors: handovers of all visitors that are not closed, and the response time of agents. */
  handovers: z.object({ open: z.number(), medianMinutes: z.number().nullable() }).exactOptional(),
});
export type RecordStats = z.infer<typeof RecordStats>;

/** POST /api/feedback. `rating` 0 withdraws the rating. `note` has at most 2,000 units. */
export const FeedbackRequest = z.object({
  recordId: z.string(),
  rating: z.union([z.literal(1), z.literal(-1), z.literal(0)]),
  note: trimmedText(2000).exactOptional(),
});
export type FeedbackRequest = z.input<typeof FeedbackRequest>;

export const FeedbackReply = z.object({ recordId: z.string(), rating: z.literal([1, -1, 0]) });
export type FeedbackReply = z.infer<typeof FeedbackReply>;
