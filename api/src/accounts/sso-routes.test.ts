import { afterAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { Types } from 'mongoose';
import type { AdminReply, SessionList } from '../contract/accounts.ts';
import type { AuditPage } from '../contract/audit.ts';
import type { Group, PeoplePage, Person } from '../contract/people.ts';
import type { ConfirmPage, SsoSession } from '../contract/single-sign-on.ts';
import { addSecondFactor, codeAt } from '../testing/authenticator.ts';
import { startForgingProvider } from '../testing/forging-provider.ts';
import { startOpenIdProvider } from '../testing/openid-provider.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

const password = 'a long password';

const acme = await startOpenIdProvider({ wanda: ['writers', 'others'] });
const [forger, rival] = await Promise.all([startForgingProvider('forger'), startForgingProvider('rival')]);
const down = { ...acme.configured, id: 'down', name: 'Down', issuer: 'http://127.0.0.1:9' };
const providers = [acme.configured, forger.configured, rival.configured, down];
const desk = await startTestApi({
  answerer: createScriptedAnswerer(),
  config: { signIn: { isLocal: true, providers }, registration: 'open' },
});
await acme.serve(desk.url);
const admin = await signedUp(desk.url, 'root', password);
afterAll(async () => {
  await desk?.end();
  await Promise.all([acme?.end(), forger?.end(), rival?.end()]);
});

const guest = () => createVisitor(desk.url);

async function begin(visitor: Visitor, provider: string): Promise<URL> {
  const response = await visitor.fetch('GET', `/admin/sso/${provider}/start`, { redirect: 'manual' });
  expect(response.status).toBe(302);
  return new URL(response.headers.get('Location') ?? '', desk.url);
}

/** What the browser does with the address to which the provider sends it; the query of /login, or '' after a sign-in. */
async function arrive(visitor: Visitor, address: URL | string): Promise<string> {
  const url = new URL(address);
  const response = await visitor.fetch('GET', url.pathname + url.search, { redirect: 'manual' });
  expect(response.status).toBe(302);
  const location = response.headers.get('Location') ?? '';
  const handed = visitor.cookies.get('desk-signed-in');
  visitor.cookies.delete('desk-signed-in');
  if (location === '/chatbot/index')
    visitor.token = (JSON.parse(decodeURIComponent(handed ?? '')) as { token: string }).token;
  else expect(handed).toBeUndefined();
  return location === '/chatbot/index' ? '' : location.replace('/chatbot/login?', '');
}

/** Signs in at the real provider; returns the address of the desk to which it sends the browser. */
async function signInThere(atProvider: Visitor, start: URL, login: string): Promise<string> {
  for (let address = start.href; ; ) {
    if (address.startsWith(desk.url)) return address;
    const { pathname, search } = new URL(address, acme.issuer);
    let response = await atProvider.fetch('GET', pathname + search, { redirect: 'manual' });
    if (response.status === 200) {
      const prompt = /name="prompt" value="(\w+)"/.exec(await response.text())?.[1] ?? '';
      response = await atProvider.fetch('POST', pathname, {
        redirect: 'manual',
        body: new URLSearchParams({ prompt, login, password: 'any' }),
      });
    }
    const location = response.headers.get('Location');
    if (!location) throw new Error(`expected another page, got ${response.status}: ${await response.text()}`);
    address = new URL(location, acme.issuer).href;
  }
}

async function usernameOf(visitor: Visitor): Promise<string | undefined> {
  return (await visitor.call<AdminReply<{ username: string }>>('POST', '/admin/auth')).body.data?.username;
}

async function personOf(q: string): Promise<Person | undefined> {
  return (await admin.call<PeoplePage>('POST', '/api/people/search', { q })).body.people[0];
}

/** A sign-in at a provider that gives an ID token with these claims. */
async function signInWith(
  claims: JWTPayload,
  {
    visitor = guest(),
    provider = forger,
    isForged = false,
    query = {} as Record<string, string>,
    /** The ID token instead of one that the provider signs. */
    forge = (all: JWTPayload): string | Promise<string> => provider.sign(all, { isForged }),
  } = {},
): Promise<{ visitor: Visitor; problem: string; callback: URL }> {
  const { searchParams } = await begin(visitor, provider.configured.id);
  const nonce = searchParams.get('nonce') ?? '';
  provider.give(await forge({ nonce, groups: [], ...claims }));
  const callback = new URL(searchParams.get('redirect_uri') ?? '');
  const state = searchParams.get('state') ?? '';
  callback.search = new URLSearchParams({ code: 'x', state, iss: provider.issuer, ...query }).toString();
  return { visitor, callback, problem: await arrive(visitor, callback) };
}

describe('a real provider', () => {
  test('people sign in, keep what they asked as guests, and get roles by claim', async () => {
    const visitor = guest();
    const { body } = await visitor.call('POST', '/api/chat', { text: 'Where is it?' });
    const start = await begin(visitor, 'acme');
    expect(Object.fromEntries(start.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      nonce: expect.any(String),
      state: expect.any(String),
    });
    expect(await arrive(visitor, await signInThere(createVisitor(acme.issuer), start, 'wanda'))).toBe('');
    expect(await usernameOf(visitor)).toBe('wanda');
    expect((await visitor.call('GET', `/api/records/${body.recordId}`)).status).toBe(200);
    expect(await personOf('wanda')).toMatchObject({ roles: ['editor'], sessions: 1, signsInBy: 'provider' });
  });

  test('log-out there ends the session and its open streams here', async () => {
    const visitor = guest();
    const there = createVisitor(acme.issuer);
    await arrive(visitor, await signInThere(there, await begin(visitor, 'acme'), 'otto'));
    const stream = await visitor.fetch('GET', '/api/handovers/events', {
      headers: { Accept: 'text/event-stream' },
    });
    const page = await (await there.fetch('GET', '/session/end')).text();
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    await there.fetch('POST', '/session/end/confirm', {
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
      redirect: 'manual',
    });
    await stream.text();
    expect((await visitor.call('POST', '/admin/auth')).status).toBe(401);
  });

  test('the code of one sign-in cannot be used again', async () => {
    const visitor = guest();
    const start = await begin(visitor, 'acme');
    const cookie = visitor.cookies.get('desk_sso') ?? '';
    const callback = await signInThere(createVisitor(acme.issuer), start, 'petra');
    expect(await arrive(visitor, callback)).toBe('');
    expect(await arrive(visitor, callback)).toBe('sso=expired');
    visitor.cookies.set('desk_sso', cookie);
    expect(await arrive(visitor, callback)).toBe('sso=refused');
  });

  test('signing out here leads to the page that ends the session there', async () => {
    const visitor = guest();
    await arrive(
      visitor,
      await signInThere(createVisitor(acme.issuer), await begin(visitor, 'acme'), 'quentin'),
    );
    const { body } = await visitor.call<AdminReply<{ url: string }>>('POST', '/admin/logout');
    const end = new URL(body.data?.url ?? '');
    expect([end.origin, end.searchParams.get('post_logout_redirect_uri')]).toEqual([
      acme.issuer,
      `${desk.url}/chatbot/login`,
    ]);
  });
});

describe('signing in again as a proof, for accounts without a password', () => {
  const confirm = async (visitor: Visitor, purpose: string) => {
    const { status, body } = await visitor.call<ConfirmPage>('POST', '/admin/sso/confirm', { purpose });
    expect(status).toBe(200);
    return new URL(body.url);
  };
  const remove = async (visitor: Visitor) => (await visitor.call('DELETE', '/admin/account', {})).status;
  const operate = async (visitor: Visitor) => (await visitor.call('POST', '/api/operate', {})).status;

  async function signedInAt(login: string): Promise<{ visitor: Visitor; there: Visitor }> {
    const [visitor, there] = [guest(), createVisitor(acme.issuer)];
    expect(await arrive(visitor, await signInThere(there, await begin(visitor, 'acme'), login))).toBe('');
    return { visitor, there };
  }

  test('the real provider asks again although it knows the person, and the proof works once and for its purpose', async () => {
    const { visitor, there } = await signedInAt('ursula');
    await admin.call('PATCH', `/api/people/${(await personOf('ursula'))!.id}`, { roles: ['operator'] });
    expect([await remove(visitor), await operate(visitor)]).toEqual([410, 410]);
    const start = await confirm(visitor, 'operate');
    const asked = await there.fetch('GET', start.pathname + start.search, { redirect: 'manual' });
    expect(asked.headers.get('Location')).toMatch(/^\/interaction\//);
    const callback = await signInThere(there, start, 'ursula');
    const cookie = visitor.cookies.get('desk_sso') ?? '';
    expect(await arrive(visitor, callback)).toBe('/chatbot/composition?confirm=done');
    expect([await remove(visitor), await operate(visitor), await operate(visitor)]).toEqual([410, 200, 410]);
    expect(await arrive(visitor, callback)).toBe('sso=expired');
    visitor.cookies.set('desk_sso', cookie);
    expect(await arrive(visitor, callback)).toBe('/chatbot/composition?confirm=failed');
    expect(await operate(visitor)).toBe(410);
    await arrive(visitor, await signInThere(there, await confirm(visitor, 'delete_account'), 'ursula'));
    expect([await remove(visitor), await personOf('ursula')]).toEqual([200, undefined]);
  });

  test('another account, another browser and a session that is over prove nothing', async () => {
    const { visitor } = await signedInAt('vera');
    const callback = () =>
      confirm(visitor, 'delete_account').then((start) =>
        signInThere(createVisitor(acme.issuer), start, 'victor'),
      );
    expect(await arrive(visitor, await callback())).toBe('/chatbot/account?confirm=failed');
    expect(await arrive(guest(), await callback())).toBe('sso=expired');
    expect(await remove(visitor)).toBe(410);
    const { visitor: twin } = await signedInAt('vera');
    const own = await signInThere(createVisitor(acme.issuer), await confirm(twin, 'delete_account'), 'vera');
    expect(await arrive(twin, own)).toBe('/chatbot/account?confirm=done');
    expect(await remove(visitor)).toBe(410);
    const late = await signInThere(
      createVisitor(acme.issuer),
      await confirm(visitor, 'delete_account'),
      'vera',
    );
    await visitor.call('POST', '/admin/logout');
    expect(await arrive(visitor, late)).toBe('/chatbot/account?confirm=failed');
  });

  test('a proof expires after 5 minutes, and a session that began with a password cannot have one', async () => {
    const { visitor, there } = await signedInAt('wilma');
    await arrive(visitor, await signInThere(there, await confirm(visitor, 'delete_account'), 'wilma'));
    await desk.connection
      .collection('sessions')
      .updateMany({ proof: { $ne: null } }, { $set: { 'proof.at': new Date(Date.now() - 300_001) } });
    expect(await remove(visitor)).toBe(410);
    const local = guest();
    await local.signUp('xaver', password);
    expect((await local.call('POST', '/admin/sso/confirm', { purpose: 'operate' })).status).toBe(404);
    expect(await remove(local)).toBe(410);
    expect((await guest().call('POST', '/admin/sso/confirm', { purpose: 'operate' })).status).toBe(401);
  });

  test.each<[string, JWTPayload, boolean]>([
    ['now', { auth_time: Math.floor(Date.now() / 1000) + 5 }, true],
    ['a minute before', { auth_time: Math.floor(Date.now() / 1000) - 60 }, false],
    ['at an unknown time', {}, false],
    ['at a time that is no number', { auth_time: 'now' as never }, false],
  ])('a person that signed in %s', async (_, claims, isProven) => {
    const { visitor } = await signInWith({ sub: 'yves' });
    const { searchParams } = await confirm(visitor, 'delete_account');
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0']);
    const nonce = searchParams.get('nonce') ?? '';
    forger.give(await forger.sign({ sub: 'yves', nonce, ...claims }));
    const callback = new URL(searchParams.get('redirect_uri') ?? '');
    const state = searchParams.get('state') ?? '';
    callback.search = new URLSearchParams({ code: 'x', state, iss: forger.issuer }).toString();
    const outcome = isProven ? 'done' : 'failed';
    expect(await arrive(visitor, callback)).toBe(`/chatbot/account?confirm=${outcome}`);
    expect(await remove(visitor)).toBe(isProven ? 200 : 410);
  });
});

describe('what is refused', () => {
  const anHourAgo = () => Math.floor(Date.now() / 1000) - 3600;

  test.each<[string, JWTPayload]>([
    ['another issuer', { iss: 'https://other.example' }],
    ['another audience', { aud: 'other' }],
    ['several audiences without the authorised party', { aud: ['desk', 'other'], azp: 'other' }],
    ['another nonce', { nonce: 'other' }],
    ['no nonce', { nonce: undefined as never }],
    ['an expired token', { iat: anHourAgo(), exp: anHourAgo() + 60 }],
    ['no subject', { sub: undefined as never }],
  ])('an ID token with %s', async (_, claims) => {
    expect((await signInWith({ sub: 'eve', ...claims })).problem).toBe('sso=refused');
  });

  test('an ID token with the signature of another key', async () => {
    expect((await signInWith({ sub: 'eve' }, { isForged: true })).problem).toBe('sso=refused');
  });

  test('a response with another state, or of another issuer', async () => {
    expect((await signInWith({ sub: 'eve' }, { query: { state: 'other' } })).problem).toBe('sso=refused');
    expect((await signInWith({ sub: 'eve' }, { query: { iss: rival.issuer } })).problem).toBe('sso=refused');
  });

  test('a response to another browser, and one for another provider', async () => {
    const { callback } = await signInWith({ sub: 'mallory' });
    expect(await arrive(guest(), callback)).toBe('sso=expired');
    const visitor = guest();
    const { searchParams } = await begin(visitor, 'rival');
    const state = searchParams.get('state') ?? '';
    const other = new URL(callback);
    other.search = new URLSearchParams({ code: 'x', state, iss: forger.issuer }).toString();
    expect(await arrive(visitor, other)).toBe('sso=expired');
  });

  test('a changed cookie', async () => {
    const visitor = guest();
    const start = await begin(visitor, 'forger');
    const [content = '', signature = ''] = (visitor.cookies.get('desk_sso') ?? '').split('.');
    const changed = Buffer.from(content, 'base64url').toString().replace('forger', 'rival!');
    visitor.cookies.set('desk_sso', `${Buffer.from(changed).toString('base64url')}.${signature}`);
    const callback = new URL(start.searchParams.get('redirect_uri') ?? '');
    callback.search = new URLSearchParams({ code: 'x', iss: forger.issuer }).toString();
    expect(await arrive(visitor, callback)).toBe('sso=expired');
  });

  test('a sign-in that the person cancels, and a disabled account', async () => {
    const visitor = guest();
    const start = await begin(visitor, 'forger');
    const callback = new URL(start.searchParams.get('redirect_uri') ?? '');
    const state = start.searchParams.get('state') ?? '';
    callback.search = new URLSearchParams({ error: 'access_denied', state, iss: forger.issuer }).toString();
    expect(await arrive(visitor, callback)).toBe('sso=cancelled');
    expect((await signInWith({ sub: '7', preferred_username: 'dora' })).problem).toBe('');
    await admin.call('PATCH', `/api/people/${(await personOf('dora'))!.id}`, { isDisabled: true });
    const again = { sub: '7', preferred_username: 'dora', groups: 'heads' };
    expect((await signInWith(again)).problem).toBe('sso=disabled');
    expect(await personOf('dora')).toMatchObject({ isDisabled: true, roles: [] });
  });

  test('a provider that is down; passwords still work', async () => {
    expect((await begin(guest(), 'down')).search).toBe('?sso=unavailable');
    expect((await guest().signIn('root', password)).code).toBe(1);
    expect((await guest().call('GET', '/admin/sso/none/start')).status).toBe(404);
  });
});

describe('attacks', () => {
  const complete = (claims: JWTPayload): JWTPayload => {
    const now = Math.floor(Date.now() / 1000);
    return { iss: forger.issuer, aud: 'desk', iat: now, exp: now + 300, ...claims };
  };

  test('an ID token without a signature', async () => {
    const forge = (claims: JWTPayload) => new UnsecuredJWT(complete(claims)).encode();
    expect((await signInWith({ sub: 'eve' }, { forge })).problem).toBe('sso=refused');
  });

  test.each(['HS256', 'HS512'])('an ID token that the secret of the desk signs with %s', async (alg) => {
    const secret = new TextEncoder().encode(forger.configured.clientSecret!);
    const forge = (claims: JWTPayload) =>
      new SignJWT(complete(claims)).setProtectedHeader({ alg, kid: 'key' }).sign(secret);
    expect((await signInWith({ sub: 'eve' }, { forge })).problem).toBe('sso=refused');
  });

  test('an ID token that brings its own key, or an address of one', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const jwk = await exportJWK(publicKey);
    for (const header of [
      { jwk },
      { jwk, kid: 'key' },
      { jku: `${rival.issuer}/jwks` },
      { kid: '../jwks' },
    ]) {
      const forge = (claims: JWTPayload) =>
        new SignJWT(complete(claims)).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey);
      expect((await signInWith({ sub: 'eve' }, { forge })).problem).toBe('sso=refused');
    }
  });

  test('an ID token of a rival for the same audience', async () => {
    const forge = (claims: JWTPayload) => rival.sign(claims);
    expect((await signInWith({ sub: 'eve' }, { forge })).problem).toBe('sso=refused');
    const asForger = (claims: JWTPayload) => rival.sign({ ...claims, iss: forger.issuer });
    expect((await signInWith({ sub: 'eve' }, { forge: asForger })).problem).toBe('sso=refused');
  });

  test.each<[string, JWTPayload]>([
    ['a subject that is a number', { sub: 7 as never }],
    ['a subject that is a list', { sub: ['7'] as never }],
    ['an empty subject', { sub: '' }],
    ['a time of issue in the future', { iat: Math.floor(Date.now() / 1000) + 3600 }],
    ['a later beginning', { nbf: Math.floor(Date.now() / 1000) + 3600 }],
    ['no end', { exp: undefined as never }],
    ['an end that is a text', { exp: '9999999999' as never }],
    ['the issuer with a slash', { iss: 'http://127.0.0.1/' }],
    ['an audience that contains the name', { aud: 'desk desk' }],
    ['a nonce that is a list', { nonce: ['x'] as never }],
  ])('an ID token with %s', async (_, claims) => {
    expect((await signInWith({ sub: 'eve', ...claims })).problem).toBe('sso=refused');
  });

  test('a response that names state, code or issuer twice, or no issuer', async () => {
    for (const twice of ['state', 'code', 'iss']) {
      const visitor = guest();
      const { searchParams } = await begin(visitor, 'forger');
      const nonce = searchParams.get('nonce') ?? '';
      forger.give(await forger.sign({ sub: 'eve', nonce }));
      const callback = new URL(searchParams.get('redirect_uri') ?? '');
      const state = searchParams.get('state') ?? '';
      const query = new URLSearchParams({ code: 'x', state, iss: forger.issuer });
      query.append(twice, query.get(twice) ?? '');
      callback.search = query.toString();
      expect([twice, await arrive(visitor, callback)]).toEqual([twice, 'sso=refused']);
    }
    expect((await signInWith({ sub: 'eve' }, { query: { iss: '' } })).problem).toBe('sso=refused');
  });

  test('the state of an earlier tab, and tokens in the address', async () => {
    const visitor = guest();
    const early = await begin(visitor, 'forger');
    const late = await begin(visitor, 'forger');
    forger.give(await forger.sign({ sub: 'eve', nonce: late.searchParams.get('nonce') ?? '' }));
    const callback = new URL(late.searchParams.get('redirect_uri') ?? '');
    const state = early.searchParams.get('state') ?? '';
    callback.search = new URLSearchParams({ code: 'x', state, iss: forger.issuer }).toString();
    expect(await arrive(visitor, callback)).toBe('sso=refused');
    const injected = await forger.sign({ sub: 'eve' });
    const query = { id_token: injected, access_token: 'x', code: '' };
    expect((await signInWith({ sub: 'eve' }, { query })).problem).toBe('sso=refused');
  });

  test('names that look like those of others lead to no account of others', async () => {
    await guest().signUp('Alma', password);
    for (const [n, name] of ['al\u200bma', 'ALMA', '\uff21lma', ' alma ', 'alma\u0000'].entries()) {
      const { visitor, problem } = await signInWith({ sub: `look-${n}`, preferred_username: name });
      if (problem === '') expect((await usernameOf(visitor))!.toLowerCase()).not.toBe('alma');
      else expect(problem).toMatch(/^sso=link&name=/);
    }
  });

  test('claims named like properties of every object grant no role', async () => {
    const groups = ['__proto__', 'constructor', 'toString', { heads: true }, ['heads'], 'HEADS', 'heads '];
    expect((await signInWith({ sub: 'proto', preferred_username: 'pruto', groups })).problem).toBe('');
    expect((await personOf('pruto'))!.roles).toEqual([]);
  });

  test('a proof of identity cannot be used as a sign-in, nor a sign-in as a proof', async () => {
    const { visitor } = await signInWith({ sub: 'swap', preferred_username: 'swanhild' });
    const start = await begin(visitor, 'forger');
    const cookie = visitor.cookies.get('desk_sso') ?? '';
    visitor.cookies.set('desk_sso_person', cookie);
    for (const path of ['/admin/sso/create', '/admin/sso/link'])
      expect(
        (await visitor.call('POST', path, path.endsWith('link') ? { username: 'root', password } : undefined))
          .status,
      ).toBe(410);
    expect(start.searchParams.get('prompt')).toBeNull();
    expect((await visitor.call('DELETE', '/admin/account', {})).status).toBe(410);
  });

  test('a desk address chosen by an attacker is not used for the response', async () => {
    const visitor = guest();
    for (const path of [
      '?redirect_uri=https://evil.example',
      '?next=//evil.example',
      '?returnTo=%2F%2Fevil',
    ]) {
      const response = await visitor.fetch('GET', `/admin/sso/forger/start${path}`, {
        redirect: 'manual',
        headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
      });
      const to = new URL(response.headers.get('Location') ?? '');
      expect(to.searchParams.get('redirect_uri')).toBe(`${desk.url}/admin/sso/forger/callback`);
      expect(to.href).not.toContain('evil');
    }
    for (const id of ['__proto__', 'constructor', '..%2Fforger', 'forger%00', 'FORGER'])
      expect([400, 404]).toContain((await visitor.fetch('GET', `/admin/sso/${id}/start`)).status);
  });

  test('an ID token ends no session, and a log-out token begins none', async () => {
    const { visitor } = await signInWith({ sub: 'mixed', sid: 'mixed-1' });
    const idToken = await forger.sign({ sub: 'mixed', sid: 'mixed-1', jti: 'two' });
    const body = new URLSearchParams({ logout_token: idToken });
    expect((await guest().fetch('POST', '/admin/sso/forger/logout', { body })).status).toBe(400);
    expect(await usernameOf(visitor)).toBeDefined();
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const unsigned = new UnsecuredJWT(complete({ sub: 'mixed', jti: 'three', events })).encode();
    const form = new URLSearchParams({ logout_token: unsigned });
    expect((await guest().fetch('POST', '/admin/sso/forger/logout', { body: form })).status).toBe(400);
    const logout = { sub: 'mixed', jti: 'four', events, nonce: undefined as never };
    expect((await signInWith(logout)).problem).toBe('sso=refused');
  });
});

