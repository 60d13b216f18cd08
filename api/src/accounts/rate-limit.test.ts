import { afterEach, expect, jest, test } from '@jest/globals';
import type { ErrorBody } from '../contract/error-body.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

// Starting an API takes about a second, on a busy machine several.
jest.setTimeout(30_000);

let api: TestApi;
afterEach(() => api.end());

function ask(visitor: Visitor, headers: Record<string, string> = {}) {
  return visitor.call<ErrorBody>('POST', '/api/chat', { text: 'x' }, headers);
}

test('LIMIT_CHAT limits guests by address, whatever cookie they send, and returns the waiting time', async () => {
  api = await startTestApi({ answerer: createScriptedAnswerer(), config: { limitChat: 3 } });
  for (let count = 0; count < 3; count += 1) expect((await ask(createVisitor(api.url))).status).toBe(200);
  const { status, body, headers } = await ask(createVisitor(api.url));
  expect([status, body.error]).toEqual([429, 'rate_limited']);
  expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60);
  const reading = await createVisitor(api.url).call('GET', '/api/conversations');
  expect(reading.status).toBe(200);
});

test('LIMIT_CHAT limits each account separately', async () => {
  api = await startTestApi({ answerer: createScriptedAnswerer(), config: { limitChat: 2 } });
  for (const name of ['first one', 'second one']) {
    const visitor = createVisitor(api.url);
    await visitor.signUp(name, 'long enough');
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await ask(visitor)).status);
    expect(statuses).toEqual([200, 200, 429]);
  }
});

test('LIMIT_SIGN_IN limits attempts on an account from any address', async () => {
  api = await startTestApi({ answerer: createScriptedAnswerer(), config: { limitSignIn: 3, trustProxy: 1 } });
  const attempt = async (address: string, username: string) => {
    const credentials = { username, password: 'not the one' };
    const headers = { 'X-Forwarded-For': address };
    return (await createVisitor(api.url).call('POST', '/admin/login', credentials, headers)).status;
  };
  const statuses = [];
  for (let count = 0; count < 4; count += 1) statuses.push(await attempt(`10.0.0.${count}`, ' Somebody '));
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(await attempt('10.0.1.1', 'somebody else')).toBe(200);
});

test('LIMIT_SIGN_IN limits an address, and ignores headers without TRUST_PROXY', async () => {
  api = await startTestApi({ answerer: createScriptedAnswerer(), config: { limitSignIn: 3 } });
  const statuses = [];
  for (let count = 0; count < 4; count += 1) {
    const credentials = { username: `name ${count}`, password: 'not the one' };
    const headers = { 'X-Forwarded-For': `10.0.0.${count}` };
    statuses.push((await createVisitor(api.url).call('POST', '/admin/login', credentials, headers)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});
