import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ChatAnswer } from '../contract/chat.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { ConversationPage } from '../contract/records.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createVisitor } from '../testing/visitor.ts';

const api = await startTestApi({ answerer: createScriptedAnswerer() });
afterAll(() => api.end());

describe('a guest', () => {
  test('gets its cookies with the first request and stays the same afterwards', async () => {
    const visitor = createVisitor(api.url);
    const response = await visitor.fetch('GET', '/api/conversations');
    const cookies = response.headers.getSetCookie();
    const guest = cookies.find((cookie) => cookie.startsWith('desk_guest='));
    const csrf = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='));
    expect(guest).toMatch(/path=\/; expires=.*; samesite=lax; httponly$/i);
    expect(csrf).toMatch(/path=\/; expires=.*; samesite=lax$/i);
    expect((await visitor.fetch('GET', '/api/conversations')).headers.getSetCookie()).toEqual([]);
    await visitor.call('POST', '/api/chat', { text: 'x' });
    expect(
      (await visitor.call<ConversationPage>('GET', '/api/conversations')).body.conversations,
    ).toHaveLength(1);
  });

  test('gets renewed cookies once they are half a day old', async () => {
    const visitor = createVisitor(api.url);
    await visitor.call('GET', '/api/conversations');
    const real = Date.now;
    const later = jest.spyOn(Date, 'now').mockImplementation(() => real() + 13 * 3_600_000);
    const renewed = await visitor.fetch('GET', '/api/conversations');
    later.mockRestore();
    const names = renewed.headers.getSetCookie().map((cookie) => cookie.slice(0, cookie.indexOf('=')));
    expect(names).toEqual(['desk_guest', 'XSRF-TOKEN']);
  });

  test('needs no CSRF token without a cookie', async () => {
    const visitor = createVisitor(api.url);
    expect((await visitor.call<ChatAnswer>('POST', '/api/chat', { text: 'x' })).status).toBe(200);
  });

  test.each([
    ['none', ''],
    ['a wrong one', 'x'.repeat(43)],
    ['a longer one', 'x'.repeat(500)],
  ])('cannot write with %s', async (_what, token) => {
    const visitor = createVisitor(api.url);
    await visitor.call('GET', '/api/conversations');
    const reply = await visitor.call<ErrorBody>(
      'POST',
      '/api/chat',
      { text: 'x' },
      { 'X-XSRF-TOKEN': token },
    );
    expect([reply.status, reply.body.error]).toEqual([403, 'csrf_failed']);
    expect((await visitor.call<ConversationPage>('GET', '/api/conversations')).body.conversations).toEqual(
      [],
    );
  });

  test('cannot use the CSRF token of another guest', async () => {
    const [one, other] = [createVisitor(api.url), createVisitor(api.url)];
    await one.call('GET', '/api/conversations');
    await other.call('GET', '/api/conversations');
    const token = other.cookies.get('XSRF-TOKEN') ?? '';
    one.cookies.set('XSRF-TOKEN', token);
    expect((await one.call('POST', '/api/chat', { text: 'x' }, { 'X-XSRF-TOKEN': token })).status).toBe(403);
  });

  test('with a forged cookie is a new guest', async () => {
    const visitor = createVisitor(api.url);
    await visitor.call('POST', '/api/chat', { text: 'x' });
    const cookie = visitor.cookies.get('desk_guest') ?? '';
    const forged = createVisitor(api.url);
    forged.cookies.set('desk_guest', `${cookie.slice(0, -2)}AA`);
    expect((await forged.call<ConversationPage>('GET', '/api/conversations')).body.conversations).toEqual([]);
    expect(forged.cookies.get('desk_guest')).not.toBe(cookie);
  });
});

describe('an undo token', () => {
  test('needs no CSRF token, whatever cookies are sent with it', async () => {
    const visitor = createVisitor(api.url);
    await visitor.call('GET', '/api/conversations');
    const cookies = new Map(visitor.cookies);
    await visitor.signUp('token holder', 'long enough');
    visitor.cookies = cookies;
    expect((await visitor.call('POST', '/api/chat', { text: 'x' }, { 'X-XSRF-TOKEN': '' })).status).toBe(200);
  });

  test.each(['Bearer', 'Bearer ', 'Bearer nonsense', 'bearer 0', `Bearer ${'x'.repeat(4000)}`])(
    'that is invalid gets 401 session_ended: %s',
    async (header) => {
      const visitor = createVisitor(api.url);
      const { status, body } = await visitor.call<ErrorBody>('GET', '/api/conversations', undefined, {
        Authorization: header,
      });
      expect([status, body.error]).toEqual([401, 'session_ended']);
    },
  );
});

