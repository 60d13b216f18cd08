import { afterAll, describe, expect, test } from '@jest/globals';
import type { SessionInfo } from '../contract/accounts.ts';
import type { ChatAnswer } from '../contract/chat.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { ConversationPage } from '../contract/records.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

const api = await startTestApi({ answerer: createScriptedAnswerer() });
afterAll(() => api.end());

const password = 'correct horse';
let names = 0;

async function newAccount(): Promise<{ visitor: Visitor; name: string }> {
  names += 1;
  const name = `Person${names}`;
  const visitor = createVisitor(api.url);
  expect(await visitor.signUp(name, password)).toMatchObject({ code: 1 });
  return { visitor, name };
}

describe('sign-up', () => {
  test('returns a valid token, and a message in the visitor’s language', async () => {
    const visitor = createVisitor(api.url);
    const { status, body } = await visitor.call('POST', '/admin/register', {
      username: '  张三丰 ',
      password,
    });
    expect(status).toBe(200);
    expect(body).toEqual({ code: 1, msg: '注册成功，请登录', data: expect.any(String) });
    visitor.token = String(body.data);
    expect((await visitor.call('POST', '/admin/auth')).body).toMatchObject({
      code: 1,
      data: { username: '张三丰' },
    });
    const english = await visitor.call('POST', '/admin/auth', undefined, {
      'Accept-Language': 'en-GB,zh;q=0.9',
    });
    expect(english.body.msg).toBe('You are signed in');
  });

  test.each([
    ['a name that is too short', 'username', { username: ' ab ', password }],
    ['a name that is too long', 'username', { username: 'x'.repeat(65), password }],
    ['an invisible name', 'username', { username: 'ab\u200bcd', password }],
    ['a short password', 'password', { username: 'somebody', password: ' 1234567 ' }],
    ['a long password', 'password', { username: 'somebody', password: 'x'.repeat(129) }],
    ['nothing at all', 'username', { username: '', password: '' }],
  ])('refuses %s with code 0 and names the field: %s', async (_what, field, credentials) => {
    const { status, body } = await createVisitor(api.url).call('POST', '/admin/register', credentials);
    expect(status).toBe(200);
    expect(body).toEqual({ code: 0, msg: expect.stringMatching(/\S/), field });
  });

  test('refuses a name that is taken, ignoring case and width', async () => {
    const { name } = await newAccount();
    for (const same of [name, name.toUpperCase(), ` ${name.toLowerCase()} `, `Ｐ${name.slice(1)}`]) {
      const { body } = await createVisitor(api.url).call('POST', '/admin/register', {
        username: same,
        password,
      });
      expect(body).toEqual({ code: 0, msg: '用户名已被使用', field: 'username' });
    }
  });

  test('accepts one of many concurrent sign-ups with the same name', async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => createVisitor(api.url).signUp('at-the-same-time', password)),
    );
    expect(replies.filter(({ code }) => code === 1)).toHaveLength(1);
  });
});

