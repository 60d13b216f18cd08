import { afterAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { ErrorBody } from '../contract/error-body.ts';
import type {
  Handover,
  HandoverEvent,
  HandoverList,
  InboxDetail,
  InboxEvent,
  InboxPage,
  InboxSummary,
  ResponseTime,
} from '../contract/handover.ts';
import type { KnowledgePairPage } from '../contract/knowledge.ts';
import type { PeoplePage } from '../contract/people.ts';
import type { ConversationPage, DeskRecord, RecordPage } from '../contract/records.ts';
import type { RecordStats } from '../contract/search.ts';
import {
  ask,
  askForPerson,
  inboxOf,
  makeEditor,
  newClientId,
  reply,
  startHandoverDesk,
} from '../testing/handover-desk.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

const desk = await startHandoverDesk();
afterAll(() => desk?.end());

const guest = () => createVisitor(desk.first.url);

async function handoversOf(visitor: Visitor, conversationId: string, query = ''): Promise<Handover[]> {
  const path = `/api/conversations/${conversationId}/handovers${query}`;
  const { status, body } = await visitor.call<HandoverList>('GET', path);
  expect(status).toBe(200);
  return body.handovers;
}

const write = (visitor: Visitor, id: string, text: string, clientId = newClientId()) =>
  visitor.call<Handover & ErrorBody>('POST', `/api/handovers/${id}/messages`, { text, clientId });

/** The events of a stream, one by one; `return` closes it. */
function eventsOf<T extends HandoverEvent | InboxEvent>(visitor: Visitor, path: string) {
  const events = visitor.events('GET', path) as unknown as AsyncGenerator<T>;
  return {
    next: async () => (await events.next()).value as T['data'] | undefined,
    async until(is: (data: T['data']) => boolean): Promise<T['data']> {
      for (;;) {
        const { value, done } = await events.next();
        if (done) throw new Error('expected another event');
        if (is(value.data)) return value.data;
      }
    },
    isOver: async () => (await events.next()).done === true,
    close: () => events.return(undefined),
  };
}

describe('asking for a person', () => {
  test('goes from waiting to assigned, answered, assigned again and closed', async () => {
    const visitor = guest();
    const { conversationId, recordId } = await ask(visitor, 'When are pears picked?');
    const contactDetails = 'visitor@example.com';
    const asked = await askForPerson(visitor, { conversationId, recordId, contactDetails });
    expect(asked).toMatchObject({ conversationId, recordId, contactDetails, state: 'waiting', agent: null });

    const taken = await desk.wang.call<InboxDetail>('POST', `/api/inbox/${asked.id}/take`);
    expect(taken.body).toMatchObject({ agent: '王 wang', isMine: true, handover: { state: 'assigned' } });
    expect(taken.body.records).toMatchObject([
      { question: 'When are pears picked?', answer: 'When are pears picked?', source: 'document' },
    ]);
    await reply(desk.wang, asked.id, 'In September.');
    const [answered] = await handoversOf(visitor, conversationId);
    expect(answered).toMatchObject({
      state: 'answered',
      agent: '王 wang',
      messages: [{ from: 'agent', name: '王 wang', text: 'In September.' }],
    });

    expect((await write(visitor, asked.id, 'And apples?')).body).toMatchObject({ state: 'assigned' });
    const closed = await visitor.call<Handover>('POST', `/api/handovers/${asked.id}/close`);
    expect(closed.body).toMatchObject({ state: 'closed', messages: [{}, { from: 'visitor', name: '' }] });
    expect(await write(visitor, asked.id, 'One more')).toMatchObject({
      status: 409,
      body: { error: 'handover_closed' },
    });
    const { handovers } = await inboxOf(desk.li, '&state=closed');
    expect(handovers.find(({ id }) => id === asked.id)).toMatchObject({
      state: 'closed',
      lastMessage: 'And apples?',
      isMine: false,
    });
  });

  test('shows agents the questions and answers of the conversation until the request was closed', async () => {
    const visitor = guest();
    const { conversationId, recordId } = await ask(visitor, 'before');
    const asked = await askForPerson(visitor, { conversationId, recordId });
    await ask(visitor, 'while it is open', { conversationId });
    const seen = async ({ id }: Handover) => {
      const { body } = await desk.wang.call<InboxDetail>('GET', `/api/inbox/${id}`);
      return body.records.map(({ question, answer }) => [question, answer]);
    };
    const shown = [
      ['before', 'before'],
      ['while it is open', 'while it is open'],
    ];
    expect(await seen(asked)).toEqual(shown);

    await visitor.call('POST', `/api/handovers/${asked.id}/close`);
    await ask(visitor, 'private', { conversationId });
    expect(await seen(asked)).toEqual(shown);
    const saved = { question: 'When?', answer: 'Now.' };
    await desk.wang.call('POST', `/api/inbox/${asked.id}/pair`, saved);
    expect(await seen(asked)).toEqual(shown);

    await visitor.call('POST', `/api/chat/${recordId}/retry`);
    expect(await seen(asked)).toEqual([['before', ''], shown[1]]);

    const closedEarlier = { _id: new Types.ObjectId(asked.id) };
    await desk.first.connection
      .collection('handovers')
      .updateOne(closedEarlier, { $unset: { closedAt: 1 }, $set: { updatedAt: new Date() } });
    expect(await seen(asked)).toEqual([['before', '']]);

    const again = await askForPerson(visitor, { conversationId });
    expect((await seen(again)).map(([question]) => question)).toEqual([
      'before',
      'while it is open',
      'private',
    ]);
  });

  test('without a conversation creates one with the question', async () => {
    const visitor = guest();
    const asked = await askForPerson(visitor, { question: 'Can I talk to a person?' });
    const { body } = await visitor.call<RecordPage>(
      'GET',
      `/api/conversations/${asked.conversationId}/records`,
    );
    expect(body.records).toMatchObject([
      { id: asked.recordId, question: 'Can I talk to a person?', status: 'done', source: 'none' },
    ]);
  });

  test('a conversation has one open handover, and another one after that is closed', async () => {
    const visitor = guest();
    const { conversationId } = await ask(visitor, 'x');
    const asked = await Promise.all([1, 2, 3].map(() => askForPerson(visitor, { conversationId })));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    expect(asked[0]).toMatchObject({ recordId: null });
    await visitor.call('POST', `/api/handovers/${asked[0]!.id}/close`);
    const again = await askForPerson(visitor, { conversationId, question: 'Another question' });
    expect((await handoversOf(visitor, conversationId)).map(({ id }) => id)).toEqual([
      asked[0]!.id,
      again.id,
    ]);
  });

  test('a repeated request returns the same handover, and another question with its id is refused', async () => {
    const visitor = guest();
    // From now on all of its requests are those of one guest.
    await ask(visitor, 'x');
    const clientId = newClientId();
    const asked = await Promise.all([1, 2, 3].map(() => askForPerson(visitor, { clientId })));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    const other = { question: 'Another question', clientId };
    expect(await visitor.call('POST', '/api/handovers', other)).toMatchObject({
      status: 409,
      body: { error: 'conflict', field: 'clientId' },
    });
    const { body } = await visitor.call<ConversationPage>('GET', '/api/conversations');
    expect(body.conversations).toHaveLength(2);
  });

  test('refuses a record of another conversation and texts that are too long', async () => {
    const visitor = guest();
    const one = await ask(visitor, 'one');
    const other = await ask(visitor, 'other');
    const send = (request: object) =>
      visitor.call('POST', '/api/handovers', { question: 'x', clientId: newClientId(), ...request });
    expect(await send({ conversationId: one.conversationId, recordId: other.recordId })).toMatchObject({
      status: 404,
    });
    for (const [field, wrong] of [
      ['question', ' '],
      ['question', 'x'.repeat(8001)],
      ['contactDetails', 'x'.repeat(201)],
      ['clientId', ''],
    ] as const)
      expect(await send({ [field]: wrong })).toMatchObject({ status: 400, body: { field } });
  });
});

describe('agents', () => {
  test('two agents in different processes never both take a handover', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await askForPerson(guest());
      const taken = await Promise.all(
        [desk.wang, desk.li].map((agent) => agent.call<ErrorBody>('POST', `/api/inbox/${id}/take`)),
      );
      expect(taken.map(({ status }) => status).sort()).toEqual([200, 409]);
      const isWang = taken[0]!.status === 200;
      const refused = taken[isWang ? 1 : 0]!.body;
      expect(refused.error).toBe('handover_taken');
      expect(refused.msg).toContain(isWang ? '王 wang' : '李 li');
    }
  });

  test('two agents who reply at once: one message arrives, the other agent learns who replied', async () => {
    const { id } = await askForPerson(guest());
    const replies = await Promise.all(
      [desk.wang, desk.li].map((agent) =>
        agent.call<InboxDetail>('POST', `/api/inbox/${id}/messages`, { text: 'Hello', clientId: 'one' }),
      ),
    );
    const detail = (await desk.wang.call<InboxDetail>('GET', `/api/inbox/${id}`)).body;
    expect(detail.handover.messages).toHaveLength(1);
    expect(replies.map(({ status }) => status)).toContain(200);
    expect(detail.handover.messages[0]!.name).toBe(detail.agent);
  });

  test('messages sent at once by both sides and repeated are each stored once', async () => {
    const visitor = guest();
    const { id } = await askForPerson(visitor);
    await reply(desk.wang, id, 'Hello');
    const clientIds = Array.from({ length: 6 }, newClientId);
    const sent = [...clientIds, ...clientIds].map((clientId, at) =>
      at % 2 === 0
        ? write(visitor, id, `from the visitor ${clientId}`, clientId)
        : desk.wang.call('POST', `/api/inbox/${id}/messages`, { text: `reply ${clientId}`, clientId }),
    );
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await desk.li.call<InboxDetail>('GET', `/api/inbox/${id}`);
    expect(new Set(body.handover.messages.map(({ text }) => text)).size).toBe(7);
    expect(body.handover.messages).toHaveLength(7);
  });

  test('another agent replies only after a release, which any agent can do', async () => {
    const { id } = await askForPerson(guest());
    await desk.wang.call('POST', `/api/inbox/${id}/take`);
    const message = { text: 'Hello', clientId: newClientId() };
    const refused = await desk.li.call<ErrorBody>('POST', `/api/inbox/${id}/messages`, message);
    expect(refused).toMatchObject({ status: 409, body: { error: 'handover_taken' } });
    expect((await desk.li.call<InboxDetail>('POST', `/api/inbox/${id}/release`)).body).toMatchObject({
      agent: null,
      handover: { state: 'waiting' },
    });
    expect(await reply(desk.li, id, 'Hello')).toMatchObject({ agent: '李 li', isMine: true });
    await desk.li.call('POST', `/api/inbox/${id}/close`);
    for (const action of ['release', 'take'])
      expect(await desk.li.call('POST', `/api/inbox/${id}/${action}`)).toMatchObject({
        status: 409,
        body: { error: 'handover_closed' },
      });
  });

  test('the list has unanswered handovers first, by the longest wait, on any number of pages', async () => {
    const asked: Handover[] = [];
    for (let count = 0; count < 5; count += 1) asked.push(await askForPerson(guest()));
    await reply(desk.wang, asked[1]!.id, 'Hello');
    const listed: InboxPage['handovers'] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path: string = `/api/inbox?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const { body } = await desk.wang.call<InboxPage>('GET', path);
      listed.push(...body.handovers);
      cursor = body.nextCursor;
    }
    expect(listed).toEqual((await inboxOf(desk.wang)).handovers);
    expect(listed).toHaveLength((await desk.wang.call<InboxSummary>('GET', '/api/inbox/summary')).body.open!);
    const mine = asked.map(({ id }) => id);
    expect(listed.map(({ id }) => id).filter((id) => mine.includes(id))).toEqual(
      [0, 2, 3, 4, 1].map((at) => mine[at]),
    );
  });

  test('a reply becomes a curated pair, and the answer of a question without one', async () => {
    const visitor = guest();
    const { id, recordId } = await askForPerson(visitor, { question: 'Where do quinces grow?' });
    await reply(desk.wang, id, 'In the garden.');
    const pair = { question: 'Where do quinces grow?', answer: 'In the garden.' };
    const added = await desk.wang.call<InboxDetail>('POST', `/api/inbox/${id}/pair`, pair);
    const again = await desk.wang.call<InboxDetail>('POST', `/api/inbox/${id}/pair`, pair);
    expect(again.body.pairId).toBe(added.body.pairId);
    const { body } = await desk.li.call<KnowledgePairPage>('GET', '/api/knowledge/pairs?q=quinces');
    expect(body.pairs).toMatchObject([{ id: added.body.pairId, ...pair }]);
    const { body: record } = await visitor.call<DeskRecord>('GET', `/api/records/${recordId}`);
    expect(record.answeredSince).toMatchObject({ pairId: added.body.pairId, answer: 'In the garden.' });
  });

  test('an agent who is no editor reads and answers, but adds nothing to the knowledge base', async () => {
    const agent = await signedUp(desk.first.url, '赵 zhao', 'a long password');
    const { body: found } = await desk.wang.call<PeoplePage>('POST', '/api/people/search', { q: '赵' });
    await desk.wang.call('PATCH', `/api/people/${found.people[0]!.id}`, { roles: ['agent'] });
    const { id } = await askForPerson(guest(), { question: 'Where do medlars grow?' });
    await reply(agent, id, 'Behind the house.');
    const pair = { question: 'Where do medlars grow?', answer: 'Behind the house.' };
    expect((await agent.call('POST', `/api/inbox/${id}/pair`, pair)).status).toBe(403);
    const mayAdd = async (who: Visitor) =>
      (await who.call<InboxDetail>('GET', `/api/inbox/${id}`)).body.mayAddPair;
    expect([await mayAdd(agent), await mayAdd(desk.wang)]).toEqual([false, true]);
    const { body } = await desk.li.call<KnowledgePairPage>('GET', '/api/knowledge/pairs?q=medlars');
    expect(body.pairs).toEqual([]);
  });

  test('a request waits for the editors who may answer it, until it has a reply', async () => {
    const summaryOf = async (who: Visitor) =>
      (await who.call<InboxSummary>('GET', '/api/inbox/summary')).body as Record<'open' | 'waiting', number>;
    const before = { wang: await summaryOf(desk.wang), li: await summaryOf(desk.li) };
    const visitor = guest();
    const { id } = await askForPerson(visitor);
    await desk.wang.call('POST', `/api/inbox/${id}/take`);
    const grown = (of: 'wang' | 'li', waiting: number) => ({
      open: before[of].open + 1,
      waiting: before[of].waiting + waiting,
    });
    expect(await summaryOf(desk.wang)).toEqual(grown('wang', 1));
    expect(await summaryOf(desk.li)).toEqual(grown('li', 0));
    await reply(desk.wang, id, 'Hello');
    expect(await summaryOf(desk.wang)).toEqual(grown('wang', 0));
    await write(visitor, id, 'And?');
    expect(await summaryOf(desk.wang)).toEqual(grown('wang', 1));
  });

  test('editors see figures in the statistics, others do not', async () => {
    for (let count = 0; count < 3; count += 1)
      await reply(desk.wang, (await askForPerson(guest())).id, 'Hello');
    const { body } = await desk.wang.call<RecordStats>('GET', '/api/stats');
    expect(body.handovers).toEqual({ open: (await inboxOf(desk.wang)).open, medianMinutes: 1 });
    const visitor = guest();
    expect((await visitor.call<RecordStats>('GET', '/api/stats')).body).not.toHaveProperty('handovers');
    const { body: time } = await visitor.call<ResponseTime>('GET', '/api/handovers/expectation');
    expect(time).toEqual({ medianMinutes: 1 });
  });

  test('the response time is measured once, at the first reply of an agent', async () => {
    const handovers = desk.first.connection.collection('handovers');
    const visitor = guest();
    const stored = async () => (await handovers.findOne({ question: 'How late is it?' }))!;
    const askedBefore = (minutes: number) =>
      handovers.updateOne(
        { question: 'How late is it?' },
        { $set: { createdAt: new Date(Date.now() - minutes * 60_000) } },
      );
    const asked = await askForPerson(visitor, { question: 'How late is it?' });
    await askedBefore(7);
    await write(visitor, asked.id, 'Hello?');
    expect(await stored()).toMatchObject({ firstReplyAt: null, firstReplyMs: null });
    await reply(desk.wang, asked.id, 'Seven');
    const first = await stored();
    expect(Math.floor(first.firstReplyMs / 60_000)).toBe(7);
    await askedBefore(60);
    await write(visitor, asked.id, 'And now?');
    await reply(desk.wang, asked.id, 'Eight');
    const { firstReplyAt, firstReplyMs, messages } = await stored();
    expect(messages).toHaveLength(4);
    expect({ firstReplyAt, firstReplyMs }).toEqual({
      firstReplyAt: first.firstReplyAt,
      firstReplyMs: first.firstReplyMs,
    });
  });

  test('the median counts first replies of the last 30 days', async () => {
    const handovers = desk.first.connection.collection('handovers');
    const minutes = (count: number) => count * 60_000;
    await handovers.updateMany({}, { $set: { firstReplyAt: new Date(Date.now() - 31 * 86_400_000) } });
    const expectation = async () =>
      (await guest().call<ResponseTime>('GET', '/api/handovers/expectation')).body.medianMinutes;
    expect(await expectation()).toBeNull();
    const some = await handovers.find().limit(4).toArray();
    for (const count of [1, 2]) {
      const { _id } = some[count - 1]!;
      await handovers.updateOne({ _id }, { $set: { firstReplyAt: new Date(), firstReplyMs: minutes(5) } });
      // Two replies are too few to tell.
      expect(await expectation()).toBeNull();
    }
    for (const [at, { _id }] of some.entries())
      await handovers.updateOne(
        { _id },
        { $set: { firstReplyAt: new Date(), firstReplyMs: minutes([1, 50, 5, 7][at]!) } },
      );
    expect(await expectation()).toBe(6);

    // Of many replies the latest 500.
    const many = Array.from({ length: 1000 }, (_, at) => ({
      owner: 'user:many',
      clientId: `many ${at}`,
      firstReplyAt: new Date(Date.now() + (at < 500 ? -86_400_000 : 1000)),
      firstReplyMs: minutes(at < 500 ? 80 : 9),
    }));
    await handovers.insertMany(many);
    expect(await expectation()).toBe(9);
    await handovers.deleteMany({ owner: 'user:many' });
  });
});

describe('events', () => {
  test('a visitor gets replies given in the same process and in another one', async () => {
    const visitor = guest();
    const asked = await askForPerson(visitor);
    const events = eventsOf<HandoverEvent>(visitor, '/api/handovers/events');
    expect(await events.next()).toMatchObject({ data: { id: asked.id, state: 'waiting' } });
    await reply(desk.li, asked.id, 'from the second process');
    expect(await events.until(({ messages }) => messages.length === 1)).toMatchObject({
      state: 'answered',
      messages: [{ text: 'from the second process' }],
    });
    await write(visitor, asked.id, 'from the visitor');
    expect(await events.until(({ messages }) => messages.length === 2)).toMatchObject({ state: 'assigned' });
    await desk.li.call('POST', `/api/inbox/${asked.id}/close`);
    expect((await events.until(({ state }) => state === 'closed')).id).toBe(asked.id);
    await events.close();
  });

  test('agents get the number of open handovers, in both processes', async () => {
    const { open } = await inboxOf(desk.wang);
    const inboxes = [desk.wang, desk.li].map((agent) => eventsOf<InboxEvent>(agent, '/api/inbox/events'));
    for (const events of inboxes) expect(await events.next()).toMatchObject({ data: { open } });
    await askForPerson(guest());
    for (const events of inboxes) {
      await events.until((data) => data.open === open + 1);
      await events.close();
    }
  });

  test('end after the session has ended', async () => {
    const agent = await signedUp(desk.first.url, 'signs out', 'long enough');
    await makeEditor(desk.first, 'signs out');
    const events = eventsOf<InboxEvent>(agent, '/api/inbox/events');
    await events.next();
    expect((await agent.call('POST', '/admin/logout')).status).toBe(200);
    await askForPerson(guest());
    expect(await events.isOver()).toBe(true);

    const visitor = await signedUp(desk.first.url, 'visits and signs out', 'long enough');
    const { id } = await askForPerson(visitor);
    const own = eventsOf<HandoverEvent>(visitor, '/api/handovers/events');
    await own.next();
    await visitor.call('POST', '/admin/logout');
    await reply(desk.wang, id, 'Too late');
    expect(await own.isOver()).toBe(true);
  });

  test('an owner has at most ten streams', async () => {
    const visitor = guest();
    await askForPerson(visitor);
    const streams = Array.from({ length: 10 }, () => eventsOf(visitor, '/api/handovers/events'));
    for (const events of streams) await events.next();
    expect((await visitor.call('GET', '/api/handovers/events')).status).toBe(429);
    await Promise.all(streams.map((events) => events.close()));
  });

  test('the guests of an address have at most a hundred streams, accounts their own', async () => {
    const streams: ReturnType<typeof eventsOf>[] = [];
    for (const visitor of Array.from({ length: 10 }, guest)) {
      await askForPerson(visitor);
      streams.push(...Array.from({ length: 10 }, () => eventsOf(visitor, '/api/handovers/events')));
    }
    await Promise.all(streams.map((events) => events.next()));
    expect((await guest().call('GET', '/api/handovers/events')).status).toBe(429);
    const account = eventsOf<InboxEvent>(desk.wang, '/api/inbox/events');
    expect(await account.next()).toHaveProperty('data.open');
    await Promise.all([account, ...streams].map((events) => events.close()));
  });
});

test('a reply moves its conversation up and marks it until it is seen', async () => {
  const visitor = guest();
  const conversations = async () =>
    (await visitor.call<ConversationPage>('GET', '/api/conversations')).body.conversations;
  const asked = await askForPerson(visitor);
  const { conversationId } = await ask(visitor, 'something else');
  expect((await conversations())[0]).toMatchObject({ id: conversationId });

  await reply(desk.wang, asked.id, 'Hello');
  expect((await conversations())[0]).toMatchObject({ id: asked.conversationId, unreadReply: true });
  await handoversOf(visitor, asked.conversationId);
  expect((await conversations())[0]).toMatchObject({ unreadReply: true });
  await handoversOf(visitor, asked.conversationId, '?seen=1');
  expect((await conversations())[0]).toMatchObject({ unreadReply: true });
  const path = `/api/conversations/${asked.conversationId}/handovers/seen`;
  expect((await visitor.call<HandoverList>('POST', path)).body.handovers).toMatchObject([{ id: asked.id }]);
  expect((await conversations())[0]).not.toHaveProperty('unreadReply');
});

test('a visitor who answers a reply has seen it', async () => {
  const visitor = guest();
  const asked = await askForPerson(visitor);
  await reply(desk.wang, asked.id, 'Hello');
  const isUnread = async () =>
    'unreadReply' in
    (await visitor.call<ConversationPage>('GET', '/api/conversations')).body.conversations[0]!;
  expect(await isUnread()).toBe(true);
  await write(visitor, asked.id, 'Thanks');
  expect(await isUnread()).toBe(false);
});

test('a reply brings back an archived conversation', async () => {
  const visitor = guest();
  const { id, conversationId } = await askForPerson(visitor);
  const listed = async (query = '') =>
    (await visitor.call<ConversationPage>('GET', `/api/conversations${query}`)).body.conversations.map(
      (conversation) => conversation.id,
    );
  await visitor.call('PATCH', `/api/conversations/${conversationId}`, { archived: true });
  expect([await listed(), await listed('?archived=1')]).toEqual([[], [conversationId]]);
  await reply(desk.li, id, 'Hello');
  expect([await listed(), await listed('?archived=1')]).toEqual([[conversationId], []]);
});

test('a handover has at most 200 messages', async () => {
  const visitor = guest();
  const { id } = await askForPerson(visitor, { question: 'How many messages?' });
  await write(visitor, id, 'first');
  const handovers = desk.first.connection.collection('handovers');
  const { messages } = (await handovers.findOne({ question: 'How many messages?' }))!;
  const filled = Array.from({ length: 199 }, (_, n) => ({ ...messages[0], id: `m${n}`, clientId: `m${n}` }));
  await handovers.updateOne({ question: 'How many messages?' }, { $set: { messages: filled } });
  const [clientId, later] = [newClientId(), newClientId()];
  expect((await write(visitor, id, 'last', clientId)).body.messages).toHaveLength(200);
  expect(await write(visitor, id, 'another', later)).toMatchObject({ status: 409 });
  // A repeated request is no further message.
  expect((await write(visitor, id, 'last', clientId)).status).toBe(200);
});

test('a message waits since the first one without a reply', async () => {
  const visitor = guest();
  const { id } = await askForPerson(visitor);
  const waitingSince = async () =>
    (await inboxOf(desk.wang)).handovers.find((one) => one.id === id)!.waitingSince;
  const asked = await waitingSince();
  await write(visitor, id, 'Hello?');
  expect(await waitingSince()).toBe(asked);
  await reply(desk.wang, id, 'Hello');
  const replied = await waitingSince();
  expect(replied > asked).toBe(true);
  await write(visitor, id, 'Thanks');
  const written = await waitingSince();
  expect(written >= replied).toBe(true);
  await write(visitor, id, 'And?');
  expect(await waitingSince()).toBe(written);
});

test('a request whose question was answered gets a curated pair, and its answer stays', async () => {
  const visitor = guest();
  const { recordId, conversationId } = await ask(visitor, 'When are figs picked?');
  const { id } = await askForPerson(visitor, { recordId, conversationId, question: 'When are figs picked?' });
  const pair = { question: 'When are figs picked?', answer: 'In August.' };
  expect((await desk.wang.call('POST', `/api/inbox/${id}/pair`, pair)).status).toBe(200);
  const { body } = await visitor.call<DeskRecord>('GET', `/api/records/${recordId}`);
  expect(body.answeredSince ?? null).toBeNull();
});

describe('access', () => {
  test('the inbox is for agents', async () => {
    const { id } = await askForPerson(guest());
    await desk.first.connection
      .collection('users')
      .updateOne({ username: '李 li' }, { $set: { roles: ['editor'] } });
    const paths: [string, string][] = [
      ['GET', '/api/inbox'],
      ['GET', '/api/inbox/events'],
      ['GET', `/api/inbox/${id}`],
      ...['take', 'release', 'close', 'messages', 'pair'].map((action): [string, string] => [
        'POST',
        `/api/inbox/${id}/${action}`,
      ]),
    ];
    for (const [method, path] of paths) {
      expect([path, (await desk.li.call(method, path)).status]).toEqual([path, 403]);
      expect([path, (await guest().call(method, path)).status]).toEqual([path, 401]);
    }
    expect((await desk.li.call('GET', '/api/inbox/summary')).body).toEqual({ open: null, waiting: null });
    await desk.first.connection
      .collection('users')
      .updateOne({ username: '李 li' }, { $set: { roles: ['editor', 'agent'] } });
  });

  test('agents do not learn the owner, and visitors not the ids of agents', async () => {
    const visitor = await signedUp(desk.first.url, 'secret name', 'long enough');
    const { id, conversationId } = await askForPerson(visitor);
    const detail = await reply(desk.wang, id, 'Hello');
    const forAgents = JSON.stringify([detail, await inboxOf(desk.wang)]);
    const users = await desk.first.connection.collection('users').find().toArray();
    const idOf = (name: string) => users.find(({ username }) => username === name)!._id.toHexString();
    expect(forAgents).not.toContain(idOf('secret name'));
    expect(forAgents).not.toContain('secret name');
    const forVisitor = JSON.stringify(await handoversOf(visitor, conversationId));
    expect(forVisitor).not.toContain(idOf('王 wang'));
    expect(forVisitor).toContain('王 wang');
  });
});
