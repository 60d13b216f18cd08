import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

const password = 'correct horse';
/** Attempts per minute. */
const LIMIT = 8;
const lines: string[] = [];

const api = await startTestApi({
  answerer: createScriptedAnswerer(),
  config: { limitSignIn: LIMIT, trustProxy: 1, logLevel: 'info' },
  onLog: (line) => lines.push(line),
});
afterAll(() => api?.end());
beforeEach(() => {
  lines.length = 0;
});

/** All security events so far: name, whether there is an account id, and the address. */
const events = () =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'security')
    .map(({ event, account, ip }) => [event, account === null ? 'nobody' : account.length, ip]);

const signInFrom = (visitor: Visitor, address: string, username: string, typed: string) =>
  visitor.call('POST', '/admin/login', { username, password: typed }, { 'X-Forwarded-For': address });

describe('the log', () => {
  test('contains sign-ups, sign-ins, password changes, exports and deletions, with account and address', async () => {
    const visitor = createVisitor(api.url);
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    const call = (method: string, path: string, body?: object) => visitor.call(method, path, body, headers);
    await call('POST', '/admin/register', { username: 'logged', password });
    await signInFrom(visitor, '192.0.2.2', 'logged', 'wrong');
    await signInFrom(visitor, '192.0.2.2', 'no-such-name', 'wrong');
    visitor.token = String((await signInFrom(visitor, '192.0.2.2', 'logged', password)).body.data);
    await call('POST', '/admin/password', { current: 'wrong', next: 'another password' });
    await call('POST', '/admin/password', { current: password, next: 'another password' });
    await call('GET', '/admin/export');
    await call('POST', '/api/export', { filter: {}, format: 'json' });
    await call('DELETE', '/admin/account', { password: 'wrong' });
    await call('DELETE', '/admin/account', { password: 'another password' });
    expect(events()).toEqual([
      ['sign_up', 24, '192.0.2.1'],
      ['sign_in_failed', 24, '192.0.2.2'],
      ['sign_in_failed', 'nobody', '192.0.2.2'],
      ['sign_in', 24, '192.0.2.2'],
      ['password_change_failed', 24, '192.0.2.1'],
      ['password_changed', 24, '192.0.2.1'],
      ['export', 24, '192.0.2.1'],
      ['export', 24, '192.0.2.1'],
      ['account_deletion_failed', 24, '192.0.2.1'],
      ['account_deleted', 24, '192.0.2.1'],
    ]);
  });

  test('never contains entered text, a name or a token', async () => {
    const visitor = await signedUp(api.url, 'a-telling-name', password);
    await signInFrom(visitor, '192.0.2.9', 'a-password-typed-as-name', 'a-wrong-password');
    expect(lines.length).toBeGreaterThan(0);
    for (const secret of ['a-telling-name', 'typed-as-name', 'a-wrong-password', password, visitor.token])
      expect(lines.join('\n')).not.toContain(secret);
  });
});

describe('an account whose password is guessed from many addresses', () => {
  async function guess(name: string): Promise<number[]> {
    const statuses: number[] = [];
    for (let count = 0; count <= LIMIT; count += 1)
      statuses.push((await signInFrom(createVisitor(api.url), `10.1.0.${count}`, name, 'wrong')).status);
    return statuses;
  }

  test('is locked for unknown browsers, and open to a browser that has signed in before', async () => {
    const owner = await signedUp(api.url, 'guessed', password);
    expect((await guess('guessed')).at(-1)).toBe(429);
    expect(events()).toContainEqual(['sign_in_limited', 'nobody', '10.1.0.8']);

    expect((await signInFrom(createVisitor(api.url), '10.1.1.1', 'guessed', password)).status).toBe(429);
    const known = await signInFrom(owner, '10.1.1.2', 'guessed', password);
    expect([known.status, known.body.code]).toEqual([200, 1]);
  });

  test('can change its password within an existing session', async () => {
    const owner = await signedUp(api.url, 'changing', password);
    await guess('changing');
    const changed = await owner.call(
      'POST',
      '/admin/password',
      { current: password, next: 'another password' },
      { 'X-Forwarded-For': '10.1.2.1' },
    );
    expect([changed.status, changed.body.code]).toEqual([200, 1]);
  });

  test('a known browser has its own limit, and its cookie is valid for one account only', async () => {
    const owner = await signedUp(api.url, 'with-device', password);
    const statuses: number[] = [];
    for (let count = 0; count <= LIMIT; count += 1)
      statuses.push((await signInFrom(owner, `10.1.3.${count}`, 'with-device', 'wrong')).status);
    expect(statuses).toEqual([...Array<number>(LIMIT).fill(200), 429]);

    await createVisitor(api.url).signUp('another-account', password);
    await guess('another-account');
    expect((await signInFrom(owner, '10.1.4.1', 'another-account', password)).status).toBe(429);
  });

  test('guesses from the owner’s address do not limit a browser that has signed in before, or a session', async () => {
    const owner = await signedUp(api.url, 'in-an-office', password);
    const office = '10.1.5.1';
    for (let count = 0; count <= LIMIT; count += 1)
      await signInFrom(createVisitor(api.url), office, `colleague-${count}`, 'wrong');
    expect((await signInFrom(createVisitor(api.url), office, 'in-an-office', password)).status).toBe(429);
    const changed = await owner.call(
      'POST',
      '/admin/password',
      { current: password, next: 'another password' },
      { 'X-Forwarded-For': office },
    );
    expect([changed.status, changed.body.code]).toEqual([200, 1]);
    const known = await signInFrom(owner, office, 'in-an-office', 'another password');
    expect([known.status, known.body.code]).toEqual([200, 1]);
  });
});