describe('accounts', () => {
  test('issuer and subject identify a person, whatever the name', async () => {
    const first = await signInWith({ sub: '1', preferred_username: 'kim' });
    const again = await signInWith({ sub: '1', preferred_username: 'kim new' });
    const namesake = await signInWith({ sub: '2', preferred_username: 'KIM' });
    const elsewhere = await signInWith({ sub: '1', email: 'kim' }, { provider: rival });
    const all = [first, again, namesake, elsewhere].map(({ visitor }) => usernameOf(visitor));
    expect(await Promise.all(all)).toEqual(['kim', 'kim', 'KIM-2', 'kim-3']);
    const [nameless] = [await signInWith({ sub: '3', preferred_username: 'x\u202e' })];
    expect(await usernameOf(nameless.visitor)).toMatch(/^forger-[0-9a-f]{8}$/);
  });

  test('two sign-ins at the same time make one account', async () => {
    const starts = await Promise.all(
      [guest(), guest()].map(async (visitor) => ({ visitor, start: await begin(visitor, 'acme') })),
    );
    const callbacks = await Promise.all(
      starts.map(({ start }) => signInThere(createVisitor(acme.issuer), start, 'twin')),
    );
    const problems = await Promise.all(
      starts.map(({ visitor }, index) => arrive(visitor, callbacks[index] ?? '')),
    );
    expect(problems).toEqual(['', '']);
    const { people } = (await admin.call<PeoplePage>('POST', '/api/people/search', { q: 'twin' })).body;
    expect(people).toHaveLength(1);
  });

  test('an existing account is linked after its password was given', async () => {
    await guest().signUp('lena', password);
    const { visitor, problem } = await signInWith({ sub: '9', preferred_username: 'Lena' });
    expect(problem).toBe('sso=link&name=lena');
    const link = (given: string) =>
      visitor.call<AdminReply<SsoSession>>('POST', '/admin/sso/link', { username: 'lena', password: given });
    expect((await link('wrong')).body).toMatchObject({ code: 0, field: 'password' });
    expect((await link(password)).body).toMatchObject({ code: 1, data: { username: 'lena' } });
    // Once only.
    expect((await link(password)).status).toBe(410);
    expect((await signInWith({ sub: '9', preferred_username: 'other' })).problem).toBe('');
    expect((await guest().signIn('lena', password)).code).toBe(1);
  });

  test('an existing account with a second factor needs a code, too', async () => {
    const owner = guest();
    await owner.signUp('lotte', password);
    const { secret } = await addSecondFactor(owner, password);
    const { visitor } = await signInWith({ sub: 'lotte', preferred_username: 'lotte' });
    const link = async (code?: string) =>
      (
        await visitor.call<AdminReply<SsoSession>>('POST', '/admin/sso/link', {
          username: 'lotte',
          password,
          ...(code && { code }),
        })
      ).body;
    expect(await link()).toMatchObject({ code: 0, field: 'code' });
    expect(await link('000000')).toMatchObject({ code: 0, field: 'code' });
    expect(await link(codeAt(secret))).toMatchObject({ code: 1, data: { username: 'lotte' } });
  });

  test('without linking, the person gets a new account', async () => {
    await guest().signUp('mia', password);
    const { visitor } = await signInWith({ sub: '10', preferred_username: 'mia' });
    const { body } = await visitor.call<AdminReply<SsoSession>>('POST', '/admin/sso/create');
    expect(body.data?.username).toBe('mia-2');
    expect((await guest().call('POST', '/admin/sso/create')).status).toBe(410);
  });

  test('roles follow the claim; roles without a claim stay', async () => {
    const roles = async (groups: unknown) => {
      expect((await signInWith({ sub: 'r', preferred_username: 'rosa', groups })).problem).toBe('');
      return (await personOf('rosa'))!.roles;
    };
    expect(await roles(['writers', 'unknown'])).toEqual(['editor', 'agent']);
    await admin.call('PATCH', `/api/people/${(await personOf('rosa'))!.id}`, {
      roles: ['editor', 'operator'],
    });
    expect(await roles('heads')).toEqual(['operator', 'administrator']);
    expect(await roles(undefined)).toEqual(['operator']);
    const { body } = await admin.call<AuditPage>('POST', '/api/audit/search', { username: 'rosa' });
    expect(body.entries.map(({ event, by }) => `${event} by ${by?.name}`).reverse()).toEqual([
      'sign_up by rosa',
      'permission_changed by rosa',
      'permission_changed by root',
      ...Array(2).fill(['sign_in by rosa', 'permission_changed by rosa']).flat(),
    ]);
  });

  test('the last administrator who can sign in keeps the role even if the claim removes it', async () => {
    await guest().signUp('rita', password);
    const rita = (await personOf('rita'))!.id;
    await admin.call('PATCH', `/api/people/${rita}`, { roles: ['administrator'], isDisabled: true });
    const { visitor } = await signInWith({ sub: 'l', preferred_username: 'root' });
    const body = { username: 'root', password };
    expect((await visitor.call<AdminReply<SsoSession>>('POST', '/admin/sso/link', body)).body.code).toBe(1);
    expect((await personOf('root'))!.roles).toContain('administrator');
  });

  test('groups with a claim are joined and left at a sign-in, others stay', async () => {
    const add = async (name: string, claim: string) =>
      (await admin.call<Group>('POST', '/api/people/groups', { name, claim })).body.id;
    const [board, club] = [await add('Board', 'the-board'), await add('Club', '')];
    const groups = async (given: unknown) => {
      expect((await signInWith({ sub: 'g', preferred_username: 'greta', groups: given })).problem).toBe('');
      return (await personOf('greta'))!.groups;
    };
    expect(await groups(['the-board', 'unknown'])).toEqual([board]);
    await admin.call('PATCH', `/api/people/${(await personOf('greta'))!.id}`, { groups: [board, club] });
    expect(await groups('the-board')).toEqual([club, board]);
    expect(await groups(undefined)).toEqual([club]);
    expect((await admin.call('DELETE', `/api/people/groups/${club}`)).status).toBe(204);
    expect((await personOf('greta'))!.groups).toEqual([]);
  });

  test('deleting an account also deletes its link to the identity at the provider', async () => {
    await guest().signUp('nora', password);
    const { visitor } = await signInWith({ sub: 'n', preferred_username: 'nora' });
    await visitor.call('POST', '/admin/sso/link', { username: 'nora', password });
    const nora = guest();
    await nora.signIn('nora', password);
    expect((await nora.call('DELETE', '/admin/account', { password })).status).toBe(200);
    const again = await signInWith({ sub: 'n', preferred_username: 'nora' });
    expect([again.problem, await usernameOf(again.visitor)]).toEqual(['', 'nora']);
  });
});

