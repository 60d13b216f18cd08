import { z } from 'zod';
import { AnswerSource, Citation, Judgement } from './answers.ts';
import { exactPartial, nextCursor, PageQuery, trimmedText } from './fields.ts';
import { ReadingNotice } from './sources.ts';

/** `answering` while in progress; the other three are final until a retry. */
export const RecordStatus = z.enum(['answering', 'done', 'stopped', 'failed']);
export type RecordStatus = z.infer<typeof RecordStatus>;

export const RecordKind = z.enum(['chat', 'predict']);
export type RecordKind = z.infer<typeof RecordKind>;

/**
 * The person on whose behalf a question is asked. `id` is the normalised phone number, e-mail address or text
 * (at most 120 characters).
 */
export const Contact = z.object({ id: z.string(), name: z.string() });
export type Contact = z.infer<typeof Contact>;

export const Feedback = z.object({ rating: z.literal([1, -1]), note: z.string() });
export type Feedback = z.infer<typeof Feedback>;

/** A file sent with a question. `url` is /api/files/:id. */
export const RecordFile = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  chars: z.number(),
  pages: z.number(),
  url: z.string(),
  /** What could not be read; missing if everything was. */
  notices: z.array(ReadingNotice).exactOptional(),
});
export type RecordFile = z.infer<typeof RecordFile>;

/**
 * Marks a version of an earlier question: edited, or the same one answered again. All versions of a question name the first one, which may
 * have been deleted meanwhile.
 */
export const VersionOf = z.object({
  recordId: z.string(),
  /** When the first version was asked: the place of all versions in their conversation. */
  createdAt: z.string(),
  /** 2 for the second version. Numbers of deleted versions are not used again. */
  number: z.number(),
});
export type VersionOf = z.infer<typeof VersionOf>;

/** An editor's later answer to a question. */
export const AnsweredSince = z.object({
  pairId: z.string(),
  /** The collection of the pair; missing for the first one. */
  collectionId: z.string().exactOptional(),
  answer: z.string(),
  at: z.string(),
});
export type AnsweredSince = z.infer<typeof AnsweredSince>;

/**
 * One question and its answer. `contact` is null if the question was asked for oneself. `outcome` is missing in records of earlier
 * versions, whose source decides it: *nothing* with the source `none`.
 */
export const DeskRecord = exactPartial(Judgement).extend({
  id: z.string(),
  conversationId: z.string(),
  contact: Contact.nullable(),
  kind: RecordKind,
  status: RecordStatus,
  question: z.string(),
  answer: z.string(),
  citations: z.array(Citation),
  source: AnswerSource,
  isImage: z.boolean(),
  url: z.string(),
  imgUrls: z.array(z.string()),
  files: z.array(RecordFile),
  feedback: Feedback.nullable(),
  /** Up to three questions that can be answered, offered if nothing was found. */
  suggestions: z.array(z.string()),
  /** Name of the model that answered, or ''. */
  model: z.string(),
  /** The model's reasoning before and during the answer, at most 20,000 units; '' if none. */
  reasoning: z.string(),
  /** The answer an editor has given later to an unanswered or badly rated question; null if none. */
  answeredSince: AnsweredSince.nullable(),
  /** Whether a person has answered the question in a handover; missing if not. */
  answeredByPerson: z.literal(true).exactOptional(),
  createdAt: z.string(),
  /**
   * Start of the attempt that produced the answer; for a retry it is later than `createdAt`. Missing before
   * the first token, and in records of earlier versions.
   */
  answerStartedAt: z.string().exactOptional(),
  answeredAt: z.string().nullable(),
  /**
   * Why the model failed, as a sentence in the language of the question; missing if it did not, or if
   * unknown.
   */
  failure: z.string().exactOptional(),
  /** Missing for the first version of a question. */
  versionOf: VersionOf.exactOptional(),
});
export type DeskRecord = z.infer<typeof DeskRecord>;

export const Conversation = z.object({
  id: z.string(),
  title: z.string(),
  contact: Contact.nullable(),
  recordCount: z.number(),
  /** Whether a person has replied since the handovers of the conversation were last marked as seen. */
  unreadReply: z.boolean().exactOptional(),
  /** Whether its owner has pinned or archived it; at most one of them. */
  pinned: z.boolean().exactOptional(),
  archived: z.boolean().exactOptional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Conversation = z.infer<typeof Conversation>;

/**
 * PATCH /api/conversations/:id, at least one field. Pinning takes a conversation out of the archive, archiving
 * unpins it; both at once are refused. A new question or reply in an archived one takes it out as well.
 */
export const ConversationChange = z
  .object({
    title: trimmedText(200, 1).exactOptional(),
    pinned: z.boolean().exactOptional(),
    archived: z.boolean().exactOptional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), { path: ['title'] })
  .refine(({ pinned, archived }) => !(pinned && archived), { path: ['archived'] });
export type ConversationChange = z.input<typeof ConversationChange>;

export const ConversationQuery = PageQuery.extend({ archived: z.enum(['0', '1']).default('0') });

/**
 * Lists are newest first; `nextCursor` is opaque and null at the end. GET /api/conversations lists pinned
 * conversations before the others, and archived ones only with `?archived=1`. For a guest, its header
 * `X-Guest-Days` is the retention in days after the last use (GUEST_DAYS).
 */
export const ConversationPage = z.object({
  conversations: z.array(Conversation),
  nextCursor,
  /** Whether any are archived; only with the first page of those that are not, and if there are any. */
  hasArchived: z.boolean().exactOptional(),
});
export type ConversationPage = z.infer<typeof ConversationPage>;

export const RecordPage = z.object({ records: z.array(DeskRecord), nextCursor });
export type RecordPage = z.infer<typeof RecordPage>;
