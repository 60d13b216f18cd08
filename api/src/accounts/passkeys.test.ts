import { afterAll, expect, test } from '@jest/globals';
import type { AdminReply, SecondFactorState } from '../contract/accounts.ts';
import type { AuditPage } from '../contract/audit.ts';
import type { OneTimeLink } from '../contract/one-time-links.ts';
import type { PasskeyOptions } from '../contract/passkeys.ts';
import type { PeoplePage } from '../contract/people.ts';
import type { SsoSession } from '../contract/single-sign-on.ts';
import { addSecondFactor, codeAt } from '../testing/authenticator.ts';
import { createAuthenticatorStandIn } from '../testing/authenticator-stand-in.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

const password = 'a long password';
const path = '/admin/passkeys';

const desk = await startTestApi({ answerer: createScriptedAnswerer() });
const admin = await signedUp(desk.url, 'root', password);
const origin = new URL(desk.url).origin;
afterAll(() => desk?.end());

const guest = () => createVisitor(desk.url);

type CreationOptions = PasskeyOptions & {
  rp: { id: string };
  user: { id: string };
  excludeCredentials: { id: string }[];
};

const begin = async (visitor: Visitor, proof: object = { password }) =>
  (await visitor.call<AdminReply<CreationOptions>>('POST', `${path}/challenge`, proof)).body;

async function accountWithPasskey(username: string) {
  const visitor = guest();
  await visitor.signUp(username, password);
  const { data } = await begin(visitor);
  const { challenge, rp, user } = data!;
  const authenticator = createAuthenticatorStandIn(rp.id);
  const credential = authenticator.register({ challenge, origin, userId: user.id });
  const added = await visitor.call<AdminReply<never>>('POST', path, { name: 'My key', credential });
  expect(added.body.code).toBe(1);
  return { visitor, username, authenticator };
}

const newChallenge = async () =>
  (await guest().call<PasskeyOptions>('POST', `${path}/sign-in/challenge`)).body.challenge;
const signIn = async (credential: object, visitor = guest()) =>
  (await visitor.call<AdminReply<SsoSession>>('POST', `${path}/sign-in`, credential)).body;
const stateOf = async (visitor: Visitor) =>
  (await visitor.call<SecondFactorState>('GET', '/admin/second-factor')).body;

test('a passkey signs in without a name, a password and a code', async () => {
  const { visitor, username, authenticator } = await accountWithPasskey('anna');
  await addSecondFactor(visitor, password);
  const challenge = await newChallenge();
  const done = await signIn(authenticator.signIn({ challenge, origin }));
  expect(done).toMatchObject({ code: 1, data: { username } });
  const browser = guest();
  browser.token = done.data!.token;
  const { passkeys } = await stateOf(browser);
  expect(passkeys).toEqual([
    { id: expect.any(String), name: 'My key', createdAt: expect.any(String), lastUsedAt: expect.any(String) },
  ]);
  const { body } = await admin.call<AuditPage>('POST', '/api/audit/search', { username });
  expect(body.entries.map(({ event }) => event)).toEqual([
    'sign_in',
    'second_factor_on',
    'passkey_added',
    'sign_up',
  ]);
});

test('a challenge works once, and not after 5 minutes', async () => {
  const { authenticator } = await accountWithPasskey('berta');
  const challenge = await newChallenge();
  expect((await signIn(authenticator.signIn({ challenge, origin }))).code).toBe(1);
  expect((await signIn(authenticator.signIn({ challenge, origin }))).code).toBe(0);
  const late = await newChallenge();
  await desk.connection
    .collection('sign_in_challenges')
    .updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1) } });
  expect((await signIn(authenticator.signIn({ challenge: late, origin }))).code).toBe(0);
  expect((await signIn(authenticator.signIn({ challenge: 'made-up', origin }))).code).toBe(0);
});

test('a sign-in with the wrong page, person or key is refused', async () => {
  const { authenticator } = await accountWithPasskey('carla');
  const other = createAuthenticatorStandIn('127.0.0.1');
  const elsewhere = createAuthenticatorStandIn('elsewhere.example');
  for (const credential of [
    authenticator.signIn({ challenge: await newChallenge(), origin: 'https://elsewhere.example' }),
    authenticator.signIn({ challenge: await newChallenge(), origin, isVerified: false }),
    other.signIn({ challenge: await newChallenge(), origin }),
    {
      ...other.signIn({ challenge: await newChallenge(), origin }),
      id: authenticator.id,
      rawId: authenticator.id,
    },
    {
      ...elsewhere.signIn({ challenge: await newChallenge(), origin }),
      id: authenticator.id,
      rawId: authenticator.id,
    },
  ])
    expect(await signIn(credential)).toEqual({ code: 0, msg: expect.stringContaining('通行密钥') });
  const mixed = authenticator.signIn({ challenge: await newChallenge(), origin });
  const userHandle = Buffer.from('0'.repeat(24)).toString('base64url');
  expect((await signIn({ ...mixed, response: { ...mixed.response, userHandle } })).code).toBe(0);
});

