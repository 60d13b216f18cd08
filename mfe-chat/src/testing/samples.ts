import type { Conversation, DeskRecord } from 'api/contract/records';

/** A record with everything in place; `fields` says what matters. */
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

/** An own conversation of this moment. */
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

/** A page of `all` as the API answers it, under `name`: behind a cursor, at most `limit` (20). */
export function pageOf<T>(name: string, all: readonly T[], { cursor, limit = 20 }: Record<string, unknown>) {
  const from = Number(cursor ?? 0);
  const to = from + Number(limit);
  return { [name]: all.slice(from, to), nextCursor: to < all.length ? String(to) : null };
}