describe('sign-in', () => {
  test('accepts the trimmed name in any case, and refuses wrong credentials with code 0', async () => {
    const { name } = await newAccount();
    const visitor = createVisitor(api.url);
    expect(await visitor.signIn(` ${name.toLowerCase()} `, ` ${password} `)).toMatchObject({
      code: 1,
      msg: '登录成功',
    });
    for (const [username, word] of [
      [name, 'wrong password'],
      ['nobody-here', password],
      ['', ''],
      [name, 'x'.repeat(5000)],
    ]) {
      expect(await visitor.signIn(username ?? '', word ?? '')).toEqual({
        code: 0,
        msg: '用户名或密码错误',
        field: 'password',
      });
    }
  });

  test.each([
    [{}, 'username'],
    [{ username: 'x' }, 'password'],
    [{ username: { $gt: '' }, password }, 'username'],
    [{ username: 'x', password: ['y'] }, 'password'],
    [{ username: 1, password }, 'username'],
    [[], 'body'],
    [null, 'body'],
    ['text', 'body'],
  ])('returns 400 for %j', async (credentials, field) => {
    for (const path of ['/admin/login', '/admin/register']) {
      const { status, body } = await createVisitor(api.url).call<ErrorBody>('POST', path, credentials);
      expect([status, body.error, body.field]).toEqual([400, 'invalid_request', field]);
    }
  });

  test('takes the same effort for an unknown name as for a wrong password', async () => {
    const { name } = await newAccount();
    const visitor = createVisitor(api.url);
    await visitor.signIn('warm up', password);
    // Measured in processor time, mostly for hashing. Other test files run in this process too, so the
    // minimum of several measurements is used.
    const least = { [name]: Number.POSITIVE_INFINITY, 'nobody at all': Number.POSITIVE_INFINITY };
    for (let round = 0; round < 5; round += 1)
      for (const username of Object.keys(least)) {
        const before = process.cpuUsage();
        await visitor.signIn(username, 'not the password');
        const { user, system } = process.cpuUsage(before);
        least[username] = Math.min(least[username]!, user + system);
      }
    const [known = 0, unknown = 0] = Object.values(least);
    expect(unknown / known).toBeGreaterThan(0.3);
    expect(unknown / known).toBeLessThan(3);
  });

  test('accepts only JSON', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
      '',
    ]) {
      const response = await fetch(`${api.url}/admin/login`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body: new TextEncoder().encode('{"username":"a","password":"b"}'),
      });
      expect(response.status).toBe(415);
      expect(await response.json()).toMatchObject({ code: 415, error: 'unsupported_type' });
    }
  });
});