test('with REQUIRE_SIGN_IN a guest gets 401 sign_in_required and no cookie', async () => {
  const strict = await startTestApi({
    answerer: createScriptedAnswerer(),
    config: { requireSignIn: true, registration: 'closed', limitSignIn: 0 },
  });
  try {
    const visitor = createVisitor(strict.url);
    const { status, body, headers } = await visitor.call<ErrorBody>('POST', '/api/chat', { text: 'x' });
    expect([status, body.error]).toEqual([401, 'sign_in_required']);
    expect(headers.getSetCookie()).toEqual([]);
    expect(await visitor.signUp('somebody', 'long enough')).toEqual({ code: 0, msg: '暂不开放注册' });
  } finally {
    await strict.end();
  }
});

test('behind a trusted proxy that terminates TLS the cookies are Secure', async () => {
  const proxied = await startTestApi({ answerer: createScriptedAnswerer(), config: { trustProxy: 1 } });
  try {
    const visitor = createVisitor(proxied.url);
    const response = await visitor.fetch('GET', '/api/conversations', {
      headers: { 'X-Forwarded-Proto': 'https' },
    });
    for (const cookie of response.headers.getSetCookie()) expect(cookie).toMatch(/; secure/i);
    expect(response.headers.getSetCookie()).toHaveLength(2);
  } finally {
    await proxied.end();
  }
});

describe('over https', () => {
  let proxied: TestApi;
  const https = { 'X-Forwarded-Proto': 'https' };
  const cookiesIn = (response: Response) =>
    Object.fromEntries(
      response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!.split('=') as [string, string]),
    );
  const send = (cookie: string, more: object = {}) =>
    fetch(`${proxied.url}/api/conversations`, { headers: { ...https, Cookie: cookie, ...more } });

  beforeAll(async () => {
    proxied = await startTestApi({ answerer: createScriptedAnswerer(), config: { trustProxy: 1 } });
  });
  afterAll(() => proxied.end());

  test('the cookie of a guest has the __Host- prefix', async () => {
    const first = await send('');
    const [cookie] = first.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-desk_guest=[^;]+; path=\/; .*secure; httponly$/i);
    expect(cookie).not.toMatch(/domain/i);
  });

  test('an existing cookie without the prefix is converted once, and removed', async () => {
    const plain = cookiesIn(await fetch(`${proxied.url}/api/conversations`));
    const next = cookiesIn(await send(`desk_guest=${plain.desk_guest}; XSRF-TOKEN=${plain['XSRF-TOKEN']}`));
    expect(next['__Host-desk_guest']!.split('.')[0]).toBe(plain.desk_guest!.split('.')[0]);
    expect(next.desk_guest).toBe('');
  });

  test('a cookie without the prefix set by another host is ignored if there is one with it', async () => {
    const own = cookiesIn(await send(''));
    const planted = cookiesIn(await fetch(`${proxied.url}/api/conversations`));
    const cookie = `desk_guest=${planted.desk_guest}; __Host-desk_guest=${own['__Host-desk_guest']}`;
    const csrf = { 'X-XSRF-TOKEN': own['XSRF-TOKEN'], 'Content-Type': 'application/json' };
    const asked = await fetch(`${proxied.url}/api/chat`, {
      method: 'POST',
      headers: { ...https, ...csrf, Cookie: cookie } as Record<string, string>,
      body: JSON.stringify({ text: 'x' }),
    });
    expect(asked.status).toBe(200);
    const seen = await fetch(`${proxied.url}/api/records`, {
      headers: { ...https, Cookie: `__Host-desk_guest=${own['__Host-desk_guest']}` },
    });
    expect(((await seen.json()) as { records: unknown[] }).records).toHaveLength(1);
  });

  test('of two cookies without the prefix, the one that matches the CSRF token is used', async () => {
    const [mine, planted] = [1, 2].map(() => fetch(`${api.url}/api/conversations`).then(cookiesIn));
    const [own, other] = [await mine!, await planted!];
    const asked = await fetch(`${api.url}/api/chat`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-XSRF-TOKEN': own['XSRF-TOKEN']!,
        Cookie: `desk_guest=${other.desk_guest}; desk_guest=${own.desk_guest}; XSRF-TOKEN=${own['XSRF-TOKEN']}`,
      },
      body: JSON.stringify({ text: 'x' }),
    });
    expect(asked.status).toBe(200);
  });
});
