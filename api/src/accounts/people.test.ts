import { afterEach, expect, test } from '@jest/globals';
import type { AdminReply } from '../contract/accounts.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { Group, GroupList, PeoplePage, Person, PersonChange } from '../contract/people.ts';
import type { GivenRole } from '../contract/rights.ts';
import type { SettingsAccess } from '../contract/settings.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

const password = 'a long password';
const open: TestApi[] = [];
afterEach(async () => {
  for (const api of open.splice(0).reverse()) await api.end();
});

async function start(more: Partial<TestApiOptions> = {}): Promise<TestApi> {
  const api = await startTestApi({ answerer: createScriptedAnswerer(), ...more });
  open.push(api);
  return api;
}

async function account(api: TestApi, name: string): Promise<Visitor> {
  const visitor = await signedUp(api.url, name, password);
  return visitor;
}

const search = async (who: Visitor, request: object = {}) =>
  (await who.call<PeoplePage>('POST', '/api/people/search', request)).body;

async function change(who: Visitor, username: string, changes: PersonChange) {
  const found = (await search(who, { q: username })).people.find((one) => one.username === username);
  return who.call<Person & ErrorBody>('PATCH', `/api/people/${found?.id}`, changes);
}

test('administrators find accounts by the beginning of a name and by role, in pages', async () => {
  const api = await start();
  const admin = await account(api, 'Root');
  for (const name of ['anna', 'Anton', 'berta', '陈立']) await account(api, name);
  await change(admin, 'berta', { roles: ['agent', 'agent'] });
  const names = async (request: object) =>
    (await search(admin, request)).people.map(({ username }) => username);
  expect(await names({ q: ' AN' })).toEqual(['anna', 'Anton']);
  expect(await names({ q: '陈' })).toEqual(['陈立']);
  expect(await names({ role: 'agent' })).toEqual(['berta']);
  expect(await names({ q: 'an', role: 'agent' })).toEqual([]);
  const seen: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await search(admin, { limit: 2, ...(cursor ? { cursor } : {}) });
    seen.push(...page.people.map(({ username }) => username));
    cursor = page.nextCursor;
    if (!cursor) break;
  }
  expect(seen).toEqual(['anna', 'Anton', 'berta', 'Root', '陈立']);
  expect((await search(admin, { limit: 5 })).nextCursor).toBeNull();
  expect((await search(admin, { q: 'berta' })).people).toEqual([
    {
      id: expect.any(String),
      username: 'berta',
      roles: ['agent'],
      groups: [],
      isDisabled: false,
      deleteAt: null,
      createdAt: expect.any(String),
      signedInAt: expect.any(String),
      sessions: 1,
      signsInBy: 'password',
    },
  ]);
});

test('a role applies to the next request, and the last administrator remains', async () => {
  const api = await start();
  const admin = await account(api, 'root');
  const other = await account(api, 'other');
  expect((await other.call('GET', '/api/inbox')).status).toBe(403);
  expect((await change(admin, 'other', { roles: ['agent'] })).body.roles).toEqual(['agent']);
  expect((await other.call('GET', '/api/inbox')).status).toBe(200);
  for (const changes of [{ roles: [] }, { isDisabled: true }]) {
    const { status, body } = await change(admin, 'root', changes);
    expect([status, body.error]).toEqual([409, 'conflict']);
  }
  expect((await search(admin, { q: 'root' })).people[0]).toMatchObject({
    roles: ['administrator'],
    isDisabled: false,
  });
  await change(admin, 'other', { roles: ['administrator'] });
  await Promise.all([change(admin, 'other', { roles: [] }), change(other, 'root', { roles: [] })]);
  const statuses = await Promise.all(
    [admin, other].map(async (who) => (await who.call('GET', '/api/settings')).status),
  );
  expect(statuses).toContain(200);
});

test('a disabled account is signed out and cannot sign in until it is enabled', async () => {
  const api = await start();
  const admin = await account(api, 'root');
  const other = await account(api, 'other');
  expect((await change(admin, 'other', { isDisabled: true })).body).toMatchObject({
    isDisabled: true,
    sessions: 0,
  });
  expect((await other.call('GET', '/admin/sessions')).status).toBe(401);
  const again = createVisitor(api.url);
  const credentials = { username: 'other', password };
  const refused = await again.call<AdminReply<string>>('POST', '/admin/login', credentials);
  expect(refused.body).toEqual({ code: 0, msg: expect.stringMatching(/停用|disabled/) });
  const wrong = await again.call<AdminReply<string>>('POST', '/admin/login', {
    ...credentials,
    password: 'wrong',
  });
  expect(wrong.body.msg).not.toBe(refused.body.msg);
  await change(admin, 'other', { isDisabled: false });
  expect((await again.signIn('other', password)).code).toBe(1);
});

