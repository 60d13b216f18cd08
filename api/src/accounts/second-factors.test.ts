import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { AdminReply, RecoveryCodes, SecondFactorState, SignInReply } from '../contract/accounts.ts';
import type { AuditPage } from '../contract/audit.ts';
import type { LinkInfo, OneTimeLink } from '../contract/one-time-links.ts';
import type { PeoplePage } from '../contract/people.ts';
import type { SsoSession } from '../contract/single-sign-on.ts';
import { addSecondFactor, codeAt } from '../testing/authenticator.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../testing/test-database.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

const password = 'a long password';
const path = '/admin/second-factor';

const folder = await temporaryFolder('desk-second-factor');
const database = await openTestDatabase(join(folder, 'store'));
const start = (name: string) => {
  const dataDir = join(folder, name);
  const config = { mongodbUri: database.uri, dataDir, limitSignIn: 20, trustProxy: 1 };
  return startTestApi({ answerer: createScriptedAnswerer(), dataDir, config });
};
const desk = await start('one');
/** A second process on the same store. */
const other = await start('other');
const admin = await signedUp(desk.url, 'root', password);
await desk.connection
  .collection('users')
  .updateOne({ nameKey: 'root' }, { $set: { roles: ['administrator'] } });
afterAll(async () => {
  await other?.end();
  await desk?.end();
  await database?.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

let addresses = 0;
/** A browser without cookies at an address of its own. */
function guest(api = desk): Visitor {
  addresses += 1;
  const address = `10.1.0.${addresses}`;
  const visitor = createVisitor(api.url);
  const send = visitor.fetch;
  visitor.fetch = (method, to, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('X-Forwarded-For', address);
    return send(method, to, { ...init, headers });
  };
  return visitor;
}

async function protectedAccount(username: string) {
  const visitor = guest();
  await visitor.signUp(username, password);
  return { visitor, username, ...(await addSecondFactor(visitor, password)) };
}

async function challengeFor(username: string, visitor = guest()): Promise<string> {
  const { body } = await visitor.call<SignInReply<string>>('POST', '/admin/login', { username, password });
  expect(body).toMatchObject({ code: 0, field: 'code' });
  expect(body.data).toBeUndefined();
  return body.challenge!;
}

const answer = async (challenge: string, code: string, visitor = guest()) =>
  (await visitor.call<AdminReply<SsoSession>>('POST', '/admin/login/code', { challenge, code })).body;

async function eventsOf(username: string): Promise<string[]> {
  const { body } = await admin.call<AuditPage>('POST', '/api/audit/search', { username });
  return body.entries.map(({ event }) => event).reverse();
}

test('a sign-in needs a code after the password, and has no session before', async () => {
  const { username, secret } = await protectedAccount('anna');
  const visitor = guest();
  const challenge = await challengeFor(username, visitor);
  expect(visitor.cookies.has('desk_device')).toBe(false);
  expect(await answer(challenge, '000 00x')).toMatchObject({ code: 0, field: 'code', challenge });
  const code = codeAt(secret);
  const done = await answer(challenge, ` ${code.slice(0, 3)} ${code.slice(3)}`, visitor);
  expect(done).toMatchObject({ code: 1, data: { username, token: expect.any(String) } });
  expect(visitor.cookies.has('desk_device')).toBe(true);
  visitor.token = done.data!.token;
  expect((await visitor.call('POST', '/admin/auth')).status).toBe(200);
  const found = await admin.call<PeoplePage>('POST', '/api/people/search', { q: username });
  expect(found.body.people).toMatchObject([{ username, signsInBy: 'secondFactor' }]);
  expect(await eventsOf(username)).toEqual([
    'sign_up',
    'second_factor_on',
    'second_factor_failed',
    'sign_in',
  ]);
});

test('a code is accepted once, also by another process at the same time', async () => {
  const { username, secret } = await protectedAccount('berta');
  const challenges = [await challengeFor(username), await challengeFor(username)];
  const code = codeAt(secret);
  const replies = await Promise.all([
    answer(challenges[0]!, code),
    answer(challenges[1]!, code, guest(other)),
  ]);
  expect(replies.map((reply) => reply.code).sort()).toEqual([0, 1]);
  expect(await answer(await challengeFor(username), code)).toMatchObject({ code: 0, field: 'code' });
  // Of a period before the one that was accepted.
  expect(await answer(await challengeFor(username), codeAt(secret, -1))).toMatchObject({ code: 0 });
});

test('accepts the codes of a clock that is wrong by one period, and no others', async () => {
  const { username, secret } = await protectedAccount('carla');
  const challenge = await challengeFor(username);
  for (const steps of [-3, 3]) expect((await answer(challenge, codeAt(secret, steps))).code).toBe(0);
  expect((await answer(challenge, codeAt(secret, 1))).code).toBe(1);
});

test('a challenge works once, for its own account, and ends with the password and after 5 minutes', async () => {
  const [dora, emil] = [await protectedAccount('dora'), await protectedAccount('emil')];
  const challenge = await challengeFor('dora');
  expect((await answer(challenge, codeAt(emil.secret))).code).toBe(0);
  expect((await answer(challenge, codeAt(dora.secret))).code).toBe(1);
  const over = { code: 0, msg: expect.stringContaining('重新输入密码') };
  expect(await answer(challenge, codeAt(dora.secret, 1))).toEqual(over);
  expect(await answer('made-up', codeAt(dora.secret, 1))).toEqual(over);

  const late = await challengeFor('emil');
  const challenges = desk.connection.collection('sign_in_challenges');
  await challenges.updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1) } });
  expect(await answer(late, codeAt(emil.secret))).toEqual(over);

  const before = await challengeFor('emil');
  await emil.visitor.call('POST', '/admin/password', { current: password, next: 'another password' });
  expect(await answer(before, codeAt(emil.secret))).toEqual(over);
  expect(JSON.stringify(await challenges.find().toArray())).not.toContain(before);
});