describe('back-channel log-out', () => {
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const send = async (claims: JWTPayload, options = {}) => {
    const token = await forger.sign({ jti: 'one', events: event, ...claims }, options);
    const body = new URLSearchParams({ logout_token: token });
    return (await guest().fetch('POST', '/admin/sso/forger/logout', { body })).status;
  };

  test('ends the named session, or all of the person', async () => {
    const [one, two] = [await signInWith({ sub: 's', sid: '1' }), await signInWith({ sub: 's', sid: '2' })];
    const isOver = () =>
      Promise.all([one, two].map(async ({ visitor }) => (await visitor.call('POST', '/admin/auth')).status));
    expect(await isOver()).toEqual([200, 200]);
    expect(await send({ sid: '1' })).toBe(200);
    expect(await isOver()).toEqual([401, 200]);
    expect(await send({ sub: 's' })).toBe(200);
    expect(await isOver()).toEqual([401, 401]);
  });

  test('leaves the sessions of the same account that began with a password', async () => {
    const local = guest();
    await local.signUp('oona', password);
    const { visitor } = await signInWith({ sub: 'o', preferred_username: 'oona' });
    await visitor.call('POST', '/admin/sso/link', { username: 'oona', password });
    expect(await send({ sub: 'o' })).toBe(200);
    expect((await local.call('POST', '/admin/auth')).status).toBe(200);
  });

  test.each<[string, JWTPayload, object?]>([
    ['another issuer', { iss: 'https://other.example' }],
    ['another audience', { aud: 'other' }],
    ['a nonce, as an ID token has', { nonce: 'x' }],
    ['no event', { events: {} }],
    ['neither subject nor session', { sub: undefined as never }],
    ['no id', { jti: undefined as never }],
    ['an old time', { iat: Math.floor(Date.now() / 1000) - 3600 }],
    ['a forged signature', {}, { isForged: true }],
  ])('is refused with %s', async (_, claims, options) => {
    expect(await send({ sub: 'v', ...claims }, options)).toBe(400);
  });
});

