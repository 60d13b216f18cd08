import { rm } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import type { Context } from 'koa';
import mongoose from 'mongoose';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { OpsSession } from '../../contract/releases.ts';
import type { TokenScope } from '../../contract/tokens.ts';
import { ApiError } from '../../errors/errors.ts';
import type { DeskContext, DeskMiddleware, DeskState } from '../../http/desk-state.ts';
import { settingModel } from '../../store/setting.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../../testing/test-database.ts';
import { createVisitor, signedUp } from '../../testing/visitor.ts';
import { createOpsGuard } from './ops-guard.ts';
import { createTokenModel, createTokens, newToken } from './tokens.ts';

const opsToken = 'the-ops-token-of-this-test';
const chatToken = 'the-token-of-mfe-chat';
const minute = 60_000;

let counted: string[] = [];
let logged: string[] = [];

/** Stands for the sessions of visitors, of which there are none. */
const needUser: DeskMiddleware = () => {
  throw new ApiError('session_ended');
};

const api = await startTestApi({
  config: { opsToken, releaseTokens: { 'mfe-chat': chatToken }, limitSignIn: 5, trustProxy: 1 },
});
const folder = await temporaryFolder('guard');
const database = await openTestDatabase(folder);
const connection = await mongoose.createConnection(database.uri).asPromise();
const model = createTokenModel(connection);
await model.createIndexes();
const settings = settingModel.create(connection);
const tokens = createTokens({ model, settings, configured: null, now: () => new Date() });
afterAll(async () => {
  await api?.end();
  await connection?.close();
  await database?.close();
  await removeTestData(folder);
  await rm(folder, { recursive: true, force: true });
});

async function store(token: string, name: string, scopes: TokenScope[], expiresAt: Date | null = null) {
  const stored = newToken({ token, name, scopes, expiresAt, createdAt: new Date(), createdBy: 'start' });
  await model.create(stored);
  return stored;
}

const createGuard = (key = 'a key of its own') =>
  createOpsGuard({
    tokens,
    config: { releaseTokens: { 'mfe-chat': chatToken }, environment: 'production' },
    key: Buffer.from(key),
    needUser,
    operators: { findBySession: async () => null },
    wrongTokens: {
      take: async (...keys) => {
        counted.push(...keys);
      },
    },
    logSecurity: (_ctx, event) => {
      logged.push(event);
    },
  });

const guard = createGuard();
await store(opsToken, 'ops', ['admin']);

const guards = {
  admin: () => guard.need('admin'),
  compose: () => guard.needCompose,
  staging: () => guard.need('compose:staging'),
  preview: () => guard.need('preview'),
  publisher: () => guard.needPublisher,
  team: () => guard.needTeam,
  reader: () => guard.needReader,
  token: () => guard.needToken,
};
type Guard = keyof typeof guards;

/** Returns the name of the token that the guard accepts, otherwise the name of the error. */
async function through(which: Guard, authorization: string) {
  counted = [];
  logged = [];
  const ctx = contextOf(authorization);
  let isIn = false;
  const next = async () => {
    isIn = true;
  };
  try {
    await guards[which]()(ctx, next);
    return isIn ? ctx.state.opsToken.name : 'nothing';
  } catch (cause) {
    if (cause instanceof ApiError) return cause.error;
    throw cause;
  }
}

function contextOf(authorization: string): DeskContext {
  const ctx = {
    ip: '203.0.113.9',
    state: {} as DeskState,
    get: (name: string) => (name === 'Authorization' ? authorization : ''),
  } satisfies Partial<Record<keyof Context, unknown>>;
  return ctx as unknown as DeskContext;
}

/** The token of a session that began at `now`. */
async function session(now = new Date(), token = opsToken, ops = guard) {
  const ctx = contextOf(`Bearer ${token}`);
  await ops.needToken(ctx, async () => undefined);
  return ops.createSession(ctx, now).token;
}

test.each<[string, string, Record<Guard, string>]>([
  ['the ops token', opsToken, all('ops')],
  [
    "a remote's token of RELEASE_TOKENS",
    chatToken,
    {
      ...all('forbidden'),
      publisher: 'mfe-chat',
      team: 'mfe-chat',
      reader: 'mfe-chat',
      token: 'ops_token_wrong',
    },
  ],
  ['an unknown token', 'something-else', { ...all('ops_token_wrong'), reader: 'session_ended' }],
  ['an unknown token with our prefix', `desk_${'0'.repeat(64)}`, all('ops_token_wrong')],
  [
    'the beginning of the ops token',
    opsToken.slice(0, -1),
    { ...all('ops_token_wrong'), reader: 'session_ended' },
  ],
  ['the ops token and more', `${opsToken}x`, { ...all('ops_token_wrong'), reader: 'session_ended' }],
  ['a very long token', opsToken.repeat(100), { ...all('ops_token_wrong'), reader: 'session_ended' }],
])('%s', async (_what, token, expected) => {
  const found: Record<string, string> = {};
  for (const which of Object.keys(guards) as Guard[]) found[which] = await through(which, `Bearer ${token}`);
  expect(found).toEqual(expected);
});

