import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AuditPage } from '../contract/audit.ts';
import type { Audience, CollectionList } from '../contract/collections.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { InboxDetail } from '../contract/handover.ts';
import type { PeoplePage, Person, SharedThings } from '../contract/people.ts';
import type { NewShare } from '../contract/sharing.ts';
import { createThisProcess } from '../store/process-lease.ts';
import { ask, askForPerson, startHandoverDesk } from '../testing/handover-desk.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { removeTestData } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';
import { createAccountModels } from './account-models.ts';
import { createTransfers } from './transfers.ts';

const password = 'a long password';
const nothing: SharedThings = { collections: 0, handovers: 0 };

let number = 0;
/** Who leaves, an agent who takes over, and an account without a role. */
let names: { leaving: string; agent: string; member: string };
let ids: Record<keyof typeof names, string>;
let leaving: Visitor;

const desk = await startHandoverDesk();
afterAll(() => desk?.end());
beforeEach(async () => {
  number += 1;
  names = { leaving: `leaving-${number}`, agent: `agent-${number}`, member: `member-${number}` };
  leaving = await signedUp(desk.first, names.leaving);
  for (const name of [names.agent, names.member]) await signedUp(desk.second, name);
  ids = {
    leaving: await idOf(names.leaving),
    agent: await idOf(names.agent),
    member: await idOf(names.member),
  };
  for (const id of [ids.leaving, ids.agent])
    await desk.wang.call('PATCH', `/api/people/${id}`, { roles: ['agent'] });
});
afterEach(async () => {
  for (const { id } of await collections())
    await desk.wang.call('DELETE', `/api/knowledge/collections/${id}`);
});

async function signedUp(api: TestApi, name: string): Promise<Visitor> {
  const visitor = createVisitor(api.url);
  await visitor.signUp(name, password);
  return visitor;
}
async function idOf(q: string): Promise<string> {
  const { body } = await desk.wang.call<PeoplePage>('POST', '/api/people/search', { q });
  return body.people[0]!.id;
}
const collections = async () =>
  (await desk.wang.call<CollectionList>('GET', '/api/knowledge/collections')).body.collections.slice(1);
async function addCollection(name: string, editors: string[], readers: string[] = []): Promise<void> {
  const audience = (people: string[]): Audience => ({ groups: [], people });
  const request = { name, access: 'some', readers: audience(readers), editors: audience(editors) };
  expect((await desk.wang.call('POST', '/api/knowledge/collections', request)).status).toBe(201);
}
async function takeHandover(): Promise<string> {
  const { id } = await askForPerson(createVisitor(desk.second.url));
  expect((await leaving.call('POST', `/api/inbox/${id}/take`)).status).toBe(200);
  return id;
}
const agentOf = async (id: string) =>
  (await desk.wang.call<InboxDetail>('GET', `/api/inbox/${id}`)).body.agent;
const shared = async () =>
  (await desk.wang.call<SharedThings>('GET', `/api/people/${ids.leaving}/shared`)).body;
const transfer = (to: string, id = ids.leaving, who: Visitor = desk.wang) =>
  who.call<SharedThings & ErrorBody>('POST', `/api/people/${id}/transfer`, { to });

test('named collections and taken requests are transferred, rights to read and private data are not', async () => {
  await addCollection('Own', [ids.leaving]);
  await addCollection('Both', [ids.agent, ids.leaving]);
  await addCollection('Read', [], [ids.leaving]);
  const open = await takeHandover();
  const closed = await takeHandover();
  await leaving.call('POST', `/api/inbox/${closed}/close`);
  const { conversationId } = await ask(leaving, 'a private question');
  const path = `/api/conversations/${conversationId}`;
  const { body: share } = await leaving.call<NewShare>('POST', `${path}/share`, { files: false });
  expect(await shared()).toEqual({ collections: 2, handovers: 1 });

  expect(await transfer(` ${names.agent.toUpperCase()} `)).toMatchObject({ status: 200, body: nothing });
  expect(await shared()).toEqual(nothing);
  expect(
    (await collections()).map(({ name, editors, readers }) => [name, editors?.people, readers?.people]),
  ).toEqual([
    ['Both', [ids.agent], []],
    ['Own', [ids.agent], []],
    ['Read', [], [ids.leaving]],
  ]);
  expect([await agentOf(open), await agentOf(closed)]).toEqual([names.agent, names.leaving]);
  const agent = createVisitor(desk.first.url);
  await agent.signIn(names.agent, password);
  expect((await agent.call('GET', `${path}/records`)).status).toBe(404);
  expect((await leaving.call('GET', `${path}/records`)).status).toBe(200);
  const guest = createVisitor(desk.first.url);
  expect((await guest.call('POST', '/api/shared', { token: share.token })).status).toBe(200);
  expect((await agent.call<InboxDetail>('GET', `/api/inbox/${open}`)).body.isMine).toBe(true);

  const { body: log } = await desk.wang.call<AuditPage>('POST', '/api/audit/search', {
    area: 'rights',
    limit: 2,
  });
  expect(log.entries.map(({ event, call, subject }) => [event, call, subject?.name])).toEqual([
    ['permission_changed', 'POST /api/people/:id/transfer', names.agent],
    ['responsibilities_transferred', 'POST /api/people/:id/transfer', names.leaving],
  ]);

  expect(await transfer(names.agent)).toMatchObject({ status: 200, body: nothing });
  expect(await agentOf(open)).toBe(names.agent);
});

