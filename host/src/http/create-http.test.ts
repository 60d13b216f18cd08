/** @jest-environment node */
/// <reference types="node" />

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import zh from '../../locales/zh/later.json';
import type { HttpFailure } from '../contract.ts';
import { createHttp } from './create-http.ts';

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** The response waits for this promise. */
  after?: Promise<void>;
}

const answers: Record<string, Answer> = {};
const seen: { url: string; headers: IncomingHttpHeaders }[] = [];
let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    const answer = answers[request.url ?? ''] ?? { status: 200, body: { ok: true } };
    await answer.after;
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  seen.length = 0;
  for (const url of Object.keys(answers)) delete answers[url];
});

const open = (start = '') => {
  const page = { token: start, events: [] as string[], read: [] as string[], isKnown: false };
  const http = createHttp({
    token: () => page.token,
    isKnownGuest: () => page.isKnown,
    locale: () => 'zh-CN',
    t: (key) => zh[key],
    loadTexts: async () => undefined,
    unreachable: () => '连不上',
    guestLost: () => '访客的数据不在了',
    onRead: (url) => page.read.push(url),
    onSessionEnded: () => {
      page.events.push('ended');
      page.token = '';
    },
    onSignInRequired: () => page.events.push('sign in'),
  });
  return { http, page };
};
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error('expected a failure');
    },
    (failure: HttpFailure) => failure,
  );
const ended = { status: 401, body: { code: 401, error: 'session_ended', msg: '登录过期', requestId: 'r1' } };

test('sends token and language with every call', async () => {
  const { http, page } = open('t1');
  await http.post(`${base}/api/chat`, { text: 'a' });
  page.token = '';
  await http.get(`${base}/api/conversations`);
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer t1', 'accept-language': 'zh-CN' });
  expect(seen[1]?.headers.authorization).toBeUndefined();
});

test('delays the calls of a new visitor until the first response has set the cookies', async () => {
  const { http, page } = open();
  answers['/api/conversations'] = { status: 200, body: {} };
  const first = http.get(`${base}/api/conversations`).then(() => {
    page.isKnown = true;
  });
  const second = http.post(`${base}/api/chat`, { text: 'a' }).then(() => page.isKnown);
  const third = http.get(`${base}/api/records`).then(() => page.isKnown);
  expect(await Promise.all([first, second, third])).toEqual([undefined, true, true]);
  expect(seen[0]?.url).toBe('/api/conversations');
});

test('waits for the first GET of a new visitor even if it is aborted, because it still sets the cookies', async () => {
  const { http, page } = open();
  const { promise: after, resolve: goOn } = Promise.withResolvers<void>();
  answers['/api/starters'] = { status: 200, body: {}, after };
  const leaving = new AbortController();
  const first = failureOf(http.get(`${base}/api/starters`, { signal: leaving.signal }));
  const second = http.post(`${base}/api/chat`, { text: 'a' });
  while (seen.length === 0) await new Promise(setImmediate);
  leaving.abort();
  await first;
  // Enough time for a request that did not wait.
  for (let call = 0; call < 5; call += 1) await fetch(`${base}/else`);
  expect(seen.map(({ url }) => url)).not.toContain('/api/chat');
  page.isKnown = true;
  goOn();
  expect((await second).status).toBe(200);
});

test('continues if the first call of a new visitor fails', async () => {
  answers['/api/x'] = { status: 500, body: '' };
  const { http } = open();
  const failed = failureOf(http.get(`${base}/api/x`));
  const next = http.get(`${base}/api/y`);
  expect((await failed).status).toBe(500);
  expect((await next).status).toBe(200);
});

test('rejects with the message and fields of the server', async () => {
  answers['/api/x'] = {
    status: 422,
    body: { code: 422, error: 'invalid_field', msg: '太长', requestId: 'r2', field: 'text' },
    headers: { 'retry-after': '7' },
  };
  const failure = await failureOf(open().http.get(`${base}/api/x`));
  expect(failure).toBeInstanceOf(Error);
  expect(failure).toMatchObject({
    status: 422,
    error: 'invalid_field',
    message: '太长',
    field: 'text',
    requestId: 'r2',
    retryAfter: 7,
  });
});

test('passes on the matching contacts, and drops invalid ones', async () => {
  const choices = [
    { id: '13800138000', name: '张三' },
    { id: 'zhang@example.com', name: '张三' },
  ];
  const body = { code: 409, error: 'ambiguous_contact', msg: '有两位', requestId: 'r3' };
  answers['/api/x'] = { status: 409, body: { ...body, choices } };
  expect(await failureOf(open().http.get(`${base}/api/x`))).toMatchObject({ status: 409, choices });
  answers['/api/x'] = { status: 409, body: { ...body, choices: [{ name: 7 }] } };
  expect(await failureOf(open().http.get(`${base}/api/x`))).not.toHaveProperty('choices');
});

test('passes on the findings of a composition check', async () => {
  const findings = [
    { rule: 'exposes', remote: 'mfe-chat', release: 'mfe-chat@1.5.0', message: 'm', advice: 'a' },
  ];
  const { http, page } = open('t1');
  answers['/ops/pointer'] = { status: 422, body: { error: 'check_failed', msg: '检查没有通过', findings } };
  expect(await failureOf(http.post(`${base}/ops/pointer`, {}))).toMatchObject({ status: 422, findings });
  answers['/ops/canary'] = { status: 422, body: { error: 'check_failed', findings: 'none' } };
  expect(await failureOf(http.post(`${base}/ops/canary`, {}))).not.toHaveProperty('findings');
  expect(page.events).toEqual([]);
});

