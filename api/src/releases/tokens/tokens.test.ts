import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { OpsSession } from '../../contract/releases.ts';
import type { CreatedToken, NewToken, TokenInfo } from '../../contract/tokens.ts';
import { createScriptedAnswerer } from '../../testing/scripted-answerer.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { createVisitor } from '../../testing/visitor.ts';
import { createTokenModel } from './tokens.ts';

const opsToken = 'the-token-of-operations';
let lines: string[];

const api = await startTestApi({
  answerer: createScriptedAnswerer(),
  config: { opsToken, logLevel: 'info' },
  onLog: (line) => lines.push(line),
});
beforeEach(async () => {
  lines = [];
  // Leaves the one of `opsToken`.
  await createTokenModel(api.connection).deleteMany({ name: { $ne: 'ops' } });
});
afterAll(() => api?.end());

type Reply = CreatedToken & ErrorBody;
const call = <T = Reply>(method: string, path: string, body?: object, token = opsToken) =>
  createVisitor(api.url).call<T>(method, `/ops/${path}`, body, { Authorization: `Bearer ${token}` });
const create = (wanted: Partial<NewToken> = {}, token = opsToken) =>
  call('POST', 'tokens', { name: 'ci', scopes: ['read'], ...wanted }, token);
const revoke = (id: string, token = opsToken) => call('POST', `tokens/${id}/revoke`, undefined, token);
const list = async () => (await call<{ tokens: TokenInfo[] }>('GET', 'tokens')).body.tokens;
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

test('a token is shown once, stored as a hash, and works until it is revoked', async () => {
  const { status, headers, body } = await create({
    name: 'team-chat',
    scopes: ['release:mfe-chat', 'read', 'read'],
    expiresAt: tomorrow(),
  });
  expect([status, headers.get('Cache-Control')]).toEqual([201, 'no-store']);
  expect(body).toMatchObject({
    token: expect.stringMatching(/^desk_[0-9a-f]{64}$/),
    id: expect.stringMatching(/^[0-9a-f]{12}$/),
    name: 'team-chat',
    scopes: ['read', 'release:mfe-chat'],
    state: 'active',
    createdBy: 'ops',
    lastUsedAt: null,
  });
  expect((await call('GET', 'releases', undefined, body.token)).status).toBe(200);
  const { token, ...info } = body;
  const [listed] = await list();
  expect(listed).toEqual({ ...info, lastUsedAt: expect.any(String) });
  expect(JSON.stringify(await createTokenModel(api.connection).find().lean())).not.toContain(token);

  const revoked = await revoke('team-chat');
  expect(revoked).toMatchObject({ status: 200, body: { id: info.id, state: 'revoked', revokedBy: 'ops' } });
  const refused = await call('GET', 'releases', undefined, token);
  expect(refused).toMatchObject({ status: 401, body: { error: 'ops_token_wrong' } });
  expect((await revoke(info.id)).body.revokedAt).toBe(revoked.body.revokedAt);
  expect(lines.join('')).not.toContain(token);
  expect(lines.join('')).toContain('"event":"token_created"');
  expect(lines.join('')).toContain('"event":"token_revoked"');
});

test.each([
  ['name', { name: '' }],
  ['name', { name: 'Zhang' }],
  ['name', { name: '-ci' }],
  ['name', { name: 'a'.repeat(65) }],
  ['name', { name: 'x\n' }],
  ['name', { name: 'start' }],
  ['name', { name: '0123456789ab' }],
  ['scopes', { scopes: [] }],
  ['scopes.0', { scopes: ['everything'] }],
  ['scopes.0', { scopes: ['release:'] }],
  ['scopes.0', { scopes: ['release:mfe-*'] }],
  ['scopes.1', { scopes: ['read', 'compose:Production'] }],
  ['scopes.0', { scopes: ['admin\n'] }],
  ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
  ['expiresAt', { expiresAt: 'tomorrow' }],
  ['expiresAt', { expiresAt: '' }],
  ['secret', { secret: 'a-chosen-token' }],
])('refuses an invalid %s: %j', async (field, wanted) => {
  expect(await create(wanted as Partial<NewToken>)).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', field },
  });
});

