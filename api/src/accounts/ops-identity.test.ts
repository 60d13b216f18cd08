import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Context } from 'koa';
import type { ErrorBody } from '../contract/error-body.ts';
import type { OpsSession } from '../contract/releases.ts';
import { ApiError, sessionEnded } from '../errors/errors.ts';
import type { DeskContext, DeskMiddleware } from '../http/desk-state.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createVisitor } from '../testing/visitor.ts';
import { createOpsIdentity, type OpsIdentity } from './ops-identity.ts';

jest.setTimeout(60_000);

const opsToken = 'the-ops-token-of-this-test';
const chatToken = 'the-token-of-mfe-chat';
const key = Buffer.from('a key of its own');

let api: TestApi;
let counted: string[] = [];

beforeAll(async () => {
  api = await startTestApi({
    config: { opsToken, releaseTokens: { 'mfe-chat': chatToken }, limitSignIn: 5, trustProxy: 1 },
  });
});
afterAll(() => api?.end());
afterEach(() => {
  jest.useRealTimers();
});

/** Stands for the sessions of visitors, of which there are none. */
const needToken: DeskMiddleware = () => {
  throw sessionEnded();
};

const identity = (token = opsToken) =>
  createOpsIdentity({
    opsToken: token,
    config: { releaseTokens: { 'mfe-chat': chatToken } },
    key,
    needToken,
    wrongTokens: {
      take: async (...keys) => {
        counted.push(...keys);
      },
    },
  });

type Guard = Exclude<keyof OpsIdentity, 'createSession'>;

/** Returns 'in' if the guard accepts an Authorization header, otherwise the name of the error. */
async function through(guard: Guard, authorization: string, ops = identity()) {
  counted = [];
  const state: { publisher?: string } = {};
  const ctx = {
    ip: '203.0.113.9',
    state,
    get: (name: string) => (name === 'Authorization' ? authorization : ''),
  } satisfies Partial<Record<keyof Context, unknown>>;
  let isIn = false;
  const next = async () => {
    isIn = true;
  };
  try {
    await ops[guard](ctx as unknown as DeskContext, next);
    return isIn ? (state.publisher ?? 'in') : 'nothing';
  } catch (cause) {
    if (cause instanceof ApiError) return cause.error;
    throw cause;
  }
}

const session = (now = new Date(), ops = identity()) => ops.createSession(now).token;

test.each<[string, Guard, string, string]>([
  ['the ops token', 'needOps', opsToken, 'in'],
  ['the ops token', 'needOpsToken', opsToken, 'in'],
  ['the ops token', 'needReader', opsToken, 'in'],
  ['the ops token', 'needPublisher', opsToken, 'ops'],
  ["a remote's release token", 'needOps', chatToken, 'forbidden'],
  ["a remote's release token", 'needOpsToken', chatToken, 'ops_token_wrong'],
  ["a remote's release token", 'needReader', chatToken, 'in'],
  ["a remote's release token", 'needPublisher', chatToken, 'mfe-chat'],
  ['a token that nobody gave', 'needOps', 'something-else', 'ops_token_wrong'],
  ['a token that nobody gave', 'needOpsToken', 'something-else', 'ops_token_wrong'],
  ['a token that nobody gave', 'needReader', 'something-else', 'session_ended'],
  ['a token that nobody gave', 'needPublisher', 'something-else', 'ops_token_wrong'],
  ['the beginning of the ops token', 'needOps', opsToken.slice(0, -1), 'ops_token_wrong'],
  ['the ops token and more', 'needOps', `${opsToken}x`, 'ops_token_wrong'],
])('%s at %s', async (_what, guard, token, expected) => {
  expect(await through(guard, `Bearer ${token}`)).toBe(expected);
});

test.each<[Guard, string]>([
  ['needOps', 'ops_token_wrong'],
  ['needOpsToken', 'ops_token_wrong'],
  ['needReader', 'sign_in_required'],
  ['needPublisher', 'ops_token_wrong'],
])('without a token at %s', async (guard, expected) => {
  for (const header of ['', 'Bearer', 'Bearer ', `Basic ${opsToken}`, opsToken])
    expect(await through(guard, header)).toBe(expected);
});

