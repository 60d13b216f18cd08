import { z } from 'zod';
import { Outcome } from './answers.ts';
import { digits, TimeZone } from './fields.ts';

/** Maximum number of days of an overview. */
export const maxOverviewDays = 90;

/** Query of GET /api/overview. `tz` is an IANA name; default 'UTC'. */
export const OverviewQuery = z.object({
  days: digits(2).default('30').transform(Number).pipe(z.number().min(1).max(maxOverviewDays)),
  tz: TimeZone.default('UTC'),
});

/**
 * GET /api/overview `?days=&tz=`, for administrators: what all visitors have asked in the latest days, today included, without anyone's text. Days and hours
 * are counted in advance: a deletion or a rating changes the counts of the latest 8 days only.
 */
export const DeskOverview = z.object({
  /** First and last day. */
  from: z.string(),
  to: z.string(),
  total: z.number(),
  /** Days of `tz` with questions, oldest first. */
  byDay: z.array(z.object({ day: z.string(), count: z.number() })),
  /** Answers by the desk by their outcome; `person` are questions that a person has answered. */
  byOutcome: z.record(z.union([Outcome, z.literal('person')]), z.number()),
  satisfaction: z.object({ up: z.number(), down: z.number() }),
  /** The documents that answers have cited most since they were uploaded, at most 10. */
  mostCited: z.array(z.object({ id: z.string(), title: z.string(), cited: z.number() })),
  /** The most frequent questions of the unanswered inbox, at most 10. */
  topUnanswered: z.array(z.object({ question: z.string(), count: z.number() })),
});
export type DeskOverview = z.infer<typeof DeskOverview>;
