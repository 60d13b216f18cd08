import type { Handover, HandoverMessageRequest, HandoverRequest } from 'api/contract/handover';
import type { Conversation } from 'api/contract/records';
import { type Call, failure } from 'host/stand-ins';
import { createEventSource, type EventSourceEnd } from './event-source.ts';
import { handover } from './samples.ts';

interface Options {
  /** The conversation of a request, created if it has none. */
  conversationOf(request: HandoverRequest): Conversation;
  /** Milliseconds after which the person replies. */
  replyAfter: number;
}

/**
 * Requests for a person, in memory: routes by method and path, with `:id` in place of ids. A person replies to every message after a
 * while.
 */
export function createStandInHandovers({
  conversationOf,
  replyAfter,
}: Options): Record<string, (call: Call, id: string) => unknown> {
  const handovers: Handover[] = [];
  const conversations = new Map<string, Conversation>();
  const readers = new Set<EventSourceEnd>();
  let count = 0;

  const found = (id: string) => {
    const one = handovers.find((other) => other.id === id);
    if (!one) throw failure(404, 'not_found', '没有找到');
    return one;
  };
  const send = (reader: EventSourceEnd, one: Handover) => reader.sendOther('handover', one);
  const change = (id: string, fields: Partial<Handover>) => {
    const changed = Object.assign(found(id), fields, { updatedAt: new Date().toISOString() });
    for (const reader of readers) send(reader, changed);
    return structuredClone(changed);
  };
  const write = (id: string, from: 'visitor' | 'agent', text: string) => {
    count += 1;
    const name = from === 'agent' ? '王敏' : '';
    const message = { id: `m${count}`, from, name, text, createdAt: new Date().toISOString() };
    return change(id, { messages: [...found(id).messages, message] });
  };
  const reply = (id: string) => {
    setTimeout(() => change(id, { state: 'assigned', agent: '王敏' }), replyAfter / 2);
    setTimeout(() => {
      if (found(id).state === 'closed') return;
      Object.assign(conversations.get(found(id).conversationId) ?? {}, { unreadReply: true });
      found(id).state = 'answered';
      write(id, 'agent', '您好，我查了一下：\n定制商品有质量问题时，签收后 7 天内可以退换。');
    }, replyAfter);
  };

  const ofConversation = (id: string) => ({
    handovers: structuredClone(handovers.filter(({ conversationId }) => conversationId === id)),
  });

  return {
    'POST /api/handovers': ({ body }) => {
      const { recordId = null, question, contactDetails = '', ...request } = body as HandoverRequest;
      const conversation = conversationOf({ ...request, question });
      const there = handovers.find((one) => one.conversationId === conversation.id && one.state !== 'closed');
      if (there) return structuredClone(there);
      count += 1;
      const now = new Date().toISOString();
      const fields = { recordId, question, contactDetails, createdAt: now, updatedAt: now };
      handovers.push(handover(`h${count}`, { conversationId: conversation.id, ...fields }));
      conversations.set(conversation.id, conversation);
      reply(`h${count}`);
      return change(`h${count}`, {});
    },
    'GET /api/handovers/expectation': () => ({ medianMinutes: 25 }),
    'GET /api/handovers/events': ({ signal }) => {
      const reader = createEventSource();
      readers.add(reader);
      signal?.addEventListener('abort', () => readers.delete(reader));
      reader.comment();
      for (const one of handovers) if (one.state !== 'closed') send(reader, one);
      return reader.stream;
    },
    'POST /api/handovers/:id/messages': ({ body }, id) => {
      found(id).state = 'assigned';
      reply(id);
      return write(id, 'visitor', (body as HandoverMessageRequest).text);
    },
    'POST /api/handovers/:id/close': (_, id) => change(id, { state: 'closed' }),
    'GET /api/conversations/:id/handovers': (_, id) => ofConversation(id),
    'POST /api/conversations/:id/handovers/seen': (_, id) => {
      delete conversations.get(id)?.unreadReply;
      return ofConversation(id);
    },
  };
}