test('names are unique, even after a token was revoked', async () => {
  const both = await Promise.all([create(), create()]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  await revoke('ci');
  expect(await create()).toMatchObject({ status: 409, body: { error: 'conflict', field: 'name' } });
});

test('an expired token is refused and listed as expired', async () => {
  const { token } = (await create({ expiresAt: tomorrow() })).body;
  await createTokenModel(api.connection).updateOne({ name: 'ci' }, { $set: { expiresAt: new Date() } });
  expect((await call('GET', 'pointer', undefined, token)).status).toBe(401);
  expect((await list())[0]).toMatchObject({ name: 'ci', state: 'expired' });
});

test('only admin tokens manage tokens', async () => {
  const { token } = (await create({ scopes: ['compose:*', 'release:*', 'preview', 'read'] })).body;
  for (const reply of [
    await create({ name: 'more', scopes: ['admin'] }, token),
    await revoke('ops', token),
    await call('GET', 'tokens', undefined, token),
  ])
    expect(reply).toMatchObject({ status: 403, body: { error: 'forbidden', field: 'admin' } });
  expect(await call('GET', 'tokens', undefined, 'a-guess')).toMatchObject({ status: 401 });
});

test('the last admin token that does not expire cannot be revoked', async () => {
  const refused = { status: 409, body: { error: 'conflict', field: 'id' } };
  expect(await revoke('ops')).toMatchObject(refused);
  await create({ name: 'for-a-day', scopes: ['admin'], expiresAt: tomorrow() });
  expect(await revoke('ops')).toMatchObject(refused);
  const { token } = (await create({ name: 'zhang', scopes: ['admin'] })).body;
  expect((await revoke('zhang', token)).status).toBe(200);
  expect(await revoke('ops')).toMatchObject(refused);
});

test('of admin tokens that are revoked at the same time, one remains', async () => {
  const admins = await Promise.all(['a', 'b', 'c'].map((name) => create({ name, scopes: ['admin'] })));
  await createTokenModel(api.connection).updateOne({ name: 'ops' }, { $set: { scopes: ['read'] } });
  const replies = await Promise.all(admins.map(({ body }) => revoke(body.id, body.token)));
  await createTokenModel(api.connection).updateOne({ name: 'ops' }, { $set: { scopes: ['admin'] } });
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
  expect((await list()).filter(({ state }) => state === 'active')).toHaveLength(2);
});

test('an unknown token cannot be revoked', async () => {
  for (const id of ['nobody', '0123456789ab', '%24ne', '__proto__'])
    expect(await revoke(id)).toMatchObject({ status: 404, body: { error: 'not_found' } });
});

test('a session has the name and the scopes of its token, and ends with it', async () => {
  const { token } = (await create({ name: 'li', scopes: ['compose:production'] })).body;
  const { status, body } = await call<OpsSession>('POST', 'session', undefined, token);
  expect([status, body.name, body.scopes]).toEqual([200, 'li', ['compose:production']]);
  expect((await call('POST', 'pointer', {}, body.token)).status).toBe(400);
  await revoke('li');
  expect((await call('POST', 'pointer', {}, body.token)).status).toBe(401);
});

test('the list has pages', async () => {
  for (const name of ['one', 'two', 'three']) await create({ name });
  const first = await call<{ tokens: TokenInfo[]; nextCursor: string }>('GET', 'tokens?limit=2');
  const second = await call<{ tokens: TokenInfo[] }>('GET', `tokens?limit=2&cursor=${first.body.nextCursor}`);
  const names = [...first.body.tokens, ...second.body.tokens].map(({ name }) => name);
  expect(names).toEqual(['three', 'two', 'one', 'ops']);
  expect((await call('GET', 'tokens?cursor=x')).status).toBe(400);
});
