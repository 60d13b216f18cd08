import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { PeoplePage, PersonChange } from '../contract/people.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { makeEditor, startHandoverDesk } from '../testing/handover-desk.ts';
import { createPipe, createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';
import { createAccountModels } from './account-models.ts';
import { createGuests, guestOwner, userOwner } from './guests.ts';
import { createOpenStreams } from './open-streams.ts';
import { createSessions } from './sessions.ts';

/** Streams end in every process when their reader may no longer read them. */

const password = 'a long password';

/** An answer that does not end. */
const pipe = createPipe();
const desk = await startHandoverDesk(createScriptedAnswerer(pipe.script));
afterAll(() => desk?.end());

let names = 0;
/** An agent, signed in to the second process, with all its streams there and the moment when each has ended. */
async function reader() {
  const name = `reader ${++names}`;
  const visitor = await signedUp(desk.second.url, name, password);
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

test('streams end when their account is deleted', async () => {
  const { visitor, inbox, others } = await reader();
  const elsewhere = createVisitor(desk.first.url);
  elsewhere.token = visitor.token;
  expect((await elsewhere.call('DELETE', '/admin/account', { password })).status).toBe(200);
  await Promise.all([inbox, ...others]);
});

test('streams of the inbox end when the right to read it is revoked, other streams do not', async () => {
  const { name, visitor, inbox, others } = await reader();
  let isOver = false;
  for (const one of others) void one.then(() => (isOver = true));
  await change(name, { roles: ['editor'] });
  await inbox;
  expect(isOver).toBe(false);
  await visitor.call('POST', '/admin/logout');
  await Promise.all(others);
});

/** A guest that is stored, since it has asked something. */
async function storedGuest(): Promise<Visitor> {
  const guest = createVisitor(desk.second.url);
  await guest.events('POST', '/api/chat', { text: 'Will it end?' }).next();
  return guest;
}

test('the stream of a guest ends when an account adopts the guest at another process', async () => {
  const guest = await storedGuest();
  const { done } = await follow(guest, '/api/handovers/events');
  const elsewhere = createVisitor(desk.first.url);
  elsewhere.cookies = new Map(guest.cookies);
  await elsewhere.signUp(`reader ${++names}`, password);
  await done;
});

/** A request whose response is open. */
function request(state: object): DeskContext {
  return { state, req: { socket: {} }, res: new PassThrough() } as unknown as DeskContext;
}

test('a session and a guest with open streams do not expire', async () => {
  await createVisitor(desk.second.url).signUp(`reader ${++names}`, password);
  await storedGuest();
  const models = createAccountModels(desk.second.connection);
  const streams = createOpenStreams({
    models,
    rights: { has: () => true },
    sessions: createSessions(models, { sessionDays: 1 }),
    guests: createGuests(models, {} as never, { guestDays: 1 }),
  });
  const soon = new Date(Date.now() + 60_000);
  const all = [models.sessions, models.guests] as unknown as (typeof models.guests)[];
  await Promise.all(all.map((one) => one.updateMany({}, { expiresAt: soon })));
  const expiring = () => Promise.all(all.map((one) => one.countDocuments({ expiresAt: soon })));
  const before = await expiring();
  const session = (await models.sessions.findOne().lean())!;
  const guest = (await models.guests.findOne().lean())!;
  const signedIn = { sessionId: session._id, user: { _id: session.userId, username: '' } };
  streams.follow(request({ owner: userOwner(session.userId), signedIn }), null);
  streams.follow(request({ owner: guestOwner(guest._id) }), null);
  await streams.extend();
  expect(await expiring()).toEqual(before.map((count) => count - 1));
});

test('a stream is not checked any more once its reader has left, even if the reader left before the stream was opened', async () => {
  const refusing = () => {
    throw new Error('no stream is open');
  };
  const models = { sessions: { find: refusing }, users: { find: refusing }, guests: { find: refusing } };
  const streams = createOpenStreams({ models, rights: { has: () => true } } as never);
  const signedIn = { sessionId: new Types.ObjectId(), user: { _id: new Types.ObjectId() } };
  const requests = [request({ owner: 'user:1', signedIn }), request({ owner: 'guest:1' })];
  const follow = () => {
    for (const one of requests) streams.follow(one, null);
  };
  const checks = [streams.refresh, streams.refreshGuests];
  follow();
  for (const check of checks) await expect(check()).rejects.toThrow('no stream is open');
  for (const { res } of requests) res.destroy();
  await Promise.all(requests.map(({ res }) => once(res, 'close')));
  for (const check of checks) await check();
  follow();
  for (const check of checks) await check();
});