test('a rejected ops token, sent instead of the session token, does not sign out', async () => {
  const { http, page } = open('t1');
  answers['/ops/session'] = { status: 401, body: { code: 401, error: 'ops_token_wrong', msg: '令牌不对' } };
  const headers = { Authorization: 'Bearer guess' };
  const failure = await failureOf(http.post(`${base}/ops/session`, undefined, { headers }));
  expect(failure).toMatchObject({ status: 401, error: 'ops_token_wrong' });
  expect(seen[0]?.headers.authorization).toBe('Bearer guess');
  expect([page.token, page.events]).toEqual(['t1', []]);
});

test.each([
  [502, '<html>bad gateway</html>', 'unavailable', '服务器正忙，请稍后再试'],
  [500, { other: 1 }, 'failed', '没有成功，请再试一次'],
  [413, '', 'too_large', '内容太大，没有发送'],
])('has a message for HTTP %i without a body from the API', async (status, body, error, message) => {
  answers['/api/x'] = { status, body, headers: { 'x-request-id': 'r9' } };
  expect(await failureOf(open().http.get(`${base}/api/x`))).toMatchObject({
    status,
    error,
    message,
    requestId: 'r9',
  });
});

test('reads the error body of a call that requested a stream', async () => {
  answers['/api/chat'] = {
    status: 429,
    body: { code: 429, error: 'rate_limited', msg: '慢一点', requestId: 'r' },
  };
  const response = open().http.post(`${base}/api/chat`, {}, { adapter: 'fetch', responseType: 'stream' });
  expect(await failureOf(response)).toMatchObject({ status: 429, error: 'rate_limited', message: '慢一点' });
});

test('returns a stream without buffering', async () => {
  answers['/api/chat'] = { status: 200, body: 'data: a\n\n' };
  const { data } = await open().http.post<ReadableStream>(
    `${base}/api/chat`,
    {},
    { adapter: 'fetch', responseType: 'stream' },
  );
  expect(await new Response(data).text()).toBe('data: a\n\n');
});

test('distinguishes an aborted call from an unreachable server', async () => {
  const { http } = open();
  const aborted = http.get(`${base}/api/x`, { signal: AbortSignal.abort() });
  expect(await failureOf(aborted)).toMatchObject({ status: 0, error: 'aborted' });
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const failure = await failureOf(http.get(`http://127.0.0.1:${port}/api/x`));
  expect(failure).toMatchObject({ status: 0, error: 'offline', message: '连不上服务器，请检查网络后再试' });
});

test('ends a session once when ten calls fail together', async () => {
  answers['/api/x'] = ended;
  const { http, page } = open('t1');
  const failures = await Promise.all(Array.from({ length: 10 }, () => failureOf(http.get(`${base}/api/x`))));
  expect(page.events).toEqual(['ended']);
  expect(failures.every(({ error }) => error === 'session_ended')).toBe(true);
});

test('does not end a new session when a call with an old token fails late', async () => {
  answers['/api/x'] = ended;
  const { http, page } = open('t1');
  const late = failureOf(http.get(`${base}/api/x`));
  page.token = 't2';
  await late;
  expect(page.events).toEqual([]);
  expect(page.token).toBe('t2');
});

test('passes on what the current session has read, not what arrives for an earlier one', async () => {
  const { http, page } = open('t1');
  await http.get(`${base}/api/x`);
  await http.post(`${base}/api/x`);
  const late = http.get(`${base}/api/late`);
  page.token = 't2';
  await late;
  expect(page.read).toEqual([`${base}/api/x`]);
});

test('explains to a guest, and to nobody else, why data is not found', async () => {
  answers['/api/x'] = { status: 404, body: { error: 'not_found', msg: '没有找到' } };
  const { http, page } = open();
  expect((await failureOf(http.get(`${base}/api/x`))).message).toBe('访客的数据不在了');
  page.token = 't1';
  expect((await failureOf(http.get(`${base}/api/x`))).message).toBe('没有找到');
});

test('ignores calls with their own token, and the guard', async () => {
  answers['/admin/logout'] = ended;
  const { http, page } = open('');
  await failureOf(http.post(`${base}/admin/logout`, undefined, { headers: { Authorization: 'Bearer t1' } }));
  expect(seen[0]?.headers.authorization).toBe('Bearer t1');
  expect(page.events).toEqual([]);
});

test('navigates to sign-in when guests are not allowed', async () => {
  answers['/api/x'] = {
    status: 401,
    body: { code: 401, error: 'sign_in_required', msg: '请先登录', requestId: 'r' },
  };
  const { http, page } = open();
  await failureOf(http.get(`${base}/api/x`));
  expect(page.events).toEqual(['sign in']);
});

test('has no timeout and leaves other failures to the caller', async () => {
  answers['/api/x'] = { status: 403, body: { code: 403, error: 'forbidden', msg: '不行', requestId: 'r' } };
  const { http, page } = open('t1');
  expect((await failureOf(http.get(`${base}/api/x`))).status).toBe(403);
  expect(page.events).toEqual([]);
  const { config } = await http.get(`${base}/api/y`);
  expect(config).toMatchObject({ timeout: 0, xsrfCookieName: 'XSRF-TOKEN', xsrfHeaderName: 'X-XSRF-TOKEN' });
});
