import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { PeoplePage, PersonChange } from '../contract/people.ts';
import { type HandoverDesk, makeEditor, startHandoverDesk } from '../testing/handover-desk.ts';
import { createPipe, createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';
import { createOpenStreams } from './open-streams.ts';

/** Streams end in every process when their reader may no longer read them. */

jest.setTimeout(60_000);

const password = 'a long password';

/** An answer that does not end. */
const pipe = createPipe();
let desk: HandoverDesk;
beforeAll(async () => {
  desk = await startHandoverDesk(createScriptedAnswerer(pipe.script));
});
afterAll(() => desk?.end());

let names = 0;
/** An agent, signed in to the second process, with all its streams there and the moment when each has ended. */
async function reader() {
  const name = `reader ${++names}`;
  const visitor = createVisitor(desk.second.url);
  await visitor.signUp(name, password);
  await makeEditor(desk.first, name);
  const asked = visitor.events('POST', '/api/chat', { text: 'Will it end?' });
  const { recordId } = ((await asked.next()).value as { data: { recordId: string } }).data;
  const rest = (async () => {
    for await (const _ of asked);
  })();
  const paths = [`/api/chat/${recordId}`, '/api/handovers/events', '/api/inbox/events'];
  const [chat, own, inbox] = await Promise.all(paths.map((path) => follow(visitor, path)));
  return { name, visitor, inbox: inbox!.done, others: [rest, chat!.done, own!.done] };
}

/** `done` resolves when the stream has ended, which has begun. */
async function follow(visitor: Visitor, path: string): Promise<{ done: Promise<void> }> {
  const response = await visitor.fetch('GET', path, { headers: { Accept: 'text/event-stream' } });
  expect(response.status).toBe(200);
  const body = response.body!.getReader();
  await body.read();
  const rest = async () => {
    while (!(await body.read()).done);
  };
  return { done: rest() };
}

/** By an administrator at the first process. */
async function change(q: string, changes: PersonChange): Promise<void> {
  const { people } = (await desk.wang.call<PeoplePage>('POST', '/api/people/search', { q })).body;
  const { status } = await desk.wang.call('PATCH', `/api/people/${people[0]!.id}`, changes);
  expect(status).toBe(200);
}

test('all streams of an account end when it is disabled at another process', async () => {
  const { name, inbox, others } = await reader();
  await change(name, { isDisabled: true });
  await Promise.all([inbox, ...others]);
});

test.each(['POST /admin/logout', 'DELETE /admin/sessions'])('they end with the session: %s', async (call) => {
  const { visitor, inbox, others } = await reader();
  const elsewhere = createVisitor(desk.first.url);
  elsewhere.token = visitor.token;
  const [method = '', path = ''] = call.split(' ');
  expect((await elsewhere.call(method, path)).status).toBe(200);
  await Promise.all([inbox, ...others]);
});

test('they end with the account', async () => {
  const { visitor, inbox, others } = await reader();
  const elsewhere = createVisitor(desk.first.url);
  elsewhere.token = visitor.token;
  expect((await elsewhere.call('DELETE', '/admin/account', { password })).status).toBe(200);
  await Promise.all([inbox, ...others]);
});

test('those of the inbox end when the right to read it is taken, the others do not', async () => {
  const { name, visitor, inbox, others } = await reader();
  let isOver = false;
  for (const one of others) void one.then(() => (isOver = true));
  await change(name, { roles: ['editor'] });
  await inbox;
  expect(isOver).toBe(false);
  await visitor.call('POST', '/admin/logout');
  await Promise.all(others);
});

test('a stream that was left is not followed any more, also if that was before', async () => {
  const refusing = () => {
    throw new Error('no stream is open');
  };
  const models = { sessions: { find: refusing }, users: { find: refusing } };
  const streams = createOpenStreams(models as never, { has: () => true });
  const reader = { sessionId: new Types.ObjectId(), user: { _id: new Types.ObjectId() } } as never;
  const leaving = new AbortController();
  streams.follow(reader, null, leaving.signal);
  await expect(streams.refresh()).rejects.toThrow('no stream is open');
  leaving.abort();
  await streams.refresh();
  streams.follow(reader, null, leaving.signal);
  await streams.refresh();
});