test('adding a passkey requires the password, a code if there is a second factor, and the challenge of the same account', async () => {
  const [dora, emil] = [guest(), guest()];
  await dora.signUp('dora', password);
  await emil.signUp('emil', password);
  expect(await begin(dora, { password: 'wrong' })).toMatchObject({ code: 0, field: 'password' });
  const { secret } = await addSecondFactor(dora, password);
  expect(await begin(dora)).toMatchObject({ code: 0, field: 'code' });
  const { data } = await begin(dora, { password, code: codeAt(secret) });
  const { challenge, rp, user } = data!;
  const register = (given: object = {}) => ({
    name: '',
    credential: createAuthenticatorStandIn(rp.id).register({ challenge, origin, userId: user.id, ...given }),
  });
  const add = async (visitor: Visitor, body: object) =>
    (await visitor.call<AdminReply<never>>('POST', path, body)).body.code;
  expect(await add(emil, register())).toBe(0);
  expect(await add(dora, register({ challenge: await newChallenge() }))).toBe(0);
  expect(await add(dora, register())).toBe(1);
  expect(await add(dora, register())).toBe(0);
  const before = (await begin(emil)).data!;
  await emil.call('POST', '/admin/password', { current: password, next: 'another password' });
  expect(await add(emil, register({ challenge: before.challenge }))).toBe(0);
  const unverified = (await begin(emil, { password: 'another password' })).data!;
  expect(await add(emil, register({ challenge: unverified.challenge, isVerified: false }))).toBe(0);
  expect((await stateOf(emil)).passkeys).toEqual([]);
  expect((await guest().call('POST', path, register())).status).toBe(401);
});

test('an account has at most 20 passkeys, and the browser is told which exist', async () => {
  const { visitor, authenticator } = await accountWithPasskey('gita');
  const stored = desk.connection.collection('passkeys');
  const { _id, ...first } = (await stored.findOne({ credentialId: authenticator.id }))!;
  await stored.insertMany(Array.from({ length: 18 }, (_, n) => ({ ...first, credentialId: `more-${n}` })));
  const add = async () => {
    const { challenge, rp, user, excludeCredentials } = (await begin(visitor)).data!;
    const credential = createAuthenticatorStandIn(rp.id).register({ challenge, origin, userId: user.id });
    const { code } = (await visitor.call<AdminReply<never>>('POST', path, { name: '', credential })).body;
    return [code, excludeCredentials.length];
  };
  expect(await add()).toEqual([1, 19]);
  expect(await add()).toEqual([0, 20]);
  expect((await stateOf(visitor)).passkeys).toHaveLength(20);
});

test('a removed passkey, or one of a disabled account, cannot sign in; passkeys of other accounts cannot be removed', async () => {
  const { visitor, authenticator } = await accountWithPasskey('fritz');
  const { passkeys } = await stateOf(visitor);
  const { id } = passkeys[0]!;
  expect((await admin.call('DELETE', `${path}/${id}`)).status).toBe(404);
  const people = await admin.call<PeoplePage>('POST', '/api/people/search', { q: 'fritz' });
  const person = `/api/people/${people.body.people[0]!.id}`;
  await admin.call('PATCH', person, { isDisabled: true });
  const signInNow = async () => signIn(authenticator.signIn({ challenge: await newChallenge(), origin }));
  expect(await signInNow()).toEqual({ code: 0, msg: expect.stringContaining('停用') });
  await admin.call('PATCH', person, { isDisabled: false });
  const { data } = await signInNow();
  visitor.token = data!.token;
  expect((await visitor.call('DELETE', `${path}/${id}`)).status).toBe(200);
  expect((await signInNow()).code).toBe(0);
});

test('the link of an administrator removes passkeys, and so does the deletion of the account', async () => {
  const gustav = await accountWithPasskey('gustav');
  const people = await admin.call<PeoplePage>('POST', '/api/people/search', { q: 'gustav' });
  const link = await admin.call<OneTimeLink>(
    'POST',
    `/api/people/${people.body.people[0]!.id}/password-link`,
  );
  const { token } = link.body;
  expect((await guest().call('POST', '/admin/link', { token })).body).toMatchObject({
    hasSecondFactor: true,
  });
  await guest().call('POST', '/admin/link/use', { token, password: 'another password' });
  const challenge = await newChallenge();
  expect((await signIn(gustav.authenticator.signIn({ challenge, origin }))).code).toBe(0);

  const hanna = await accountWithPasskey('hanna');
  const stored = desk.connection.collection('passkeys');
  const { authenticator, visitor } = hanna;
  expect(await stored.countDocuments({ credentialId: authenticator.id })).toBe(1);
  await visitor.call('DELETE', '/admin/account', { password });
  expect(await stored.countDocuments({ credentialId: authenticator.id })).toBe(0);
});