test('each of ten recovery codes works once, and new ones replace them', async () => {
  const { visitor, username, secret, recoveryCodes } = await protectedAccount('fritz');
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = '', second = ''] = recoveryCodes;
  expect((await answer(await challengeFor(username), first.toLowerCase().replaceAll('-', ' '))).code).toBe(1);
  expect((await answer(await challengeFor(username), first, guest(other))).code).toBe(0);
  expect((await visitor.call<SecondFactorState>('GET', path)).body).toEqual({
    hasPassword: true,
    isOn: true,
    recoveryCodes: 9,
    passkeys: [],
  });
  const stored = JSON.stringify(await desk.connection.collection('users').find().toArray());
  for (const text of [secret, ...recoveryCodes]) expect(stored).not.toContain(text.replaceAll('-', ''));

  const renewed = await visitor.call<AdminReply<RecoveryCodes>>('POST', `${path}/recovery-codes`, {
    password,
    code: codeAt(secret),
  });
  expect(renewed.body.data?.recoveryCodes).toHaveLength(10);
  expect((await answer(await challengeFor(username), second)).code).toBe(0);
  expect((await answer(await challengeFor(username), renewed.body.data!.recoveryCodes[0]!)).code).toBe(1);
  expect(await eventsOf(username)).toEqual(
    expect.arrayContaining(['recovery_code_used', 'recovery_codes_made', 'second_factor_failed']),
  );
});

