import { z } from 'zod';
import { nextCursor } from './fields.ts';
import { RecordStatus } from './records.ts';

/** POST and PATCH /api/conversations/:id/share. `files` includes the files sent with the questions. */
export const ShareRequest = z.object({
  files: z.boolean().default(false),
  /** Shares all versions of each question; default false: the newest one, or the one in `shown`. */
  versions: z.boolean().default(false),
  /** Ids of records that are the chosen version of their question, at most 2,000. */
  shown: z.array(z.string().max(100)).max(2000).default([]),
  /** The link ends after this many days from now, 1–365; null: it does not. PATCH keeps the end if it is missing. */
  days: z.int().min(1).max(365).nullable().optional(),
});
export type ShareRequest = z.input<typeof ShareRequest>;

/**
 * GET /api/conversations/:id/share: the link of a conversation without its token, which is not stored. It shows
 * the questions that were answered at `updatedAt`; POST replaces the link by a new one, PATCH shows what has
 * been added since, DELETE revokes it.
 */
export const Share = z.object({
  files: z.boolean(),
  versions: z.boolean(),
  /** Number of records it can show. */
  recordCount: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** From then on the link is unknown; null if it does not end. */
  expiresAt: z.string().nullable(),
});
export type Share = z.infer<typeof Share>;

export const ListedShare = Share.extend({
  conversationId: z.string(),
  /** Title of the conversation. */
  title: z.string(),
});
export type ListedShare = z.infer<typeof ListedShare>;

/** GET /api/shares: the owner's links, newest first, expired ones included. */
export const SharePage = z.object({ shares: z.array(ListedShare), nextCursor });
export type SharePage = z.infer<typeof SharePage>;

export const ShareState = z.object({
  /** Null if the conversation is not shared. */
  share: Share.nullable(),
  /** Whether files were sent with its questions, and whether a question has several versions. */
  hasFiles: z.boolean(),
  hasVersions: z.boolean(),
});
export type ShareState = z.infer<typeof ShareState>;

/** The response of POST /api/conversations/:id/share. The only time the token is known: nothing can show it again. */
export const NewShare = Share.extend({ token: z.string() });
export type NewShare = z.infer<typeof NewShare>;

const token = z.string().max(200);

/** POST /api/shared, for anyone. `from` is `next` of the previous page. */
export const SharedRequest = z.object({ token, from: z.int().min(0).max(1_000_000).default(0) });
export type SharedRequest = z.input<typeof SharedRequest>;

/** `[n]` in the answer refers to it. */
export const SharedCitation = z.object({
  n: z.number(),
  /** Null for passages of a file that is not shared. */
  source: z.object({ title: z.string(), quote: z.string() }).nullable(),
});
export type SharedCitation = z.infer<typeof SharedCitation>;

/** `id` is only valid together with the token, for POST /api/shared/file. */
export const SharedFile = z.object({ id: z.string(), name: z.string(), kind: z.string(), pages: z.number() });
export type SharedFile = z.infer<typeof SharedFile>;

export const SharedRecord = z.object({
  /** '' if it would only name files that are not shared. */
  question: z.string(),
  /** Null if the question was answered again after it was shared. `[0]` follows what has no support. */
  answer: z.string().nullable(),
  status: RecordStatus.exclude(['answering']),
  /** 2 for the second version of a question, and so on; missing for the first, and unless all versions are shared. */
  version: z.number().exactOptional(),
  citations: z.array(SharedCitation),
  files: z.array(SharedFile),
  /** Number of files that are not shared. */
  hiddenFiles: z.number(),
  createdAt: z.string(),
});
export type SharedRecord = z.infer<typeof SharedRecord>;

/**
 * A shared conversation, oldest record first, at most 50 records. Contains no ids, contacts, ratings or names of people. 404 for
 * an unknown link and for one that was revoked.
 */
export const SharedConversation = z.object({
  /** '' if it would name a file that is not shared. */
  title: z.string(),
  /** The state of the conversation that it shows. */
  updatedAt: z.string(),
  records: z.array(SharedRecord),
  /** Position of the next page; null at the end. */
  next: z.number().nullable(),
});
export type SharedConversation = z.infer<typeof SharedConversation>;

/** POST /api/shared/file: the bytes of a shared file. */
export const SharedFileRequest = z.object({ token, file: z.string().max(200) });
export type SharedFileRequest = z.input<typeof SharedFileRequest>;
