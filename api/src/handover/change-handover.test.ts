import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { HandoverDocument, StoredMessage } from './handover.ts';
import { withMessage } from './handover.ts';

const asked = new Date('2026-11-20T09:00:00Z');

function handover(part: Partial<HandoverDocument> = {}): HandoverDocument {
  const conversationId = new Types.ObjectId();
  return {
    _id: new Types.ObjectId(),
    owner: 'guest:a',
    conversationId,
    recordId: new Types.ObjectId(),
    isOfConversation: false,
    question: 'question',
    contactDetails: '',
    isOpen: true,
    openIn: conversationId,
    isAnswered: false,
    agentId: null,
    agentName: '',
    messages: [],
    lastMessage: 'question',
    waitingSince: asked,
    isUnread: false,
    firstReplyAt: null,
    firstReplyMs: null,
    pairId: null,
    createdAt: asked,
    updatedAt: asked,
    revision: 0,
    erasedBy: null,
    ...part,
  };
}

const message = (from: StoredMessage['from'], clientId: string, text = 'text') => ({
  from,
  name: '',
  text,
  clientId,
});

/** The handover after these messages, in order. */
function after(...messages: ReturnType<typeof message>[]): HandoverDocument {
  const reached = handover();
  for (const next of messages) Object.assign(reached, withMessage(reached, next));
  return reached;
}

test('a repeated message is stored once; the same client id from the other side is another message', () => {
  const before = after(message('visitor', 'k'));
  expect(withMessage(before, message('visitor', 'k'))).toBeNull();
  expect(() => withMessage(before, message('visitor', 'k', 'other'))).toThrow(
    expect.objectContaining({ key: 'conflict_client_id' }),
  );
  expect(withMessage(before, message('agent', 'k'))?.messages).toHaveLength(2);
});

test('a message repeated after the end is accepted, a new one is not', () => {
  const closed = { ...after(message('visitor', 'k')), isOpen: false };
  expect(withMessage(closed, message('visitor', 'k'))).toBeNull();
  expect(() => withMessage(closed, message('visitor', 'l'))).toThrow(
    expect.objectContaining({ key: 'handover_closed' }),
  );
});

test('a handover takes 200 messages', () => {
  const all = (count: number) => Array.from({ length: count }, (_, n) => message('visitor', String(n)));
  const almost = after(...all(199));
  expect(withMessage(almost, message('visitor', 'last'))?.messages).toHaveLength(200);
  expect(() => withMessage(after(...all(200)), message('visitor', 'more'))).toThrow(
    expect.objectContaining({ key: 'handover_full' }),
  );
});

test('a handover has been waiting since its first message without a reply', () => {
  expect(after(message('visitor', 'a')).waitingSince).toBe(asked);
  const replied = after(message('visitor', 'a'), message('agent', 'b'));
  expect(replied).toMatchObject({ isAnswered: true, waitingSince: replied.messages[1]?.createdAt });
  const again = { ...replied, ...withMessage(replied, message('visitor', 'c')) };
  expect(again).toMatchObject({ isAnswered: false, waitingSince: again.messages[2]?.createdAt });
  const more = { ...again, ...withMessage(again, message('visitor', 'd')) };
  expect(more.waitingSince).toBe(again.waitingSince);
});

test('lists show the start of the latest message, never half a character', () => {
  expect(after(message('visitor', 'a', `${'x'.repeat(199)}😀`)).lastMessage).toBe(`${'x'.repeat(199)}�`);
});
