import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import type { AdminReply } from '../contract/accounts.ts';
import type { AuditPage } from '../contract/audit.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { LinkInfo } from '../contract/one-time-links.ts';
import type { PeoplePage } from '../contract/people.ts';
import type { SsoSession } from '../contract/single-sign-on.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

const password = 'a long password';
const answerer = createScriptedAnswerer();
const desks: TestApi[] = [];
afterAll(() => Promise.all(desks.map((desk) => desk.end())));

async function open(config: Parameters<typeof startTestApi>[0]['config'] = {}): Promise<TestApi> {
  const desk = await startTestApi({ answerer, config });
  desks.push(desk);
  return desk;
}

const tokenOf = ({ setupPath }: TestApi) => setupPath?.split('#link=')[1] ?? '';

async function signUp(desk: TestApi, username: string, headers: Record<string, string> = {}) {
  const visitor = createVisitor(desk.url);
  const asked = { username, password };
  const { body } = await visitor.call<AdminReply<string>>('POST', '/admin/register', asked, headers);
  visitor.token = body.data ?? '';
  return visitor;
}

async function setUp(desk: TestApi, username: string, token = tokenOf(desk)) {
  const visitor = createVisitor(desk.url);
  const { status, body } = await visitor.call<AdminReply<SsoSession> & ErrorBody>('POST', '/admin/link/use', {
    token,
    username,
    password,
  });
  visitor.token = body.data?.token ?? '';
  return { visitor, status, error: body.error };
}

const isAdministrator = async (visitor: Visitor) =>
  (await visitor.call('POST', '/api/people/search', {})).status === 200;

test('on a local desk the first sign-up becomes administrator, and the set-up link becomes invalid', async () => {
  const desk = await open();
  const first = await signUp(desk, 'first');
  expect(await isAdministrator(first)).toBe(true);
  expect(await isAdministrator(await signUp(desk, 'second'))).toBe(false);
  expect(await setUp(desk, 'third')).toMatchObject({ error: 'expired' });
});

test.each([
  { 'X-Forwarded-For': '203.0.113.7' },
  { 'X-Real-IP': '203.0.113.7' },
  { Forwarded: 'for=203.0.113.7' },
  { Via: '1.1 proxy' },
])('a sign-up behind a proxy (%j) makes no administrator, the link of the start does', async (headers) => {
  const desk = await open();
  expect(await isAdministrator(await signUp(desk, 'early', headers))).toBe(false);
  const { body } = await createVisitor(desk.url).call<LinkInfo>('POST', '/admin/link', {
    token: tokenOf(desk),
  });
  expect(body).toEqual({ username: null, isSetup: true });
  const { visitor } = await setUp(desk, 'chosen');
  expect(await isAdministrator(visitor)).toBe(true);
});

test('a sign-up by HTTP/1.0, as nginx forwards it by default, makes no administrator', async () => {
  const desk = await open();
  const { hostname, port, host } = new URL(desk.url);
  const body = JSON.stringify({ username: 'early', password });
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /admin/register HTTP/1.0\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(await text(socket)).toContain('"code":1');
  const early = createVisitor(desk.url);
  await early.signIn('early', password);
  expect(await isAdministrator(early)).toBe(false);
});

test('a link with another token does nothing, and a refused name does not use the link up', async () => {
  const desk = await open();
  const others = [
    '',
    'x',
    `${tokenOf(desk)}x`,
    tokenOf(desk).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
  ];
  for (const other of others) expect((await setUp(desk, 'stranger', other)).visitor.token).toBe('');
  expect((await setUp(desk, 'no\nname')).visitor.token).toBe('');
  expect(await isAdministrator((await setUp(desk, 'chosen')).visitor)).toBe(true);
});

test('a token of the configuration counts, also after a restart with older accounts', async () => {
  const config = { setupToken: 'a token of operations', registration: 'open' } as const;
  const desk = await startTestApi({ answerer, config });
  expect(await isAdministrator(await signUp(desk, 'early'))).toBe(false);
  await desk.close();
  const again = await startTestApi({ answerer, config, dataDir: desk.dataDir });
  desks.push(desk);
  const early = createVisitor(again.url);
  await early.signIn('early', password);
  expect(await isAdministrator(early)).toBe(false);
  expect(tokenOf(again)).toBe(config.setupToken);
  expect(await isAdministrator((await setUp(again, 'chosen')).visitor)).toBe(true);
  await again.close();
});

test('of ten sign-ups and set-ups at once, exactly one becomes administrator', async () => {
  const desk = await open();
  const racers = await Promise.all(
    Array.from({ length: 10 }, async (_, at) =>
      at % 2 === 0 ? signUp(desk, `racer-${at}`) : (await setUp(desk, `racer-${at}`)).visitor,
    ),
  );
  const won = await Promise.all(racers.map(isAdministrator));
  expect(won.filter(Boolean)).toHaveLength(1);
});

test('of ten set-ups at once, one creates an account, and the audit log records its role and its sign-up', async () => {
  const desk = await open({ registration: 'closed' });
  const all = await Promise.all(Array.from({ length: 10 }, (_, at) => setUp(desk, `racer-${at}`)));
  expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(410)]);
  const { visitor } = all.find(({ status }) => status === 200)!;
  const { body: found } = await visitor.call<PeoplePage>('POST', '/api/people/search', {});
  expect(found.people).toHaveLength(1);
  const { body } = await visitor.call<AuditPage>('POST', '/api/audit/search', {});
  expect(body.entries.map(({ event }) => event)).toEqual(['permission_changed', 'sign_up']);
});
