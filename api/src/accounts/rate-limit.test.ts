import { afterAll, expect, test } from '@jest/globals';
import type { Config } from '../config/config.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../testing/test-database.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

// Two processes on one store. The tests use different addresses and accounts.
const folder = await temporaryFolder('limits');
const store = await openTestDatabase(folder);
const start = (config: Partial<Config>) =>
  startTestApi({ answerer: createScriptedAnswerer(), config: { limitChat: 2, limitSignIn: 3, ...config } });
const shared = { mongodbUri: store.uri, trustProxy: 1 };
const processes = [await start(shared), await start(shared)] as const;
const withoutProxy = await start({});
afterAll(async () => {
  for (const api of [...processes, withoutProxy]) await api.end();
  await store.close();
  await removeTestData(folder);
});

/** A visitor at one of the two processes, alternately. */
let turn = 0;
const anywhere = () => createVisitor(processes[turn++ % 2]!.url);

const ask = (visitor: Visitor, address: string) =>
  visitor.call<ErrorBody>('POST', '/api/chat', { text: 'x' }, { 'X-Forwarded-For': address });

const signIn = async (visitor: Visitor, username: string, address: string) => {
  const credentials = { username, password: 'not the one' };
  const headers = { 'X-Forwarded-For': address };
  return (await visitor.call('POST', '/admin/login', credentials, headers)).status;
};

test('LIMIT_CHAT limits guests by address, whatever cookie they send, and returns the waiting time', async () => {
  const address = '10.2.0.1';
  const begin = Date.now();
  for (const _ of [1, 2]) expect((await ask(anywhere(), address)).status).toBe(200);
  for (const _ of [1, 2]) {
    const { status, body, headers } = await ask(anywhere(), address);
    expect([status, body.error]).toEqual([429, 'rate_limited']);
    const waitMs = 1000 * Number(headers.get('Retry-After'));
    expect(waitMs).toBeGreaterThanOrEqual(Math.max(1000, 60_000 - (Date.now() - begin)));
    expect(waitMs).toBeLessThanOrEqual(60_000);
  }
  const reading = await anywhere().call('GET', '/api/conversations', undefined, {
    'X-Forwarded-For': address,
  });
  expect(reading.status).toBe(200);
  expect((await ask(anywhere(), '10.2.0.2')).status).toBe(200);
});

test('LIMIT_CHAT limits a guest whose address changes', async () => {
  const guest = createVisitor(processes[0].url);
  const statuses = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await ask(guest, `10.2.1.${count}`)).status);
  // The first request is that of a new guest, who gets the cookie with it.
  expect(statuses.slice(1)).toEqual([200, 429, 429]);
});

test('LIMIT_CHAT limits each account separately, at all processes together', async () => {
  for (const name of ['first one', 'second one']) {
    const visitor = await signedUp(processes[0].url, name, 'long enough');
    const elsewhere = createVisitor(processes[1].url);
    elsewhere.token = visitor.token;
    const statuses = [];
    for (const who of [visitor, elsewhere, visitor, elsewhere])
      statuses.push((await ask(who, `10.3.0.${statuses.length}`)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  }
});

test('LIMIT_SIGN_IN limits attempts on an account from any address at any process', async () => {
  const statuses = [];
  for (let count = 0; count < 5; count += 1)
    statuses.push(await signIn(anywhere(), ' Somebody ', `10.4.0.${count}`));
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(await signIn(anywhere(), 'somebody else', '10.4.1.1')).toBe(200);
});

test('LIMIT_SIGN_IN limits an address at all processes together', async () => {
  const statuses = [];
  for (let count = 0; count < 5; count += 1)
    statuses.push(await signIn(anywhere(), `name ${count}`, '10.5.0.1'));
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
});

test('LIMIT_SIGN_IN ignores headers without TRUST_PROXY', async () => {
  const statuses = [];
  for (let count = 0; count < 4; count += 1)
    statuses.push(await signIn(createVisitor(withoutProxy.url), `name ${count}`, `10.6.0.${count}`));
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('LIMIT_SIGN_UP limits new accounts of all addresses together, not refused names', async () => {
  const api = await startTestApi({
    answerer: createScriptedAnswerer(),
    config: { limitSignUp: 3, trustProxy: 1 },
  });
  try {
    const signUp = async (at: number, username = `person ${at}`) => {
      const headers = { 'X-Forwarded-For': `10.1.${at}.1` };
      const body = { username, password: 'a long password' };
      return (await createVisitor(api.url).call('POST', '/admin/register', body, headers)).status;
    };
    for (const at of [1, 2, 3]) expect([at, await signUp(at, 'x')]).toEqual([at, 200]);
    const statuses: number[] = [];
    for (let at = 4; at < 9; at += 1) statuses.push(await signUp(at));
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  } finally {
    await api.end();
  }
});
