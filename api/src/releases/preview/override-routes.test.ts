import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { deriveKey } from '../../accounts/secrets.ts';
import type { NextPage, OverrideLink } from '../../contract/compositions.ts';
import type { PageComposition } from '../../contract/pages.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { removeTestData, testFiles } from '../../testing/test-database.ts';
import { createVisitor, type Visitor } from '../../testing/visitor.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import { createCompositionStore } from '../data/composition-store.ts';
import { compose, storeComposition } from '../live/compose.ts';
import { publishRelease } from '../publish/publish-release.ts';
import { readBuild } from '../publish/read-build.ts';
import { createOverrideTokens } from './create-overrides.ts';

const opsToken = 'the-token-of-operations';
const secret = 'a secret for this test';
const developer = 'http://127.0.0.1:3002';
const address = `${developer}/remoteEntry.js`;
const config = {
  opsToken,
  secret,
  releaseOrigins: [developer],
  releaseTokens: { 'mfe-chat': 'the-token-of-the-team' },
};
const tokens = createOverrideTokens(deriveKey(secret, 'override'));
const inAnHour = () => new Date(Date.now() + 3_600_000);

const folder = await temporaryFolder('override');
const build = (name: string, version = '1.0.0') => writeTestBuild(folder, { name, version, words: version });
const dataDir = join(folder, 'data');
const desk = await startTestApi({
  config,
  dataDir,
  builds: [await build('host'), await build('mfe-auth'), await build('mfe-chat')],
});
const store = createCompositionStore(desk.connection);
const live = (await store.compositions.findOne().lean<ReturnType<typeof compose>>())!;
const deps = { store, files: testFiles(desk), now: () => new Date() };
const release = await publishRelease(await readBuild(await build('mfe-chat', '1.1.0')), deps);
/** Stored, with another release of mfe-chat, and not live. */
const candidate = compose({
  releases: [release],
  parent: live,
  author: 'li',
  reason: 'next',
  createdAt: new Date(),
});
await storeComposition(candidate, store);
afterAll(async () => {
  await desk?.end();
  await removeTestData(join(folder, 'data'));
  await rm(folder, { recursive: true, force: true });
});

const asOps = { Authorization: `Bearer ${opsToken}` };
const order = (request: object, headers: Record<string, string> = asOps) =>
  createVisitor(desk.url).call<OverrideLink & { error?: string; field?: string; msg?: string }>(
    'POST',
    '/ops/override',
    { author: 'li', ...request },
    headers,
  );
/** Opens a link, which sets nothing, and agrees to what its page shows, if it shows anything. */
async function follow(visitor: Visitor, url: string): Promise<Response> {
  const asked = await visitor.fetch('GET', new URL(url).pathname, { redirect: 'manual' });
  expect(asked.headers.getSetCookie()).toEqual([]);
  const [, action] = /<form method="post" action="([^"]*)"/.exec(await asked.clone().text()) ?? [];
  return action ? visitor.fetch('POST', action, { redirect: 'manual' }) : asked;
}

/** A visitor that has opened the link created by `request`. */
async function visitorOf(request: object): Promise<Visitor> {
  const visitor = createVisitor(desk.url);
  const { body } = await order(request);
  expect((await follow(visitor, body.url)).status).toBe(303);
  return visitor;
}

async function pageOf(visitor: Visitor, path = '/chatbot/index') {
  const response = await visitor.fetch('GET', path);
  const html = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    html,
    composition: JSON.parse(/id="composition">(.*?)<\/script>/.exec(html)![1]!) as PageComposition,
    proven: Object.keys(JSON.parse(/<script type="importmap">(.*?)<\/script>/.exec(html)![1]!).integrity),
    policy: Object.fromEntries(
      (response.headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources];
      }),
    ) as Record<string, string[]>,
  };
}

