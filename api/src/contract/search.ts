import type { AnsweredBy, Outcome } from './answers.ts';
import type { Contact, Conversation, DeskRecord } from './records.ts';

/**
 * Filter of a search, report or export. All given conditions must hold; an empty filter matches every record.
 */
export interface RecordFilter {
  /**
   * At most 1,000 units. Every word must occur in the question or the answer; text in quotation marks
   * literally.
   */
  text?: string;
  /**
   * An id, or a name that matches exactly one of the owner's contacts (otherwise 409). '' means questions for
   * oneself.
   */
  contact?: string;
  /** First and last day, YYYY-MM-DD, both inclusive, as days of `tz`. */
  from?: string;
  to?: string;
  /** IANA name of a time zone; default 'UTC'. */
  tz?: string;
  /** `person` finds the questions that a person has answered; the other values find the rest by their source. */
  source?: AnsweredBy;
  /** Questions that a person has answered are `answered`. */
  outcome?: Outcome;
  feedback?: FeedbackFilter;
}

export type FeedbackFilter = 'up' | 'down' | 'none';

/** POST /api/search. `cursor` is only valid for the same filter, `limit` is 1–100 (default 20). */
export interface SearchRequest extends RecordFilter {
  cursor?: string;
  limit?: number;
}

/** Position of a searched word: UTF-16 units of the record's `field`. In order, without overlaps. */
export interface Highlight {
  field: 'question' | 'answer';
  start: number;
  end: number;
}

export interface FoundRecord extends DeskRecord {
  highlights: Highlight[];
}

/**
 * `total` is exact; with `totalIsMore` it is what was counted before counting stopped: at 10,000, or once a limited number of
 * records was examined. A page may therefore contain fewer records than asked for, or none, and still have a `nextCursor`.
 */
export interface SearchPage {
  records: FoundRecord[];
  total: number;
  totalIsMore: boolean;
  nextCursor: string | null;
  /**
   * On the first page of a filter of words alone: conversations whose own title has these words, newest first, at
   * most 5. Missing if there are none.
   */
  conversations?: Conversation[];
}

/**
 * GET /api/contacts and POST /api/contacts/search, see ContactSearch: the owner's contacts, most recently used first.
 */
export interface ContactPage {
  contacts: Contact[];
  nextCursor: string | null;
}

/**
 * POST /api/stats, with a RecordFilter as body, or GET with it as query, which proxies write down. `unanswered` counts records of source `none` that no
 * person has answered: the outcomes *related* and *nothing*. Days are those of `tz`, oldest first.
 */
export interface RecordStats {
  total: number;
  answered: number;
  unanswered: number;
  /** Every record counts once. */
  bySource: Record<AnsweredBy, number>;
  byOutcome: Record<Outcome, number>;
  byDay: { day: string; count: number }[];
  /** Most frequent first; `contact` is null for oneself. */
  byContact: { contact: Contact | null; count: number }[];
  satisfaction: { up: number; down: number };
  /** Median time from question to the desk's answer in ms; null without answers. */
  medianMs: number | null;
  /** Only for editors: handovers of all visitors that are not closed, and the response time of agents. */
  handovers?: { open: number; medianMinutes: number | null };
}

/** POST /api/feedback. `rating` 0 withdraws the rating. `note` has at most 2,000 units. */
export interface FeedbackRequest {
  recordId: string;
  rating: 1 | -1 | 0;
  note?: string;
}

export interface FeedbackReply {
  recordId: string;
  rating: 1 | -1 | 0;
}