test('switching on and off needs the password and a code', async () => {
  const visitor = guest();
  await visitor.signUp('gustav', password);
  const on = (body: object) => visitor.call<AdminReply<RecoveryCodes>>('POST', path, body);
  expect((await on({ password, code: '000000' })).body).toMatchObject({ code: 0, field: 'code' });
  const { body } = await visitor.call<AdminReply<{ secret: string }>>('POST', `${path}/secret`);
  const { secret } = body.data!;
  // An unconfirmed secret changes nothing.
  expect((await guest().signIn('gustav', password)).code).toBe(1);
  expect((await on({ password: 'wrong', code: codeAt(secret) })).body).toMatchObject({ field: 'password' });
  expect((await on({ password, code: codeAt(secret, -1) })).body.data?.recoveryCodes).toHaveLength(10);
  expect((await on({ password, code: codeAt(secret) })).body.code).toBe(0);
  expect((await visitor.call('POST', `${path}/secret`)).body).toMatchObject({ code: 0 });

  const off = (given: object) => visitor.call<AdminReply<never>>('DELETE', path, given);
  expect((await off({ password: 'wrong', code: codeAt(secret) })).body.field).toBe('password');
  expect((await off({ password, code: codeAt(secret, -1) })).body.field).toBe('code');
  expect((await off({ password, code: codeAt(secret) })).body.code).toBe(1);
  expect((await guest().signIn('gustav', password)).code).toBe(1);
  expect((await eventsOf('gustav')).at(-2)).toBe('second_factor_off');
});

test('wrong codes count as wrong passwords do, without locking out the browser of the owner', async () => {
  const { visitor, username, secret } = await protectedAccount('hanna');
  const challenge = await challengeFor(username);
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) {
    const body = { challenge, code: '000000' };
    statuses.push((await guest().call('POST', '/admin/login/code', body)).status);
  }
  expect(statuses).toContain(429);
  expect((await guest().call('POST', '/admin/login', { username, password })).status).toBe(429);
  const own = await challengeFor(username, visitor);
  expect((await answer(own, codeAt(secret), visitor)).code).toBe(1);
});

test('after 20 wrong codes in an hour only recovery codes are accepted, from anywhere', async () => {
  const { visitor, username, secret, recoveryCodes } = await protectedAccount('hester');
  const challenge = await challengeFor(username, visitor);
  const tries = (code: string) => visitor.call('POST', '/admin/login/code', { challenge, code });
  const limits = () =>
    desk.connection.collection('limits').deleteMany({ key: { $gte: 'sign_in:', $lt: 'sign_in;' } });
  for (let n = 0; n < 20; n += 1) {
    if (n % 10 === 0) await limits();
    expect((await tries('000000')).status).toBe(200);
  }
  await limits();
  expect(await tries(codeAt(secret))).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
  expect((await answer(challenge, recoveryCodes[0]!, visitor)).code).toBe(1);
});

test('the link of an administrator removes it, says so before, and is recorded', async () => {
  const { username } = await protectedAccount('ida');
  const { body: found } = await admin.call<PeoplePage>('POST', '/api/people/search', { q: username });
  const { body: link } = await admin.call<OneTimeLink>(
    'POST',
    `/api/people/${found.people[0]!.id}/password-link`,
  );
  const { token } = link;
  expect((await guest().call<LinkInfo>('POST', '/admin/link', { token })).body).toEqual({
    username,
    hasSecondFactor: true,
  });
  await guest().call('POST', '/admin/link/use', { token, password: 'another password' });
  expect((await guest().signIn(username, 'another password')).code).toBe(1);
  expect(await eventsOf(username)).toEqual(
    expect.arrayContaining(['password_link_created', 'second_factor_off']),
  );
});

test('deleting an account deletes its second factor', async () => {
  const { visitor, username } = await protectedAccount('jan');
  await challengeFor(username);
  const { connection } = desk;
  const user = await connection.collection('users').findOne({ nameKey: username });
  await visitor.call('DELETE', '/admin/account', { password });
  expect(await connection.collection('users').findOne({ _id: user!._id })).toMatchObject({
    secondFactor: null,
  });
  expect(await connection.collection('sign_in_challenges').countDocuments({ userId: user!._id })).toBe(0);
});

test('guests have no second factor', async () => {
  for (const [method, to] of [
    ['GET', path],
    ['POST', `${path}/secret`],
    ['POST', path],
    ['POST', `${path}/recovery-codes`],
    ['DELETE', path],
  ] as const)
    expect((await guest().call(method, to)).status).toBe(401);
});