test('the scheme Bearer is case-insensitive, the token is not', async () => {
  for (const header of [`bearer ${opsToken}`, `BEARER ${opsToken}`, ` Bearer   ${opsToken} `])
    expect(await through('needOps', header)).toBe('in');
  for (const header of [`Bearer ${opsToken.toUpperCase()}`, `Bearer ${opsToken} ${opsToken}`])
    expect(await through('needOps', header)).toBe('ops_token_wrong');
});

test('a session can do the same as the ops token, except create another session', async () => {
  const token = session();
  expect(await through('needOps', `Bearer ${token}`)).toBe('in');
  expect(await through('needReader', `Bearer ${token}`)).toBe('in');
  expect(await through('needPublisher', `Bearer ${token}`)).toBe('ops');
  expect(await through('needOpsToken', `Bearer ${token}`)).toBe('ops_token_wrong');
});

test('a session expires after 30 minutes, with an error about the ops token', async () => {
  jest.useFakeTimers({ now: new Date('2026-07-01T12:00:00Z') });
  const { token, expiresAt } = identity().createSession(new Date());
  expect(expiresAt).toBe('2026-07-01T12:30:00.000Z');
  jest.setSystemTime(new Date('2026-07-01T12:29:59Z'));
  expect(await through('needOps', `Bearer ${token}`)).toBe('in');
  jest.setSystemTime(new Date('2026-07-01T12:30:00Z'));
  for (const guard of ['needOps', 'needReader', 'needPublisher'] as const)
    expect(await through(guard, `Bearer ${token}`)).toBe('ops_token_wrong');
});

test('a session that was modified, or belongs to another ops token, is invalid', async () => {
  const token = session();
  const [, expires = '', signature = ''] = token.split('.');
  const longer = (Number.parseInt(expires, 36) + 3600).toString(36);
  const forged = [
    `ops.${longer}.${signature}`,
    `ops.${expires}.${'A'.repeat(43)}`,
    `ops.${expires}.`,
    `ops.${expires}.${signature}.`,
    `ops..${signature}`,
    token.toUpperCase(),
    session(new Date(), identity('an-ops-token-of-before')),
  ];
  for (const one of forged) {
    expect(await through('needOps', `Bearer ${one}`)).toBe('ops_token_wrong');
    if (one.startsWith('ops.')) expect(await through('needReader', `Bearer ${one}`)).toBe('ops_token_wrong');
  }
});

test('only wrong tokens count against their address', async () => {
  for (const guard of ['needOps', 'needOpsToken', 'needPublisher', 'needReader'] as const) {
    await through(guard, 'Bearer something-else');
    expect(counted).toEqual(['address 203.0.113.9']);
    await through(guard, `Bearer ${opsToken}`);
    expect(counted).toEqual([]);
  }
  await through('needReader', 'Bearer ops.abc.forged');
  expect(counted).toEqual(['address 203.0.113.9']);
  await through('needPublisher', `Bearer ${chatToken}`);
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

test('guesses are limited by address, and the right token is not', async () => {
  const guesser = '198.51.100.2';
  const answers: number[] = [];
  for (let guess = 0; guess < 8; guess++) answers.push((await trade(`guess-${guess}`, guesser)).status);
  expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  expect((await trade(opsToken, guesser)).status).toBe(200);
  expect((await trade('a-guess', '198.51.100.3')).status).toBe(401);
});

test('guesses also count on routes that visitors may read', async () => {
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
  const visitor = createVisitor(api.url);
  await visitor.signUp('zhang', 'a-good-password');
  await visitor.signIn('zhang', 'a-good-password');
  const answer = await visitor.call<ErrorBody>('POST', '/ops/session', undefined, {
    Authorization: 'Bearer wrong',
    'X-Forwarded-For': '198.51.100.4',
  });
  expect(answer).toMatchObject({ status: 401, body: { error: 'ops_token_wrong' } });
  expect((await visitor.call('GET', '/ops/releases')).status).toBe(200);
});
