import type { AnswerSource } from './answers.ts';

/**
 * `waiting`: no agent has taken it. `assigned`: an agent has, and the visitor's latest message has no reply yet.
 * `answered`: the latest message is an agent's; the visitor's next one makes it `assigned` again, or `waiting` if it
 * was released. `closed` by either side.
 */
export type HandoverState = 'waiting' | 'assigned' | 'answered' | 'closed';

export interface HandoverMessage {
  id: string;
  from: 'visitor' | 'agent';
  /** The agent's name; '' for the visitor. */
  name: string;
  text: string;
  createdAt: string;
}

/**
 * A visitor's request for a person. A conversation has at most one that is not closed. `question` is the first
 * message and not repeated in `messages`.
 */
export interface Handover {
  id: string;
  conversationId: string;
  /** The record it was asked from; null if it was asked from the conversation as a whole. */
  recordId: string | null;
  question: string;
  contactDetails: string;
  state: HandoverState;
  /** Name of the agent it is assigned to. */
  agent: string | null;
  messages: HandoverMessage[];
  createdAt: string;
  updatedAt: string;
}

/**
 * POST /api/handovers: 201 with a Handover. `question` has 1–8,000 units, `contactDetails` at most 200. Without
 * `conversationId` a conversation with the question is created. Idempotent by `clientId` (at most 64
 * characters). If the conversation has an open handover, that one is the response (200).
 */
export interface HandoverRequest {
  conversationId?: string;
  recordId?: string;
  question: string;
  contactDetails?: string;
  clientId: string;
}

/**
 * POST /api/handovers/:id/messages and /api/inbox/:id/messages. `text` has 1–8,000 units. Idempotent by
 * `clientId` (at most 64 characters).
 */
export interface HandoverMessageRequest {
  text: string;
  clientId: string;
}

/**
 * GET /api/conversations/:id/handovers: the latest 50 of a conversation, oldest first. POST …/handovers/seen
 * replies with the same and marks their replies as read, see `Conversation.unreadReply`.
 */
export interface HandoverList {
  handovers: Handover[];
}

/**
 * GET /api/handovers/expectation: median minutes until the first reply in the last 30 days; null with fewer
 * than 3.
 */
export interface ResponseTime {
  medianMinutes: number | null;
}

/**
 * GET /api/handovers/events, server-sent events: the complete handover whenever one of the caller changes,
 * and first every one that is not closed.
 */
export type HandoverEvent = { event: 'handover'; data: Handover };

/** A handover for agents. Never reveals the account or guest that asked. */
export interface InboxEntry extends Omit<Handover, 'messages'> {
  isMine: boolean;
  /** Start of the latest message, or of the question. */
  lastMessage: string;
  /** When the visitor's earliest message without a reply was sent; the latest message's time if none is. */
  waitingSince: string;
}

/**
 * GET /api/inbox `?state=open|closed&cursor=&limit=`: open ones without a reply first, by the longest wait;
 * closed ones by the latest change. `open` counts all that are not closed.
 */
export interface InboxPage {
  handovers: InboxEntry[];
  open: number;
  nextCursor: string | null;
}

/**
 * A question of the handover's conversation with the first 20,000 units of its answer; '' if that was given after the
 * handover was closed.
 */
export interface InboxRecord {
  question: string;
  answer: string;
  source: AnswerSource;
  createdAt: string;
}

/** GET /api/inbox/:id, and the response of take, release, close, messages and pair. */
export interface InboxDetail {
  handover: Handover;
  agent: string | null;
  isMine: boolean;
  /** The curated pair that was created from it. */
  pairId: string | null;
  /** The latest 50 of its conversation that were asked before it was closed, oldest first. */
  records: InboxRecord[];
}

/**
 * POST /api/inbox/:id/pair: creates a curated pair or changes the one that has this question. `question` has
 * 1–8,000 units, `answer` 1–20,000.
 */
export interface InboxPairRequest {
  question: string;
  answer: string;
}

/**
 * GET /api/inbox/summary: number of handovers that are not closed, and of those that wait for a reply of the caller, which are the ones that nobody or the
 * caller has taken; null if the caller may not read the inbox.
 */
export interface InboxSummary {
  open: number | null;
  waiting: number | null;
}

/** GET /api/inbox/events, server-sent events: at the start and whenever a handover changes. */
export type InboxEvent = { event: 'inbox'; data: { open: number } };
