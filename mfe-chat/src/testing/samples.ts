import type { Handover } from 'api/contract/handover';
import type { Conversation, DeskRecord } from 'api/contract/records';

/** Data of the event `record` that starts an answer. */
export const RECORD = { recordId: 'r1', conversationId: 'c1', clientId: null };

/** Data of the event `done` that ends an answer, without its text. */
export const DONE = {
  recordId: 'r1',
  conversationId: 'c1',
  citations: [],
  source: 'document' as const,
  status: 'done' as const,
  suggestions: [],
};

/** A complete record; `fields` overrides defaults. */
export function record(id: string, fields: Partial<DeskRecord> = {}): DeskRecord {
  return {
    id,
    conversationId: 'c1',
    contact: null,
    kind: 'chat',
    status: 'done',
    question: `question ${id}`,
    answer: `answer ${id}`,
    citations: [],
    source: 'document',
    isImage: false,
    url: '',
    imgUrls: [],
    files: [],
    feedback: null,
    suggestions: [],
    model: '',
    reasoning: '',
    answeredSince: null,
    createdAt: '2026-11-21T01:00:00.000Z',
    answeredAt: '2026-11-21T01:00:01.000Z',
    ...fields,
  };
}

/** A conversation created now. */
export function conversation(id: string, fields: Partial<Conversation> = {}): Conversation {
  const now = new Date().toISOString();
  return {
    id,
    title: `title ${id}`,
    contact: null,
    recordCount: 1,
    createdAt: now,
    updatedAt: now,
    ...fields,
  };
}

/** A request for a person in the conversation c1 that nobody has taken. */
export function handover(id: string, fields: Partial<Handover> = {}): Handover {
  return {
    id,
    conversationId: 'c1',
    recordId: null,
    question: `question ${id}`,
    contactDetails: '',
    state: 'waiting',
    agent: null,
    messages: [],
    createdAt: '2026-11-21T02:00:00.000Z',
    updatedAt: '2026-11-21T02:00:00.000Z',
    ...fields,
  };
}

/** A page of `all` as returned by the API under `name`: after `cursor`, at most `limit` (20) entries. */
export function pageOf<T>(name: string, all: readonly T[], { cursor, limit = 20 }: Record<string, unknown>) {
  const from = Number(cursor ?? 0);
  const to = from + Number(limit);
  return { [name]: all.slice(from, to), nextCursor: to < all.length ? String(to) : null };
}
