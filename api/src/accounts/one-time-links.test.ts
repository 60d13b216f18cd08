import { afterAll, expect, test } from '@jest/globals';
import type { AdminReply } from '../contract/accounts.ts';
import type { AuditPage } from '../contract/audit.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { LinkInfo, OneTimeLink } from '../contract/one-time-links.ts';
import type { PeoplePage, Person } from '../contract/people.ts';
import type { SsoSession } from '../contract/single-sign-on.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

const password = 'a long password';
const next = 'another long one';

const desk = await startTestApi({ answerer: createScriptedAnswerer() });
const admin = createVisitor(desk.url);
await admin.signUp('root', password);
afterAll(() => desk?.end());

const guest = () => createVisitor(desk.url);

async function personOf(q: string): Promise<Person | undefined> {
  return (await admin.call<PeoplePage>('POST', '/api/people/search', { q })).body.people[0];
}

async function signedUp(name: string): Promise<Visitor> {
  const visitor = guest();
  await visitor.signUp(name, password);
  return visitor;
}

async function linkFor(name: string): Promise<string> {
  const path = `/api/people/${(await personOf(name))!.id}/password-link`;
  const { status, body } = await admin.call<OneTimeLink>('POST', path);
  expect(status).toBe(201);
  const lasts = Date.parse(body.expiresAt) - Date.now();
  expect(Math.round(lasts / 3_600_000)).toBe(24);
  return body.token;
}

const use = (body: object, visitor = guest()) =>
  visitor.call<AdminReply<SsoSession> & ErrorBody>('POST', '/admin/link/use', body);
const read = (token: string) => guest().call<LinkInfo & ErrorBody>('POST', '/admin/link', { token });

test('sets a new password once, signs in, and ends all other sessions', async () => {
  const anna = await signedUp('anna');
  const token = await linkFor('anna');
  expect((await read(token)).body).toEqual({ username: 'anna' });
  expect((await use({ token, password: 'short' })).body).toMatchObject({ code: 0, field: 'password' });
  const { body } = await use({ token, password: next });
  expect(body).toMatchObject({ code: 1, data: { username: 'anna', token: expect.any(String) } });
  expect((await anna.call('POST', '/admin/auth')).status).toBe(401);
  expect((await guest().signIn('anna', password)).code).toBe(0);
  expect((await guest().signIn('anna', next)).code).toBe(1);
  expect([await use({ token, password: next }), await read(token)]).toMatchObject([
    { status: 410 },
    { status: 410 },
  ]);
});

test('of two uses at the same time one succeeds; a newer link replaces an older one', async () => {
  await signedUp('berta');
  const older = await linkFor('berta');
  const token = await linkFor('berta');
  expect((await read(older)).status).toBe(410);
  const all = await Promise.all([use({ token, password: next }), use({ token, password: `${next} 2` })]);
  expect(all.map(({ status }) => status).sort()).toEqual([200, 410]);
});

test('expires, is stored as a hash, and does not help a disabled account', async () => {
  await signedUp('carla');
  const token = await linkFor('carla');
  const links = desk.connection.collection('one_time_links');
  expect(JSON.stringify(await links.find({}).toArray())).not.toContain(token);
  const { id } = (await personOf('carla'))!;
  await admin.call('PATCH', `/api/people/${id}`, { isDisabled: true });
  expect((await use({ token, password: next })).body.code).toBe(0);
  await links.updateMany({}, { $set: { expiresAt: new Date(0) } });
  expect((await use({ token, password: next })).status).toBe(410);
});

test('an invitation creates an account with its roles', async () => {
  const { status, body } = await admin.call<OneTimeLink>('POST', '/api/people/invitations', {
    roles: ['agent'],
  });
  expect(status).toBe(201);
  const { token } = body;
  expect((await read(token)).body).toEqual({ username: null });
  expect((await use({ token, username: 'root', password: next })).body).toMatchObject({ field: 'username' });
  expect((await use({ token, username: ' 陈立 ', password: next })).body).toMatchObject({
    code: 1,
    data: { username: '陈立' },
  });
  expect(await personOf('陈立')).toMatchObject({ roles: ['agent'], sessions: 1 });
  const { entries } = (await admin.call<AuditPage>('POST', '/api/audit/search', { username: '陈立' })).body;
  expect(entries.map(({ event }) => event)).toEqual(['permission_changed', 'sign_up']);
  expect((await use({ token, username: 'other', password: next })).status).toBe(410);
});

test('a link is invalid once the administrator who created it has lost that role', async () => {
  const maker = await signedUp('eric');
  const { id } = (await personOf('eric'))!;
  await admin.call('PATCH', `/api/people/${id}`, { roles: ['administrator'] });
  await signedUp('frida');
  const password = `/api/people/${(await personOf('frida'))!.id}/password-link`;
  const made = async (path: string, body?: object) =>
    (await maker.call<OneTimeLink>('POST', path, body)).body.token;
  const tokens = [await made('/api/people/invitations', { roles: ['administrator'] }), await made(password)];
  await admin.call('PATCH', `/api/people/${id}`, { roles: [] });
  for (const token of tokens) {
    expect((await read(token)).status).toBe(410);
    expect((await use({ token, username: 'eric-again', password: next })).status).toBe(410);
  }
  await admin.call('PATCH', `/api/people/${id}`, { roles: ['administrator'] });
  expect((await read(tokens[0]!)).status).toBe(200);
  await admin.call('PATCH', `/api/people/${id}`, { roles: [] });
});

test('only administrators can create links', async () => {
  const dora = await signedUp('dora');
  const { id } = (await personOf('dora'))!;
  for (const path of [`/api/people/${id}/password-link`, '/api/people/invitations'])
    expect((await dora.call('POST', path)).status).toBe(403);
  expect((await dora.call('DELETE', `/api/people/${id}`)).status).toBe(403);
});

test('an account is deleted once its deletion can no longer be undone', async () => {
  const emil = await signedUp('emil');
  await signedUp('franz');
  for (const name of ['emil', 'franz']) {
    const { body } = await admin.call<Person>('DELETE', `/api/people/${(await personOf(name))!.id}`);
    expect(body).toMatchObject({ isDisabled: true, deleteAt: expect.any(String) });
  }
  expect((await emil.call('POST', '/admin/auth')).status).toBe(401);
  const { id } = (await personOf('franz'))!;
  const { body } = await admin.call<Person>('PATCH', `/api/people/${id}`, { isDisabled: false });
  expect(body).toMatchObject({ isDisabled: false, deleteAt: null });
  const root = (await personOf('root'))!;
  expect((await admin.call('DELETE', `/api/people/${root.id}`)).status).toBe(409);
});