describe('a session', () => {
  test('is invalid everywhere immediately after logging out, and never treated as a guest', async () => {
    const { visitor } = await newAccount();
    const signedOut = await visitor.call('POST', '/admin/logout');
    expect(signedOut.body).toMatchObject({ code: 1 });
    expect(signedOut.headers.get('clear-site-data')).toBe('"cache"');
    const calls: [string, string, unknown?][] = [
      ['POST', '/admin/auth'],
      ['GET', '/api/conversations'],
      ['POST', '/api/chat', { text: 'x' }],
      ['GET', '/admin/sessions'],
      // Also where nothing is.
      ['GET', '/api/nowhere'],
    ];
    for (const [method, path, body] of calls) {
      const reply = await visitor.call<ErrorBody>(method, path, body);
      expect([path, reply.status, reply.body.error]).toEqual([path, 401, 'session_ended']);
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
  });

  test('can be listed and ended from another device', async () => {
    const { visitor, name } = await newAccount();
    const other = createVisitor(api.url);
    await other.signIn(name, password);
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0';
    const third = await visitor.call<{ data: string }>(
      'POST',
      '/admin/login',
      { username: name, password },
      { 'User-Agent': agent },
    );
    const { body } = await visitor.call<{ sessions: SessionInfo[] }>('GET', '/admin/sessions');
    expect(body.sessions).toHaveLength(3);
    expect(body.sessions.filter(({ current }) => current)).toHaveLength(1);
    const fox = body.sessions.find(({ device }) => device === 'Firefox · Windows');
    expect(fox).toBeDefined();

    expect((await visitor.call('DELETE', `/admin/sessions/${fox?.id}`)).body).toMatchObject({ code: 1 });
    const ended = createVisitor(api.url);
    ended.token = third.body.data;
    expect((await ended.call('POST', '/admin/auth')).status).toBe(401);
    const { visitor: stranger } = await newAccount();
    expect((await stranger.call('DELETE', `/admin/sessions/${body.sessions[0]?.id}`)).status).toBe(404);

    expect((await visitor.call('DELETE', '/admin/sessions')).body).toMatchObject({ code: 1 });
    expect((await visitor.call('POST', '/admin/auth')).status).toBe(401);
    expect((await other.call('POST', '/admin/auth')).status).toBe(401);
  });

  test('requires a token: 401', async () => {
    const { status, body } = await createVisitor(api.url).call<ErrorBody>('POST', '/admin/auth');
    expect([status, body.error]).toEqual([401, 'sign_in_required']);
  });
});

describe('an account', () => {
  test('can change its password, which ends all other sessions', async () => {
    const { visitor, name } = await newAccount();
    const other = createVisitor(api.url);
    await other.signIn(name, password);
    const change = (current: string, next: string) =>
      visitor.call('POST', '/admin/password', { current, next });
    expect((await change('wrong', 'another password')).body).toEqual({
      code: 0,
      msg: '密码错误',
      field: 'password',
    });
    expect((await change(password, 'short')).body).toMatchObject({ code: 0 });
    expect((await change(password, 'another password')).body).toMatchObject({ code: 1 });
    expect((await visitor.call('POST', '/admin/auth')).status).toBe(200);
    expect((await other.call('POST', '/admin/auth')).status).toBe(401);
    expect(await other.signIn(name, password)).toMatchObject({ code: 0 });
    expect(await other.signIn(name, 'another password')).toMatchObject({ code: 1 });
  });

  test('can be deleted with everything in it immediately, and its name becomes free', async () => {
    const { visitor, name } = await newAccount();
    const { body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text: 'mine' });
    expect((await visitor.call('DELETE', '/admin/account', { password: 'wrong' })).body).toMatchObject({
      code: 0,
    });
    expect((await visitor.call('DELETE', '/admin/account', { password })).body).toMatchObject({ code: 1 });
    expect((await visitor.call('GET', '/api/conversations')).status).toBe(401);
    expect(await createVisitor(api.url).signIn(name, password)).toMatchObject({ code: 0 });

    const again = createVisitor(api.url);
    expect(await again.signUp(name, password)).toMatchObject({ code: 1 });
    expect((await again.call<ConversationPage>('GET', '/api/conversations')).body.conversations).toEqual([]);
    expect((await again.call('GET', `/api/chat/${body.recordId}`)).status).toBe(404);
  });

  test.each(['signUp', 'signIn'] as const)('adopts the guest’s conversations at %s', async (verb) => {
    const { name } = await newAccount();
    const visitor = createVisitor(api.url);
    const { body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text: 'as a guest' });
    const guestCookies = new Map(visitor.cookies);

    await (verb === 'signIn' ? visitor.signIn(name, password) : visitor.signUp(`${name} 2`, password));

    const { conversations } = (await visitor.call<ConversationPage>('GET', '/api/conversations')).body;
    expect(conversations.map(({ id }) => id)).toEqual([body.conversationId]);
    expect([...visitor.cookies.keys()]).toEqual(['desk_device']);
    const oldTab = createVisitor(api.url);
    oldTab.cookies = new Map(guestCookies);
    expect((await oldTab.call<ConversationPage>('GET', '/api/conversations')).body.conversations).toEqual([]);
    expect(oldTab.cookies.get('desk_guest')).not.toBe(guestCookies.get('desk_guest'));
  });
});

test('a new password that is common or equals the user name is refused in both languages', async () => {
  const visitor = createVisitor(api.url);
  const refuse = async (username: string, password: string, language: string) =>
    (
      await visitor.call<{ code: number; msg: string }>(
        'POST',
        '/admin/register',
        { username, password },
        { 'Accept-Language': language },
      )
    ).body;
  expect(await refuse('careless', '12345678', 'en')).toEqual({
    code: 0,
    msg: 'This password is too common and easy to guess. Please choose another one',
    field: 'password',
  });
  expect((await refuse('careless', 'Password123', 'zh')).msg).toBe('这个密码太常见，容易被猜到，请换一个');
  expect((await refuse('careless', 'CARELESS1', 'zh')).msg).toBe('密码与用户名太接近，请换一个');
  expect((await refuse('careless', 'a careful one', 'en')).code).toBe(1);
  await visitor.signIn('careless', 'a careful one');
  const { body } = await visitor.call('POST', '/admin/password', {
    current: 'a careful one',
    next: 'qwertyuiop',
  });
  expect(body.code).toBe(0);
});
