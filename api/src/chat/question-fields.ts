import { z } from 'zod';
import { maxContactLength } from '../records/contact-id.ts';

const wellFormed = z.string().transform((text) => text.toWellFormed());
const clientId = wellFormed.pipe(z.string().min(1).max(64));
const trimmed = wellFormed.transform((text) => text.trim());
// Measured after normalisation: NFKC can turn one character into many.
const contact = wellFormed
  .transform((text) => text.normalize('NFKC').trim())
  .pipe(z.string().max(maxContactLength));

/** POST /api/chat. */
export const Question = z.object({
  text: trimmed.pipe(z.string().min(1).max(8000)),
  contact: contact.optional(),
  contactName: contact.optional(),
  conversationId: z.string().optional(),
  clientId: clientId.optional(),
  model: z.string().max(100).optional(),
  versionOf: z.string().max(100).optional(),
  isAlone: z.boolean().optional(),
});

/** POST /api/chat/:recordId/retry. */
export const Retry = z.object({ clientId: clientId.optional() });

/** The text fields of POST /api/predict; forms send empty fields as ''. */
export const FileQuestion = z.preprocess(
  withoutEmpty,
  Question.omit({ versionOf: true }).extend({ text: trimmed.pipe(z.string().max(8000)).default('') }),
);

function withoutEmpty(fields: unknown): unknown {
  const given = Object.entries(fields as Record<string, string>);
  return Object.fromEntries(given.filter(([name, value]) => value !== '' && name !== '__proto__'));
}