describe('front-channel log-out', () => {
  const frame = (query: Record<string, string>, provider = 'forger') =>
    guest().fetch('GET', `/admin/sso/${provider}/frontchannel-logout?${new URLSearchParams(query)}`, {
      headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'iframe' },
    });
  const statusOf = async (visitor: Visitor) => (await visitor.call('POST', '/admin/auth')).status;

  test('ends the session of this id and its streams, without a cookie, and no other', async () => {
    const [one, two] = await Promise.all([begun(guest()), begun(guest())]);
    const stream = await one.visitor.fetch('GET', '/api/handovers/events', {
      headers: { Accept: 'text/event-stream' },
    });
    const response = await frame({ iss: acme.issuer, sid: one.sid }, 'acme');
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    await stream.text();
    expect([await statusOf(one.visitor), await statusOf(two.visitor)]).toEqual([401, 200]);
    const { entries } = (await admin.call<AuditPage>('POST', '/api/audit/search', { area: 'sign_in' })).body;
    expect(entries[0]).toMatchObject({ event: 'sessions_ended', subject: { kind: 'user', name: 'flora' } });
  });

  /** A sign-in at the real provider, and the id of the session there. */
  async function begun(visitor: Visitor): Promise<{ visitor: Visitor; sid: string }> {
    const there = createVisitor(acme.issuer);
    expect(await arrive(visitor, await signInThere(there, await begin(visitor, 'acme'), 'flora'))).toBe('');
    const id = (await visitor.call<SessionList>('GET', '/admin/sessions')).body.sessions.find(
      ({ current }) => current,
    )!.id;
    const found = await desk.connection
      .collection('sessions')
      .findOne({ _id: new Types.ObjectId(id) }, { projection: { providerSid: 1 } });
    return { visitor, sid: String(found?.providerSid) };
  }

  test('may be framed by pages of the provider only', async () => {
    const { headers } = await frame({ iss: forger.issuer, sid: 'unknown' });
    expect(headers.get('Content-Security-Policy')).toContain(`frame-ancestors ${forger.issuer}`);
    expect(headers.get('X-Frame-Options')).toBeNull();
  });

  test.each<[string, () => Record<string, string>, string?]>([
    ['another issuer', () => ({ iss: rival.issuer, sid: 'front' })],
    ['no issuer', () => ({ sid: 'front' })],
    ['no id', () => ({ iss: forger.issuer })],
    ['an empty id', () => ({ iss: forger.issuer, sid: '' })],
    ['the id of a session at another provider', () => ({ iss: rival.issuer, sid: 'front' }), 'rival'],
  ])('ends nothing with %s', async (_, query, provider) => {
    const { visitor } = await signInWith({ sub: 'f', sid: 'front' });
    expect((await frame(query(), provider)).status).toBe(provider ? 200 : 400);
    expect(await statusOf(visitor)).toBe(200);
  });
});