function all(result: string): Record<Guard, string> {
  return Object.fromEntries(Object.keys(guards).map((which) => [which, result])) as Record<Guard, string>;
}

const none = all('forbidden');
test.each<[TokenScope[], Partial<Record<Guard, string>>]>([
  [['admin'], all('in')],
  [['read'], {}],
  [['preview'], { preview: 'in', team: 'in' }],
  [['compose:production'], { compose: 'in', preview: 'in', team: 'in' }],
  [['compose:staging'], { staging: 'in', preview: 'in', team: 'in' }],
  [['compose:*'], { compose: 'in', staging: 'in', preview: 'in', team: 'in' }],
  [['compose:product'], { preview: 'in', team: 'in' }],
  [['release:mfe-chat'], { publisher: 'in', team: 'in' }],
  [['release:*'], { publisher: 'in', team: 'in' }],
])('the scopes %j permit exactly these calls', async (scopes, permitted) => {
  const token = `a token with ${scopes}`;
  await store(token, token.replace(/\W/g, '-'), scopes);
  const found: Record<string, string> = {};
  for (const which of Object.keys(guards) as Guard[]) {
    const result = await through(which, `Bearer ${token}`);
    found[which] = result === 'forbidden' ? result : 'in';
  }
  expect(found).toEqual({ ...none, reader: 'in', token: 'in', ...permitted });
});

test('a token may publish the remotes that its scopes name', async () => {
  const may = (scopes: TokenScope[], name: string) => {
    const ctx = contextOf('');
    ctx.state.opsToken = { id: '0', name: 'x', scopes, createdAt: new Date(), expiresAt: null };
    try {
      guard.assertPermitted(ctx, `release:${name}`);
      return true;
    } catch {
      return false;
    }
  };
  expect(may(['release:mfe-chat'], 'mfe-chat')).toBe(true);
  expect(may(['release:mfe-chat'], 'mfe-chat2')).toBe(false);
  expect(may(['release:mfe-chat'], 'mfe')).toBe(false);
  expect(may(['release:mfe-chat'], '*')).toBe(false);
  expect(may(['release:*'], 'mfe-auth')).toBe(true);
  expect(may(['compose:*', 'preview', 'read'], 'mfe-auth')).toBe(false);
});

test.each<[Guard, string]>([
  ['compose', 'ops_token_wrong'],
  ['token', 'ops_token_wrong'],
  ['reader', 'sign_in_required'],
  ['publisher', 'ops_token_wrong'],
])('without a token at %s', async (which, expected) => {
  for (const header of ['', 'Bearer', 'Bearer ', `Basic ${opsToken}`, opsToken])
    expect(await through(which, header)).toBe(expected);
});

test('the scheme Bearer is case-insensitive, the token is not', async () => {
  for (const header of [`bearer ${opsToken}`, `BEARER ${opsToken}`, ` Bearer   ${opsToken} `])
    expect(await through('compose', header)).toBe('ops');
  for (const header of [`Bearer ${opsToken.toUpperCase()}`, `Bearer ${opsToken} ${opsToken}`])
    expect(await through('compose', header)).toBe('ops_token_wrong');
});

test('a session can do the same as its token, except create another session', async () => {
  const token = await session();
  for (const which of ['admin', 'compose', 'reader', 'publisher'] as const)
    expect(await through(which, `Bearer ${token}`)).toBe('ops');
  expect(await through('token', `Bearer ${token}`)).toBe('ops_token_wrong');
  await store('a token that only reads', 'reads', ['read']);
  expect(await through('compose', `Bearer ${await session(new Date(), 'a token that only reads')}`)).toBe(
    'forbidden',
  );
});

test('a session expires after 30 minutes, with an error about the ops token', async () => {
  const old = (ms: number) => session(new Date(Date.now() - ms));
  expect(await through('compose', `Bearer ${await old(29 * minute)}`)).toBe('ops');
  const token = await old(30 * minute);
  for (const which of ['compose', 'reader', 'publisher'] as const)
    expect(await through(which, `Bearer ${token}`)).toBe('ops_token_wrong');
});