test("a link to a developer's remote affects one visitor and nobody else", async () => {
  const { status, body } = await order({ remote: 'mfe-chat', address, minutes: 5 });
  expect(status).toBe(201);
  expect(body.url).toMatch(new RegExp(`^${desk.url}/chatbot/override/[\\w.-]+$`));
  expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(4 * 60_000);

  const visitor = createVisitor(desk.url);
  const asked = await (await visitor.fetch('GET', new URL(body.url).pathname)).text();
  for (const words of ['runs with your account', address, 'li (ops)', 'mfe-chat 1.0.0 → dev'])
    expect(asked).toContain(words);
  const entered = await follow(visitor, body.url);
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/chatbot/']);
  expect(entered.headers.get('cache-control')).toBe('private, no-store');
  const cookie = entered.headers.getSetCookie().find((set) => set.startsWith('desk_override='))!;
  expect(cookie).toMatch(/; path=\//i);
  expect(cookie).toMatch(/; httponly/i);
  expect(cookie).toMatch(/; samesite=lax/i);
  expect(Date.parse(/expires=([^;]+)/i.exec(cookie)![1]!)).toBe(Date.parse(body.expiresAt));

  const page = await pageOf(visitor);
  expect(page.composition.remotes['mfe-chat']).toMatchObject({
    version: 'dev',
    entry: address,
    container: 'mfe_chat',
    exposes: { './screen': { css: [] } },
    previous: { version: '1.0.0', entry: expect.stringMatching(/^\/chatbot\/releases\/mfe-chat\/1\.0\.0\//) },
  });
  expect(page.composition.override).toEqual({
    kind: 'remote',
    remote: 'mfe-chat',
    address,
    expiresAt: body.expiresAt,
  });
  expect(page.headers.get('cache-control')).toBe('private, no-store');
  expect(page.headers.get('etag')).toBeNull();

  const other = await pageOf(createVisitor(desk.url));
  expect(other.composition).toMatchObject({ id: live._id, remotes: { 'mfe-chat': { version: '1.0.0' } } });
  expect(other.composition.override).toBeUndefined();
  expect(other.html).not.toContain(developer);
  expect(other.headers.get('content-security-policy')).not.toContain(developer);
  expect(other.headers.get('integrity-policy')).toBe('blocked-destinations=(script), endpoints=(desk)');
});

test('an override takes precedence over a canary', async () => {
  const begun = await createVisitor(desk.url).call(
    'POST',
    '/ops/canary',
    { composition: candidate._id, share: 100, author: 'li', reason: 'to all' },
    asOps,
  );
  expect(begun.status).toBe(200);
  try {
    const visitor = await visitorOf({ remote: 'mfe-chat', address });
    expect((await pageOf(createVisitor(desk.url))).composition.id).toBe(candidate._id);
    expect((await pageOf(visitor)).composition.remotes['mfe-chat']).toMatchObject({ entry: address });
  } finally {
    await createVisitor(desk.url).call('POST', '/ops/canary/abort', { author: 'li', reason: 'over' }, asOps);
  }
});

test('the policy allows the origin of the override and its web socket; all other scripts are still verified', async () => {
  const page = await pageOf(await visitorOf({ remote: 'mfe-chat', address }));

  for (const name of ['script-src', 'style-src', 'img-src', 'font-src', 'connect-src'])
    expect(page.policy[name]?.filter((source) => /:\/\//.test(source))).toEqual(
      name === 'connect-src' ? [developer, 'ws://127.0.0.1:3002'] : [developer],
    );
  expect(page.policy['default-src']).toEqual(["'none'"]);
  expect(page.policy['trusted-types']).toEqual(['pdf-worker']);
  expect(page.headers.get('content-security-policy')).not.toMatch(/unsafe|\*/);
  expect(page.headers.get('integrity-policy')).toBeNull();
  const ordinary = await pageOf(createVisitor(desk.url));
  expect(page.proven.sort()).toEqual(ordinary.proven.sort());
});

test('a preview of a stored composition keeps the full policy', async () => {
  const visitor = await visitorOf({ composition: candidate._id.slice(0, 12) });
  const page = await pageOf(visitor);

  expect(page.composition).toMatchObject({
    id: candidate._id,
    remotes: { 'mfe-chat': { version: '1.1.0', previous: { version: '1.0.0' } } },
    override: { kind: 'composition' },
  });
  expect(page.headers.get('integrity-policy')).toBe('blocked-destinations=(script), endpoints=(desk)');
  expect(page.headers.get('content-security-policy')).not.toContain('://');
  expect(page.headers.get('cache-control')).toBe('private, no-store');
  const next = await visitor.call<NextPage>('GET', '/ops/live');
  expect(next.body.composition).toBe(candidate._id);
});

test('leaving the override takes a click; opening an address does not leave it', async () => {
  const visitor = await visitorOf({ composition: candidate._id });
  const asked = await visitor.fetch('GET', '/chatbot/override/leave', { redirect: 'manual' });
  expect([asked.status, asked.headers.getSetCookie()]).toEqual([200, []]);
  expect(await asked.text()).toContain('action="/chatbot/override/leave"');
  expect((await pageOf(visitor)).composition.id).toBe(candidate._id);
  const left = await visitor.fetch('POST', '/chatbot/override/leave', { redirect: 'manual' });

  expect([left.status, left.headers.get('location')]).toEqual([303, '/chatbot/']);
  expect(visitor.cookies.has('desk_override')).toBe(false);
  expect((await pageOf(visitor)).composition.id).toBe(live._id);
});

test('an expired, forged or meaningless link is reported as such, in both languages', async () => {
  const aim = { kind: 'remote', remote: 'mfe-chat', address } as const;
  const whole = tokens.write({ aim, expiresAt: inAnHour() });
  const others = createOverrideTokens(deriveKey(secret, 'ops session'));
  for (const token of [
    tokens.write({ aim, expiresAt: new Date(Date.now() - 1000) }),
    `${whole.slice(0, -1)}${whole.endsWith('A') ? 'B' : 'A'}`,
    whole.replace(/\.[^.]+\./, '.zzzzzz.'),
    others.write({ aim, expiresAt: inAnHour() }),
    tokens.write({ aim: { ...aim, remote: 'mfe-gone' }, expiresAt: inAnHour() }),
    tokens.write({ aim: { ...aim, address: 'https://evil.example/e.js' }, expiresAt: inAnHour() }),
    tokens.write({ aim: { kind: 'composition', composition: 'f'.repeat(64) }, expiresAt: inAnHour() }),
    'nonsense',
  ]) {
    const visitor = createVisitor(desk.url);
    const response = await follow(visitor, `${desk.url}/chatbot/override/${token}`);
    expect(response.status).toBe(410);
    expect(visitor.cookies.has('desk_override')).toBe(false);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    const html = await response.text();
    expect(html).toMatch(/预览链接已失效/);
    expect(html).toMatch(/This preview link no longer works/);
  }
});

test('a cookie that has expired, or whose origin is no longer allowed, is ignored and deleted', async () => {
  const gone = [
    tokens.write({
      aim: { kind: 'remote', remote: 'mfe-chat', address },
      expiresAt: new Date(Date.now() - 1000),
    }),
    tokens.write({
      aim: { kind: 'remote', remote: 'mfe-chat', address: 'https://formerly.example/remoteEntry.js' },
      expiresAt: inAnHour(),
    }),
    'nonsense',
  ];
  for (const token of gone) {
    const visitor = createVisitor(desk.url);
    visitor.cookies.set('desk_override', token);
    const page = await pageOf(visitor);
    expect(page.composition.override).toBeUndefined();
    expect(page.html).not.toContain('formerly.example');
    expect(page.headers.get('integrity-policy')).toBe('blocked-destinations=(script), endpoints=(desk)');
    expect(visitor.cookies.has('desk_override')).toBe(false);
  }
});

test('an override of a removed composition falls back to the live one', async () => {
  const visitor = createVisitor(desk.url);
  const aim = { kind: 'composition', composition: 'e'.repeat(64) } as const;
  visitor.cookies.set('desk_override', tokens.write({ aim, expiresAt: inAnHour() }));
  expect((await pageOf(visitor)).composition.id).toBe(live._id);
});

test.each([
  [{ remote: 'mfe-chat', address: 'https://evil.example/remoteEntry.js' }, 'address'],
  [{ remote: 'mfe-chat', address: `${developer}.evil.example/remoteEntry.js` }, 'address'],
  [{ remote: 'mfe-chat', address: 'http://127.0.0.1:30021/remoteEntry.js' }, 'address'],
  [{ remote: 'mfe-chat', address: 'http://name:word@127.0.0.1:3002/remoteEntry.js' }, 'address'],
  [{ remote: 'mfe-chat', address: 'javascript:alert(1)' }, 'address'],
  [{ remote: 'mfe-chat', address: '/remoteEntry.js' }, 'address'],
  [{ remote: 'mfe-chat' }, 'address'],
  [{ remote: 'host', address }, 'remote'],
  [{ remote: 'mfe-gone', address }, 'remote'],
  [{ address }, 'remote'],
  [{}, 'remote'],
  [{ composition: 'abcdef', remote: 'mfe-chat', address }, 'remote'],
  [{ composition: '../../..' }, 'composition'],
  [{ remote: 'mfe-chat', address, minutes: 0 }, 'minutes'],
  [{ remote: 'mfe-chat', address, minutes: 481 }, 'minutes'],
  [{ remote: 'mfe-chat', address, author: '' }, 'author'],
])('%j is refused because of its %s', async (request, field) => {
  const { status, body } = await order(request);
  expect([status, body.error, body.field]).toEqual([400, 'invalid_request', field]);
});

test('an unknown composition is reported as not found', async () => {
  expect((await order({ composition: 'f'.repeat(64) })).body).toMatchObject({
    code: 404,
    error: 'not_found',
  });
});

test('only the ops token, or a 30-minute token derived from it, can create links', async () => {
  const request = { remote: 'mfe-chat', address };
  expect((await order(request, {})).body.error).toBe('ops_token_wrong');
  expect((await order(request, { Authorization: 'Bearer wrong' })).body.error).toBe('ops_token_wrong');
  expect((await order(request, { Authorization: 'Bearer the-token-of-the-team' })).status).toBe(403);
  const { body } = await createVisitor(desk.url).call<{ token: string }>('POST', '/ops/session', {}, asOps);
  expect((await order(request, { Authorization: `Bearer ${body.token}` })).status).toBe(201);
});
