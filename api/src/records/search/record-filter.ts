import { z } from 'zod';
import { trimmedText } from '../../http/body.ts';
import { isDay, isTimeZone } from '../day-range.ts';

export const Day = z.string().refine(isDay);
export const TimeZone = z.string().refine(isTimeZone);
/** Id or name of a contact; '' is the owner. */
export const ContactText = trimmedText(120);

const fields = z.strictObject({
  text: trimmedText(1000).optional(),
  contact: ContactText.optional(),
  from: Day.optional(),
  to: Day.optional(),
  tz: TimeZone.optional(),
  source: z.enum(['curated', 'document', 'model', 'person', 'none']).optional(),
  outcome: z.enum(['answered', 'related', 'nothing']).optional(),
  feedback: z.enum(['up', 'down', 'none']).optional(),
});

/** The fields of a filter, to be extended. */
export const filterFields = fields.shape;

/** Refinement: `to` must not be before `from`. */
export function endsAfterItBegins({
  from,
  to,
}: {
  from?: string | undefined;
  to?: string | undefined;
}): boolean {
  return from === undefined || to === undefined || from <= to;
}
export const wrongEnd = { path: ['to'] };

/** Filter of a search, report or export. Strict: a misspelt condition must not match every record. */
export const Filter = fields.refine(endsAfterItBegins, wrongEnd);
export type Filter = z.infer<typeof Filter>;