test('a session ends when its token expires or is revoked', async () => {
  await store('a short-lived token', 'short', ['compose:production'], new Date(Date.now() + minute));
  const ctx = contextOf('Bearer a short-lived token');
  await guard.needToken(ctx, async () => undefined);
  const { token, expiresAt } = guard.createSession(ctx, new Date());
  expect(new Date(expiresAt).getTime()).toBeLessThanOrEqual(Date.now() + minute);
  expect(await through('compose', `Bearer ${token}`)).toBe('short');
  await tokens.revoke('short', 'ops');
  for (const which of ['compose', 'reader', 'publisher'] as const)
    expect(await through(which, `Bearer ${token}`)).toBe('ops_token_wrong');
  await expect(guard.assertStillValid(ctx)).rejects.toMatchObject({ error: 'ops_token_wrong' });
});

test('a session that was modified, or has another signature, is invalid', async () => {
  const token = await session();
  const [, id = '', expires = '', signature = ''] = token.split('.');
  const longer = (Number.parseInt(expires, 36) + 3600).toString(36);
  const other = await store('a token for another session', 'other', ['admin']);
  const forged = [
    `ops.${id}.${longer}.${signature}`,
    `ops.${other._id}.${expires}.${signature}`,
    `ops.${id}.${expires}.${'A'.repeat(43)}`,
    `ops.${id}.${expires}.`,
    `ops.${id}.${expires}.${signature}.`,
    `ops.${id}..${signature}`,
    `ops..${expires}.${signature}`,
    await session(new Date(), opsToken, createGuard('another key')),
  ];
  for (const one of forged) {
    expect(await through('compose', `Bearer ${one}`)).toBe('ops_token_wrong');
    expect(await through('reader', `Bearer ${one}`)).toBe('ops_token_wrong');
  }
  expect(await through('compose', `Bearer ${token.toUpperCase()}`)).toBe('ops_token_wrong');
});

test('only wrong tokens count against their address, and are logged', async () => {
  for (const which of ['compose', 'token', 'publisher', 'reader'] as const) {
    await through(which, 'Bearer something-else');
    expect([counted, logged]).toEqual([['address 203.0.113.9'], ['ops_token_failed']]);
    await through(which, `Bearer ${opsToken}`);
    expect([counted, logged]).toEqual([[], []]);
  }
  await through('reader', 'Bearer ops.abc.forged');
  expect(counted).toEqual(['address 203.0.113.9']);
  await through('publisher', `Bearer ${chatToken}`);
  await through('compose', `Bearer ${chatToken}`);
  expect(counted).toEqual([]);
});

const trade = (token: string, ip: string) =>
  createVisitor(api.url).call<OpsSession & ErrorBody>('POST', '/ops/session', undefined, {
    Authorization: `Bearer ${token}`,
    'X-Forwarded-For': ip,
  });

test('over HTTP the ops token is exchanged for a session with the same permissions', async () => {
  const { status, headers, body } = await trade(opsToken, '198.51.100.1');
  expect(status).toBe(200);
  expect(headers.get('Cache-Control')).toBe('no-store');
  const left = new Date(body.expiresAt).getTime() - Date.now();
  expect(left).toBeGreaterThan(29 * 60_000);
  expect(left).toBeLessThanOrEqual(30 * 60_000);
  const list = await createVisitor(api.url).call('GET', '/ops/releases', undefined, {
    Authorization: `Bearer ${body.token}`,
  });
  expect(list.status).toBe(200);
  expect(await trade(body.token, '198.51.100.1')).toMatchObject({
    status: 401,
    body: { error: 'ops_token_wrong' },
  });
});

test('wrong tokens are limited by address, the right token is not', async () => {
  const guesser = '198.51.100.2';
  const answers: number[] = [];
  for (let guess = 0; guess < 8; guess++) answers.push((await trade(`guess-${guess}`, guesser)).status);
  expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  expect((await trade(opsToken, guesser)).status).toBe(200);
  expect((await trade('a-guess', '198.51.100.3')).status).toBe(401);
});

test('wrong tokens also count on routes that visitors may read', async () => {
  const guess = (token: string) =>
    createVisitor(api.url).call('GET', '/ops/releases', undefined, {
      Authorization: `Bearer ${token}`,
      'X-Forwarded-For': '198.51.100.5',
    });
  const answers: number[] = [];
  for (let tries = 0; tries < 6; tries++) answers.push((await guess(`guess-${tries}`)).status);
  expect(answers).toEqual([401, 401, 401, 401, 401, 429]);
  expect((await guess(opsToken)).status).toBe(200);
});

test('a wrong ops token does not sign a visitor out', async () => {
  const visitor = await signedUp(api.url, 'zhang', 'a-good-password');
  await visitor.signIn('zhang', 'a-good-password');
  const answer = await visitor.call<ErrorBody>('POST', '/ops/session', undefined, {
    Authorization: 'Bearer wrong',
    'X-Forwarded-For': '198.51.100.4',
  });
  expect(answer).toMatchObject({ status: 401, body: { error: 'ops_token_wrong' } });
  expect((await visitor.call('GET', '/ops/releases')).status).toBe(200);
});
