import { z } from 'zod';
import { AnswerSource } from './answers.ts';
import { ClientId, nextCursor, PageQuery, trimmedText } from './fields.ts';
import { KnowledgeAnswer, KnowledgeQuestion } from './knowledge.ts';

/**
 * `waiting`: no agent has taken it. `assigned`: an agent has, and the visitor's latest message has no reply yet.
 * `answered`: the latest message is an agent's; the visitor's next one makes it `assigned` again, or `waiting` if it
 * was released. `closed` by either side.
 */
export const HandoverState = z.enum(['waiting', 'assigned', 'answered', 'closed']);
export type HandoverState = z.infer<typeof HandoverState>;

export const HandoverMessage = z.object({
  id: z.string(),
  from: z.enum(['visitor', 'agent']),
  /** The agent's name; '' for the visitor. */
  name: z.string(),
  text: z.string(),
  createdAt: z.string(),
});
export type HandoverMessage = z.infer<typeof HandoverMessage>;

/**
 * A visitor's request for a person. A conversation has at most one that is not closed. `question` is the first
 * message and not repeated in `messages`.
 */
export const Handover = z.object({
  id: z.string(),
  conversationId: z.string(),
  /** The record it was asked from; null if it was asked from the conversation as a whole. */
  recordId: z.string().nullable(),
  question: z.string(),
  contactDetails: z.string(),
  state: HandoverState,
  /** Name of the agent it is assigned to. */
  agent: z.string().nullable(),
  messages: z.array(HandoverMessage),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Handover = z.infer<typeof Handover>;

/**
 * POST /api/handovers: 201 with a Handover. `question` has 1–8,000 units, `contactDetails` at most 200. Without
 * `conversationId` a conversation with the question is created. Idempotent by `clientId` (at most 64
 * characters). If the conversation has an open handover, that one is the response (200).
 */
export const HandoverRequest = z.object({
  conversationId: z.string().max(100).exactOptional(),
  recordId: z.string().max(100).exactOptional(),
  question: trimmedText(8000, 1),
  contactDetails: trimmedText(200).exactOptional(),
  clientId: ClientId,
});
export type HandoverRequest = z.input<typeof HandoverRequest>;

/**
 * POST /api/handovers/:id/messages and /api/inbox/:id/messages. `text` has 1–8,000 units. Idempotent by
 * `clientId` (at most 64 characters).
 */
export const HandoverMessageRequest = z.object({ text: trimmedText(8000, 1), clientId: ClientId });
export type HandoverMessageRequest = z.input<typeof HandoverMessageRequest>;

/**
 * GET /api/conversations/:id/handovers: the latest 50 of a conversation, oldest first. POST …/handovers/seen
 * replies with the same and marks their replies as read, see `Conversation.unreadReply`.
 */
export const HandoverList = z.object({ handovers: z.array(Handover) });
export type HandoverList = z.infer<typeof HandoverList>;

/**
 * GET /api/handovers/expectation: median minutes until the first reply in the last 30 days; null with fewer
 * than 3.
 */
export const ResponseTime = z.object({ medianMinutes: z.number().nullable() });
export type ResponseTime = z.infer<typeof ResponseTime>;

/**
 * GET /api/handovers/events, server-sent events: the complete handover whenever one of the caller changes,
 * and first every one that is not closed.
 */
export const HandoverEvent = z.object({ event: z.literal('handover'), data: Handover });
export type HandoverEvent = z.infer<typeof HandoverEvent>;

/** A handover for agents. Never reveals the account or guest that asked. */
export const InboxEntry = Handover.omit({ messages: true }).extend({
  isMine: z.boolean(),
  /** Start of the latest message, or of the question. */
  lastMessage: z.string(),
  /** When the visitor's earliest message without a reply was sent; the latest message's time if none is. */
  waitingSince: z.string(),
});
export type InboxEntry = z.infer<typeof InboxEntry>;

export const InboxQuery = PageQuery.extend({ state: z.enum(['open', 'closed']).default('open') });

/**
 * GET /api/inbox `?state=open|closed&cursor=&limit=`: open ones without a reply first, by the longest wait;
 * closed ones by the latest change. `open` counts all that are not closed.
 */
export const InboxPage = z.object({ handovers: z.array(InboxEntry), open: z.number(), nextCursor });
export type InboxPage = z.infer<typeof InboxPage>;

/**
 * A question of the handover's conversation with the first 20,000 units of its answer; '' if that was given after the
 * handover was closed.
 */
export const InboxRecord = z.object({
  question: z.string(),
  answer: z.string(),
  source: AnswerSource,
  createdAt: z.string(),
});
export type InboxRecord = z.infer<typeof InboxRecord>;

/** GET /api/inbox/:id, and the response of take, release, close, messages and pair. */
export const InboxDetail = z.object({
  handover: Handover,
  agent: z.string().nullable(),
  isMine: z.boolean(),
  /** The curated pair that was created from it. */
  pairId: z.string().nullable(),
  /** Whether the caller may create one: not all agents are editors. */
  mayAddPair: z.boolean(),
  /** The latest 50 of its conversation that were asked before it was closed, oldest first. */
  records: z.array(InboxRecord),
});
export type InboxDetail = z.infer<typeof InboxDetail>;

/**
 * POST /api/inbox/:id/pair: creates a curated pair or changes the one that has this question. `question` has
 * 1–8,000 units, `answer` 1–20,000.
 */
export const InboxPairRequest = z.object({ question: KnowledgeQuestion, answer: KnowledgeAnswer });
export type InboxPairRequest = z.input<typeof InboxPairRequest>;

/**
 * GET /api/inbox/summary: number of handovers that are not closed, and of those that wait for a reply of the caller, which are the ones that nobody or the
 * caller has taken; null if the caller may not read the inbox.
 */
export const InboxSummary = z.object({ open: z.number().nullable(), waiting: z.number().nullable() });
export type InboxSummary = z.infer<typeof InboxSummary>;

/** GET /api/inbox/events, server-sent events: at the start and whenever a handover changes. */
export const InboxEvent = z.object({ event: z.literal('inbox'), data: z.object({ open: z.number() }) });
export type InboxEvent = z.infer<typeof InboxEvent>;
