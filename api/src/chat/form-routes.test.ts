import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { DeskRecord } from '../contract/records.ts';
import { addSecondFactor, codeAt } from '../testing/authenticator.ts';
import { createScriptedAnswerer, echo, final } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

const answerer = createScriptedAnswerer();
let visitor: Visitor;

const api = await startTestApi({ answerer });
afterAll(() => api.end());
beforeEach(() => {
  answerer.script = echo;
  visitor = createVisitor(api.url);
});

/** Sends a form as a browser does that runs no scripts: with the cookies alone. */
async function send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const sent = await visitor.fetch('POST', path, {
    redirect: 'manual',
    body: new URLSearchParams(fields).toString(),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: api.url,
      'X-XSRF-TOKEN': '',
      ...headers,
    },
  });
  const location = sent.status === 303 ? sent.headers.get('location') : null;
  const response = location ? await visitor.fetch('GET', location) : sent;
  return { status: response.status, headers: response.headers, location, text: await response.text() };
}

const records = async () =>
  (await visitor.call<{ records: DeskRecord[] }>('GET', '/api/records')).body.records;

test('a question creates a record, and the page has its answer and asks further in the conversation', async () => {
  const first = await send('/chatbot/ask', { text: 'Who <b>opens</b>?' });
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toContain('text/html');
  expect(first.headers.get('cache-control')).toBe('private, no-store');
  expect(first.headers.get('content-security-policy')).not.toContain('script');
  expect(first.text).toContain('Who &lt;b>opens&lt;/b>?');
  expect(first.text).not.toContain('<b>');
  // A reload.
  expect(await (await visitor.fetch('GET', first.location ?? '')).text()).toBe(first.text);
  const [, conversationId = ''] = /name="conversationId" value="(\w+)"/.exec(first.text) ?? [];

  const second = await send('/chatbot/ask', { text: 'And\r\nwhen?', conversationId });
  expect(second.text).toMatch(/Who &lt;b>.*<h2>And/s);
  const stored = await records();
  expect(stored.map(({ question }) => question)).toEqual(['And\nwhen?', 'Who <b>opens</b>?']);
  expect(new Set(stored.map((record) => record.conversationId))).toEqual(new Set([conversationId]));
});

test('an answer has its sources', async () => {
  const citation = { title: 'Hours & places', quote: 'At nine', start: 0, end: 7, href: '/api/passages/1' };
  answerer.script = async function* () {
    yield { kind: 'text', text: 'It opens at nine [1].' };
    yield { ...final, citations: [citation] };
  };
  const { text } = await send('/chatbot/ask', { text: 'When?' });
  expect(text).toContain('It opens at nine [1].');
  expect(text).toContain('Hours &amp; places: At nine');
});

test('an answer is shown as its Markdown says, without HTML, pictures and links', async () => {
  answerer.script = async function* () {
    yield {
      kind: 'text',
      text: '**At nine**, see [the plan](https://example.org/p).\n\n- a <img src=x onerror=alert(1)>\n- ![map](https://example.org/m.png) [go](javascript:alert(1))',
    };
    yield final;
  };
  const { text } = await send('/chatbot/ask', { text: 'When?' });
  expect(text).toContain('<strong>At nine</strong>, see the plan (https://example.org/p).');
  expect(text).toMatch(/<li>a &lt;img[^<]*<\/li>/);
  expect(text).not.toMatch(/<img|<a href="(?!\/chatbot\/)|href="javascript/);
});

test.each([
  ['another site', { Origin: 'https://evil.example' }],
  ['another site, by its metadata', { 'Sec-Fetch-Site': 'cross-site' }],
  ['an unknown page', { Origin: '' }],
])('refuses a form of %s, and stores nothing', async (_, headers) => {
  expect((await send('/chatbot/ask', { text: 'planted' }, headers)).status).toBe(403);
  expect(await records()).toEqual([]);
});

test('an invalid question gets a page with the form', async () => {
  const { status, text } = await send('/chatbot/ask', { text: ' ' }, { Cookie: 'desk-language=en' });
  expect(status).toBe(400);
  expect(text).toContain('<textarea');
});

test('a question of a visitor who has signed in with scripts belongs to the account', async () => {
  await visitor.signUp('with-scripts', 'a-long-password');
  await visitor.signIn('with-scripts', 'a-long-password');
  // As the host does.
  visitor.cookies.set('desk_session', visitor.token);
  await send('/chatbot/ask', { text: 'before the scripts' }, { Authorization: '' });
  expect((await records()).map(({ question }) => question)).toEqual(['before the scripts']);
});

test('signs up and in; further questions belong to the account, with those of the guest', async () => {
  const credentials = { username: 'form-user', password: 'a-long-password' };
  await send('/chatbot/ask', { text: 'as a guest' });
  expect(visitor.cookies.has('desk_guest')).toBe(true);
  const signedUp = await send('/chatbot/register', credentials);
  expect(visitor.cookies.has('desk_guest')).toBe(false);
  expect([signedUp.status, signedUp.text]).toEqual([200, expect.stringContaining('form-user')]);
  await send('/chatbot/ask', { text: 'as a user' });
  const refused = await send('/chatbot/login', { ...credentials, password: 'wrong' });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('name="password"');
  expect(refused.text).not.toContain('wrong');

  const signedIn = await send('/chatbot/login', credentials);
  expect(signedIn.status).toBe(200);
  const cookies = signedIn.headers.getSetCookie();
  const session = cookies.find((cookie) => cookie.startsWith('desk_session='));
  expect(session).toMatch(/samesite=lax/i);
  const [, handed = ''] =
    /^desk-signed-in=([^;]*)/.exec(cookies.find((cookie) => cookie.startsWith('desk-signed-in=')) ?? '') ??
    [];
  const { token } = JSON.parse(decodeURIComponent(decodeURIComponent(handed))) as { token: string };
  const response = await fetch(`${api.url}/api/records`, { headers: { Authorization: `Bearer ${token}` } });
  const own = (await response.json()) as { records: DeskRecord[] };
  expect(own.records.map(({ question }) => question)).toEqual(['as a user', 'as a guest']);
});

test('asks for the code of a second factor on a page of its own', async () => {
  const credentials = { username: 'careful-user', password: 'a-long-password' };
  await visitor.signUp(credentials.username, credentials.password);
  const { secret } = await addSecondFactor(visitor, credentials.password);
  visitor = createVisitor(api.url);
  const asked = await send('/chatbot/login', credentials);
  expect([asked.status, visitor.cookies.has('desk_session')]).toEqual([200, false]);
  const challenge = /name="challenge" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
  const refused = await send('/chatbot/login/code', { challenge, code: '000000' });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(challenge)]);
  const elsewhere = { Origin: 'https://elsewhere.example' };
  expect((await send('/chatbot/login/code', { challenge, code: codeAt(secret) }, elsewhere)).status).toBe(
    403,
  );
  const done = await send('/chatbot/login/code', { challenge, code: codeAt(secret) });
  expect([done.status, done.text]).toEqual([200, expect.stringContaining('careful-user')]);
  expect(visitor.cookies.has('desk_session')).toBe(true);
  const again = await send('/chatbot/login/code', { challenge, code: codeAt(secret, 1) });
  expect([again.status, again.text]).toEqual([422, expect.stringContaining('name="password"')]);
});