test('requests go to all agents if the other account may not answer people', async () => {
  const id = await takeHandover();
  expect(await transfer(names.member)).toMatchObject({ status: 200, body: nothing });
  expect(await agentOf(id)).toBeNull();
});

test('only administrators transfer, and only to another account that can sign in', async () => {
  await addCollection('Own', [ids.leaving]);
  expect((await transfer(names.agent, ids.leaving, leaving)).status).toBe(403);
  expect((await leaving.call('GET', `/api/people/${ids.leaving}/shared`)).status).toBe(403);
  expect((await transfer(names.agent, '0'.repeat(24))).status).toBe(404);
  await desk.wang.call('PATCH', `/api/people/${ids.member}`, { isDisabled: true });
  for (const to of [names.leaving, names.member, 'nobody-of-this-name'])
    expect(await transfer(to)).toMatchObject({ status: 400, body: { field: 'to' } });
  expect(await shared()).toEqual({ collections: 1, handovers: 0 });
});

test('data of a disabled account can still be transferred while its deletion is pending', async () => {
  await addCollection('Own', [ids.leaving]);
  const id = await takeHandover();
  expect((await desk.wang.call<Person>('DELETE', `/api/people/${ids.leaving}`)).body.isDisabled).toBe(true);
  expect(await transfer(names.agent)).toMatchObject({ status: 200, body: nothing });
  expect(await agentOf(id)).toBe(names.agent);
});

test('two processes that are asked at the same moment transfer everything once', async () => {
  for (const name of ['A', 'B', 'C']) await addCollection(name, [ids.leaving]);
  const taken = await Promise.all([takeHandover(), takeHandover(), takeHandover()]);
  const other = createVisitor(desk.second.url);
  other.token = desk.wang.token;
  const replies = await Promise.all(
    [desk.wang, other, desk.wang, other].map((who) => transfer(names.agent, ids.leaving, who)),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await until(async () => Object.values(await shared()).every((count) => count === 0));
  for (const { editors } of await collections()) expect(editors?.people).toEqual([ids.agent]);
  for (const id of taken) expect(await agentOf(id)).toBe(names.agent);
  await until(
    async () =>
      (await desk.first.connection.collection('jobs').countDocuments({ kind: 'transfer shared things' })) ===
      0,
  );
});

test('a transfer that was interrupted by a killed process is continued by the next start', async () => {
  const folder = await temporaryFolder('desk-transfer');
  let api: TestApi | undefined;
  const start = () => startTestApi({ answerer: createScriptedAnswerer(), dataDir: folder });
  try {
    api = await start();
    const admin = await signedUp(api, 'the-boss');
    for (const name of ['from', 'heir']) await signedUp(api, `${name}-name`);
    const { body } = await admin.call<PeoplePage>('POST', '/api/people/search', {});
    const [from, heir] = ['from-name', 'heir-name'].map(
      (name) => body.people.find(({ username }) => username === name)!.id,
    );
    // Killed after the first write.
    await api.connection.collection<{ _id: string }>('collections').insertMany([
      {
        _id: 'a'.repeat(24),
        name: 'Own',
        access: 'some',
        readers: { groups: [], people: [] },
        editors: { groups: [], people: [from, heir] },
      } as { _id: string },
    ]);
    const at = new Date(Date.now() + 3_600_000);
    const killed = createThisProcess();
    killed.end();
    await api.connection.collection<{ _id: string }>('jobs').insertOne({
      _id: `transfer shared things ${from}`,
      kind: 'transfer shared things',
      key: from,
      queue: null,
      data: heir,
      order: new Date(),
      dueAt: at,
      lease: { process: killed.process, host: killed.host, pid: killed.pid, until: at },
      requests: 1,
      attempts: 1,
      failure: '',
    } as { _id: string });
    await api.end();
    api = await start();
    const { connection } = api;
    await until(async () => (await connection.collection('jobs').countDocuments({ key: from })) === 0);
    const [stored] = await connection.collection('collections').find().toArray();
    expect(stored?.editors).toEqual({ groups: [], people: [heir] });
  } finally {
    await api?.end();
    await removeTestData(folder);
  }
});

test('data stays if its new account was disabled meanwhile', async () => {
  const transferred: string[] = [];
  const shared = {
    count: async () => 0,
    transfer: async (_from: unknown, { username }: { username: string }) => void transferred.push(username),
  };
  const { run } = createTransfers({
    models: createAccountModels(desk.first.connection),
    shared: { collections: shared, handovers: shared },
    jobs: {} as never,
  });
  const job = { key: ids.leaving, data: ids.agent };
  await desk.wang.call('PATCH', `/api/people/${ids.agent}`, { isDisabled: true });
  await run(job);
  expect(transferred).toEqual([]);
  await desk.wang.call('PATCH', `/api/people/${ids.agent}`, { isDisabled: false });
  await run(job);
  expect(transferred).toEqual([names.agent, names.agent]);
});
