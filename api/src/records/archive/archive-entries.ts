import { z } from 'zod';
import { maxAnswerLength, maxReasoningLength } from '../../answers/answerer.ts';
import { maxContactLength, trimmedText } from '../../contract/fields.ts';
import type { Conversation, DeskRecord } from '../../contract/records.ts';
import { SourcePlace } from '../../contract/sources.ts';
import { databaseNow } from '../../store/database-clock.ts';
import { contactId, contactName } from '../contact-id.ts';

/** Limits of a record in an archive, in UTF-16 units; question and note as where they are entered. */
const maxLengths = {
  question: 8000,
  answer: maxAnswerLength,
  quote: 20_000,
  title: 500,
  note: 2000,
  contactNote: 100_000,
  name: 255,
  reasoning: maxReasoningLength,
};
/** Tolerated clock difference: later timestamps are refused, timestamps in between count as now. In ms. */
const aheadMs = 86_400_000;

/** Rejects half of a surrogate pair, which could not be stored unchanged. */
const text = (max: number, min = 0) =>
  z
    .string()
    .transform((given) => given.toWellFormed())
    .pipe(z.string().min(min).max(max));
const Id = z.string().regex(/^[0-9a-f]{24}$/);
const Whole = z.int().min(0);
/** The addresses at which this server serves passages and files; any other would be a foreign address. */
const PassageHref = z.string().regex(/^\/api\/passages\/[\w-]{1,64}$/);
const FileUrl = z.string().regex(/^(?:|\/api\/files\/[\w-]{1,64})$/);

const Instant = z
  .string()
  .max(40)
  .refine((given) => {
    const at = Date.parse(given);
    if (!(at >= 0 && at <= databaseNow() + aheadMs)) return false;
    // Date.parse silently moves an invalid day to a valid one.
    return (
      /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(given) && new Date(at).toISOString().startsWith(given.slice(0, 19))
    );
  })
  .transform((given) => new Date(Math.min(Date.parse(given), databaseNow())).toISOString());

/** Measured after normalisation: NFKC can turn one character into many. */
const contactText = (normalised: (given: string) => string) =>
  text(1000).transform(normalised).pipe(z.string().max(maxContactLength));
const ContactPart = z
  .object({ id: contactText(contactId), name: contactText(contactName) })
  .nullable()
  .transform((contact) => (contact === null || contact.id === '' ? null : contact));

const CitationPart = z.object({
  title: text(maxLengths.title),
  quote: text(maxLengths.quote),
  start: Whole,
  end: Whole,
  href: PassageHref,
  isPrivate: z.boolean().exactOptional(),
  place: z.string().exactOptional(),
  at: SourcePlace.exactOptional(),
  restOfSection: z.string().exactOptional(),
  restOfRow: z.string().exactOptional(),
});

const FilePart = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  name: text(maxLengths.name),
  kind: text(100),
  chars: Whole,
  pages: Whole,
  url: FileUrl,
});

/** A record in an archive: all lengths limited as where the data is entered, contacts normalised. */
export const ArchiveRecord = z.object({
  id: Id,
  conversationId: Id,
  contact: ContactPart,
  kind: z.enum(['chat', 'predict']),
  status: z.enum(['answering', 'done', 'stopped', 'failed']),
  question: trimmedText(maxLengths.question, 1),
  answer: text(maxLengths.answer),
  citations: z.array(CitationPart).max(100),
  source: z.enum(['curated', 'document', 'model', 'none']),
  outcome: z.enum(['answered', 'related', 'nothing']).exactOptional(),
  unsupported: z.array(text(maxLengths.question)).max(20).exactOptional(),
  understoodAs: text(5 * maxLengths.question).exactOptional(),
  doubts: z
    .array(z.object({ kind: z.enum(['citation', 'sentence', 'number']), start: Whole, end: Whole }))
    .max(10_000)
    .exactOptional(),
  isImage: z.boolean(),
  url: FileUrl,
  imgUrls: z.array(FileUrl).max(10),
  files: z.array(FilePart).max(10),
  feedback: z.object({ rating: z.literal([1, -1]), note: text(maxLengths.note) }).nullable(),
  suggestions: z.array(text(maxLengths.question)).max(10),
  model: text(maxLengths.name).default(''),
  reasoning: text(maxLengths.reasoning).default(''),
  answeredSince: z
    .object({ pairId: z.string().regex(/^[\w-]{1,64}$/), answer: text(maxLengths.answer), at: Instant })
    .nullable()
    .default(null),
  answeredByPerson: z.literal(true).exactOptional(),
  createdAt: Instant,
  answerStartedAt: Instant.exactOptional(),
  answeredAt: Instant.nullable(),
  versionOf: z
    .object({ recordId: Id, createdAt: Instant, number: z.int().min(2).max(1_000_000) })
    .exactOptional(),
}) satisfies z.ZodType<DeskRecord, unknown>;

/** A contact in the archive of an account. Its note may be longer than an entered one, see `joinNotes`. */
export const ArchiveContact = z.object({
  id: contactText(contactId),
  note: text(maxLengths.contactNote).default(''),
});

/** A conversation in an archive. Derived values (counts, dates) are recalculated from its records. */
export const ArchiveConversation = z.object({
  id: Id,
  title: trimmedText(200, 1),
  createdAt: Instant,
  pinned: z.boolean().exactOptional(),
  archived: z.boolean().exactOptional(),
}) satisfies z.ZodType<Pick<Conversation, 'id' | 'title' | 'createdAt' | 'pinned' | 'archived'>>;
export type ArchiveConversation = z.infer<typeof ArchiveConversation>;
