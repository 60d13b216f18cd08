import { afterAll, describe, expect, test } from '@jest/globals';
import type { ChatAnswer } from '../contract/chat.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, type Reply, type Visitor } from '../testing/visitor.ts';

const password = 'long enough';

let count = 0;

const api = await startTestApi({
  answerer: createScriptedAnswerer(),
  config: { limitChat: 2, limitSignIn: 3, limitPdf: 1, trustProxy: 1 },
});
afterAll(() => api?.end());

/** An address that has not been used yet. */
const newAddress = () => `10.0.0.${++count}`;
const newName = () => `visitor ${++count}`;
const from = (address: string) => ({ 'X-Forwarded-For': address });

/** A visitor with a new account. Signing up counts once for its name. */
async function signedUp(username = newName()): Promise<Visitor> {
  const visitor = createVisitor(api.url);
  const { body } = await visitor.call<{ data: string }>(
    'POST',
    '/admin/register',
    { username, password },
    from(newAddress()),
  );
  visitor.token = body.data;
  return visitor;
}

function expectLimited(path: string, { status, headers, body }: Reply<ErrorBody>): void {
  expect([path, status, body.error]).toEqual([path, 429, 'rate_limited']);
  expect(headers.get('Retry-After')).toMatch(/^([1-9]|[1-5]\d|60)$/);
}

describe('LIMIT_CHAT', () => {
  test('counts questions, retries, questions with files and messages to people together, and nothing else', async () => {
    const visitor = await signedUp();
    const asked = await visitor.call<ChatAnswer>('POST', '/api/chat', { text: 'first' });
    const retried = await visitor.call('POST', `/api/chat/${asked.body.recordId}/retry`);
    expect([asked.status, retried.status]).toEqual([200, 200]);

    const message = { text: 'x', question: 'x', clientId: 'x' };
    for (const [path, body] of [
      ['/api/chat', { text: 'x' }],
      [`/api/chat/${asked.body.recordId}/retry`],
      ['/api/predict'],
      ['/api/handovers', message],
      ['/api/handovers/any/messages', message],
    ] as const)
      expectLimited(path, await visitor.call<ErrorBody>('POST', path, body));
    for (const [method, path] of [
      ['GET', `/api/chat/${asked.body.recordId}`],
      ['POST', `/api/chat/${asked.body.recordId}/stop`],
      ['GET', '/api/records'],
      ['GET', '/api/conversations'],
      ['GET', '/api/contacts'],
      ['GET', '/api/stats'],
      ['GET', '/api/bin'],
    ] as const) {
      const response = await visitor.fetch(method, path);
      await response.text();
      expect([path, response.status]).toEqual([path, 200]);
    }
  });

  test('counts questions of forms', async () => {
    const visitor = createVisitor(api.url);
    const headers = {
      ...from(newAddress()),
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: api.url,
      'X-XSRF-TOKEN': '',
    };
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent += 1)
      statuses.push(
        (await visitor.fetch('POST', '/chatbot/ask', { redirect: 'manual', body: 'text=x', headers })).status,
      );
    expect(statuses).toEqual([303, 303, 429]);
  });

  test('counts a guest by address on each of them', async () => {
    const first = createVisitor(api.url);
    const address = from(newAddress());
    const { body } = await first.call<ChatAnswer>('POST', '/api/chat', { text: 'x' }, address);
    await createVisitor(api.url).call('POST', '/api/chat', { text: 'x' }, address);
    for (const path of ['/api/chat', `/api/chat/${body.recordId}/retry`, '/api/predict']) {
      const guest = createVisitor(api.url);
      const question = path === '/api/chat' ? { text: 'x' } : undefined;
      expectLimited(path, await guest.call<ErrorBody>('POST', path, question, address));
    }
    expect((await first.call('POST', '/api/chat', { text: 'x' }, from(newAddress()))).status).toBe(200);
  });
});

test('LIMIT_PDF counts reports of an account, and of all guests of an address', async () => {
  const make = (visitor: Visitor, address: string) =>
    visitor.call<ErrorBody>('POST', '/api/generate_pdf', { wrong: true }, from(address));
  const account = await signedUp();
  expect((await make(account, newAddress())).status).toBe(400);
  expectLimited('/api/generate_pdf', await make(account, newAddress()));
  const address = newAddress();
  expect((await make(createVisitor(api.url), address)).status).toBe(400);
  expectLimited('/api/generate_pdf', await make(createVisitor(api.url), address));
});

describe('LIMIT_SIGN_IN', () => {
  /** Calls with a password: `visitor` is signed in as `username`. */
  const calls: [string, string, (username: string) => object][] = [
    ['POST', '/admin/register', (username) => ({ username, password })],
    ['POST', '/admin/login', (username) => ({ username, password: 'not the one' })],
    ['POST', '/admin/password', () => ({ current: 'not the one', next: 'another one' })],
    ['DELETE', '/admin/account', () => ({ password: 'not the one' })],
  ];

  test.each(calls)('%s %s counts by account, from any address', async (method, path, bodyOf) => {
    const username = newName();
    const owner = await signedUp(username);
    // Attempts without a session count together with the sign-up for the account; within a session they count
    // for the session.
    const isOpen = path === '/admin/register' || path === '/admin/login';
    const visitor = isOpen ? createVisitor(api.url) : owner;
    const attempt = () => visitor.call<ErrorBody>(method, path, bodyOf(username), from(newAddress()));
    for (let attempts = isOpen ? 1 : 0; attempts < 3; attempts += 1)
      expect((await attempt()).status).toBe(200);
    expectLimited(path, await attempt());
  });

  test.each(calls.slice(0, 2))('%s %s counts by address, for any account', async (method, path, bodyOf) => {
    const address = from(newAddress());
    const attempt = () => createVisitor(api.url).call<ErrorBody>(method, path, bodyOf(newName()), address);
    for (let attempts = 0; attempts < 3; attempts += 1) expect((await attempt()).status).toBe(200);
    expectLimited(path, await attempt());
  });

  test('a browser that has signed in, and a session, are not counted by address: nobody else can lock them out', async () => {
    const address = from(newAddress());
    for (const [method, path, bodyOf] of calls.slice(1))
      for (let attempts = 0; attempts < 4; attempts += 1) {
        const username = newName();
        const { status } = await (await signedUp(username)).call(method, path, bodyOf(username), address);
        expect([path, status]).toEqual([path, 200]);
      }
  });
});
