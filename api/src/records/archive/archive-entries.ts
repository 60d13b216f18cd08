import { z } from 'zod';
import { longestAnswer, longestReasoning } from '../../answers/answerer.ts';
import type { Conversation, DeskRecord } from '../../contract/contract.ts';
import { contactId, contactName, longestContact } from '../contact-id.ts';

/** What one record of an archive can hold, in UTF-16 units; a question and a note are bounded as where they are written. */
const longest = {
  question: 8000,
  answer: longestAnswer,
  quote: 20_000,
  title: 500,
  note: 2000,
  name: 255,
  reasoning: longestReasoning,
};
/** A clock that is a little ahead of ours: what it wrote down later than now counts as now. */
const aheadMs = 86_400_000;

/** Half a surrogate pair could not be kept as it is. */
const text = (most: number, least = 0) =>
  z
    .string()
    .transform((given) => given.toWellFormed())
    .pipe(z.string().min(least).max(most));
const Id = z.string().regex(/^[0-9a-f]{24}$/);
const Whole = z.int().min(0);
/** Where the desk itself serves passages and files; any other address would be somebody else's. */
const PassageHref = z.string().regex(/^\/api\/passages\/[\w-]{1,64}$/);
const FileUrl = z.string().regex(/^(?:|\/api\/files\/[\w-]{1,64})$/);

const Instant = z
  .string()
  .max(40)
  .refine((given) => {
    const at = Date.parse(given);
    if (!(at >= 0 && at <= Date.now() + aheadMs)) return false;
    // A day that no calendar has is moved on by Date.parse.
    return (
      /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(given) && new Date(at).toISOString().startsWith(given.slice(0, 19))
    );
  })
  .transform((given) => new Date(Math.min(Date.parse(given), Date.now())).toISOString());

/** Measured as it is kept: NFKC can make one character many. */
const ContactPart = z
  .object({
    id: text(1000).transform(contactId).pipe(z.string().max(longestContact)),
    name: text(1000).transform(contactName).pipe(z.string().max(longestContact)),
  })
  .nullable()
  .transform((contact) => (contact === null || contact.id === '' ? null : contact));

const CitationPart = z.object({
  title: text(longest.title),
  quote: text(longest.quote),
  start: Whole,
  end: Whole,
  href: PassageHref,
});

const FilePart = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  name: text(longest.name),
  kind: text(100),
  chars: Whole,
  pages: Whole,
  url: FileUrl,
});

/** A record as an archive holds it: everything bounded as where it comes from, contacts in their one form. */
export const ArchiveRecord = z.object({
  id: Id,
  conversationId: Id,
  contact: ContactPart,
  kind: z.enum(['chat', 'predict']),
  status: z.enum(['answering', 'done', 'stopped', 'failed']),
  question: z
    .string()
    .transform((given) => given.toWellFormed().trim())
    .pipe(z.string().min(1).max(longest.question)),
  answer: text(longest.answer),
  citations: z.array(CitationPart).max(100),
  source: z.enum(['curated', 'document', 'model', 'none']),
  isImage: z.boolean(),
  url: FileUrl,
  imgUrls: z.array(FileUrl).max(10),
  files: z.array(FilePart).max(10),
  feedback: z.object({ rating: z.literal([1, -1]), note: text(longest.note) }).nullable(),
  suggestions: z.array(text(longest.question)).max(10),
  model: text(longest.name).default(''),
  reasoning: text(longest.reasoning).default(''),
  answeredSince: z
    .object({ pairId: z.string().regex(/^[\w-]{1,64}$/), answer: text(longest.answer), at: Instant })
    .nullable()
    .default(null),
  createdAt: Instant,
  answerStartedAt: Instant.exactOptional(),
  answeredAt: Instant.nullable(),
}) satisfies z.ZodType<DeskRecord, unknown>;

/** A conversation as an archive holds it. What follows from its records (how many, since when) is not taken from it. */
export const ArchiveConversation = z.object({
  id: Id,
  title: z
    .string()
    .transform((given) => given.toWellFormed().trim())
    .pipe(z.string().min(1).max(200)),
  createdAt: Instant,
}) satisfies z.ZodType<Pick<Conversation, 'id' | 'title' | 'createdAt'>>;
export type ArchiveConversation = z.infer<typeof ArchiveConversation>;