test('groups are listed by name with the number of their members, which a deleted group has no more', async () => {
  const api = await start();
  const admin = await account(api, 'root');
  for (const name of ['one', 'two', 'three']) await account(api, name);
  const put = (name: string) => admin.call<Group>('POST', '/api/people/groups', { name, claim: '' });
  const [second, first] = [(await put('Second')).body.id, (await put('First')).body.id];
  for (const name of ['one', 'two', 'three']) await change(admin, name, { groups: [first, second] });
  const users = api.connection.collection('users');
  await users.updateOne({ username: 'three' }, { $set: { deletedAt: new Date() } });
  const listed = async () => (await admin.call<GroupList>('GET', '/api/people/groups')).body.groups;
  expect((await listed()).map(({ name, members }) => [name, members])).toEqual([
    ['First', 2],
    ['Second', 2],
  ]);

  expect((await admin.call('DELETE', `/api/people/groups/${second}`)).status).toBe(204);
  expect((await search(admin, { q: 'one' })).people[0]?.groups).toEqual([first]);
});

test('members of a group have its roles, as long as they belong to it and it has them', async () => {
  const api = await start({ config: { editors: ['*'] } });
  const admin = await account(api, 'Root');
  const member = await account(api, 'ines');
  const rights = async () => (await member.call<SettingsAccess>('GET', '/api/settings/access')).body.rights;
  const group = async (roles: GivenRole[]) => {
    const body = { name: 'Staff', claim: '', roles };
    return (await admin.call<Group>('PUT', `/api/people/groups/${id}`, body)).body.roles;
  };
  const made = { name: 'Staff', claim: '', roles: ['agent'] };
  const { id } = (await admin.call<Group>('POST', '/api/people/groups', made)).body;
  await change(admin, 'ines', { groups: [id] });
  expect(await rights()).toEqual(['ask', 'answer_people', 'edit_knowledge', 'see_all_reports']);
  expect((await member.call('GET', '/api/inbox')).status).toBe(200);
  const { body } = await member.fetch('GET', '/api/inbox/events', {
    headers: { Accept: 'text/event-stream' },
  });
  const reader = body!.getReader();
  expect((await reader.read()).done).toBe(false);
  expect(await group(['operator'])).toEqual(['operator']);
  while (!(await reader.read()).done);
  expect((await member.call('GET', '/api/inbox')).status).toBe(403);
  expect((await member.call('POST', '/api/operate', { password })).status).toBe(200);
  await group(['administrator']);
  expect((await search(member)).people).toHaveLength(2);
  // The last one with the role itself: groups can be deleted.
  expect((await change(member, 'Root', { roles: [] })).body.error).toBe('conflict');
  expect((await admin.call('DELETE', `/api/people/groups/${id}`)).status).toBe(204);
  expect(await rights()).toEqual(['ask', 'edit_knowledge']);
});

test('a session that has ended is not counted as a device', async () => {
  const api = await start();
  const admin = await account(api, 'root');
  await createVisitor(api.url).signIn('root', password);
  const sessions = async () => (await search(admin)).people[0]?.sessions;
  expect(await sessions()).toBe(2);
  const [older] = await api.connection.collection('sessions').find().sort({ createdAt: -1 }).toArray();
  const over = { $set: { expiresAt: new Date(0) } };
  await api.connection.collection('sessions').updateOne({ _id: older!._id }, over);
  expect(await sessions()).toBe(1);
});

test('disabling an account does not cancel its pending deletion, enabling it does', async () => {
  const api = await start();
  const admin = await account(api, 'root');
  await account(api, 'other');
  const { id } = (await search(admin, { q: 'other' })).people[0]!;
  const { deleteAt } = (await admin.call<Person>('DELETE', `/api/people/${id}`)).body;
  expect(deleteAt).not.toBeNull();
  expect((await change(admin, 'other', { isDisabled: true })).body.deleteAt).toBe(deleteAt);
  expect((await change(admin, 'other', { isDisabled: false })).body.deleteAt).toBeNull();
});
