import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type {
  EnvironmentInfo,
  MoveInfo,
  OverrideLink,
  PointerInfo,
  PreviewInfo,
} from '../../contract/compositions.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { PageComposition } from '../../contract/pages.ts';
import type { Health } from '../../contract/reports.ts';
import type { CreatedToken } from '../../contract/tokens.ts';
import { createGridFsFileStore } from '../../files/storage/gridfs-file-store.ts';
import { failed, newPage } from '../../testing/canary-server.ts';
import { createScriptedAnswerer } from '../../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../../testing/test-database.ts';
import { until } from '../../testing/until.ts';
import { createVisitor } from '../../testing/visitor.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import { createCompositionStore } from '../data/composition-store.ts';
import { publishRelease } from '../publish/publish-release.ts';
import { readBuild } from '../publish/read-build.ts';
import { namedReleases } from '../publish/sweep-releases.ts';

const opsToken = 'the-token-of-operations';
const note = { author: 'li', reason: 'test' };

const folder = await temporaryFolder('environment-routes');
const database = await openTestDatabase(join(folder, 'store'));
const config = { mongodbUri: database.uri, opsToken };
const answerer = createScriptedAnswerer();
/** Two API processes on one database, each of an environment of its own. */
const production = await startTestApi({ answerer, config });
const staging = await startTestApi({ answerer, config: { ...config, environment: 'staging' } });
const store = createCompositionStore(production.connection);
const deps = { store, files: createGridFsFileStore(production.connection), now: () => new Date() };
for (const name of ['host', 'mfe-auth', 'mfe-chat'])
  for (const version of ['1.0.0', '2.0.0'])
    await publishRelease(await readBuild(await writeTestBuild(folder, { name, version })), deps);
afterAll(async () => {
  await production?.end();
  await staging?.end();
  await database?.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  const { db } = production.connection;
  for (const { name } of (await db?.listCollections().toArray()) ?? [])
    if (/^(pointers|moves|health_counts|previews)/.test(name)) await db?.collection(name).deleteMany({});
  for (const api of [production, staging])
    await setLive(api, 'host@1.0.0', 'mfe-auth@1.0.0', 'mfe-chat@1.0.0');
});

async function call<T>({ url }: TestApi, method: string, path: string, body?: object): Promise<T> {
  const visitor = createVisitor(url);
  visitor.token = opsToken;
  return (await visitor.call<T>(method, path, body)).body;
}

const setLive = (api: TestApi, ...releases: string[]) =>
  call<PointerInfo>(api, 'POST', '/ops/pointer', { ...note, releases });
const pointerOf = (api: TestApi) => call<PointerInfo>(api, 'GET', '/ops/pointer');
const chatIn = async (api: TestApi) =>
  (await pointerOf(api)).composition.remotes.find(({ name }) => name === 'mfe-chat')?.version;
const pageOf = async ({ url }: TestApi, headers: Record<string, string> = {}) => {
  const html = await (await fetch(`${url}/chatbot/index`, { headers })).text();
  return JSON.parse(/id="composition">(.*?)<\/script>/.exec(html)![1]!) as PageComposition;
};

test('a change in one environment leaves the others as they are', async () => {
  await setLive(staging, 'mfe-chat@2.0.0');

  expect([await chatIn(production), await chatIn(staging)]).toEqual(['1.0.0', '2.0.0']);
  expect((await pageOf(production)).remotes['mfe-chat']?.version).toBe('1.0.0');
  expect((await pageOf(staging)).remotes['mfe-chat']?.version).toBe('2.0.0');
  const history = async (api: TestApi) =>
    (await call<{ moves: MoveInfo[] }>(api, 'GET', '/ops/history')).moves.map(({ revision }) => revision);
  expect([await history(production), await history(staging)]).toEqual([[1], [2, 1]]);
});

test('lists the environments of the database, the own one marked', async () => {
  const moved = await setLive(staging, 'mfe-chat@2.0.0');

  const list = async (api: TestApi) =>
    (await call<{ environments: EnvironmentInfo[] }>(api, 'GET', '/ops/environments')).environments;
  expect(await list(production)).toEqual([
    expect.objectContaining({ name: 'production', isOwn: true, revision: 1 }),
    {
      name: 'staging',
      isOwn: false,
      revision: 2,
      composition: moved.composition,
      movedAt: moved.movedAt,
    },
  ]);
  expect((await list(staging)).map(({ name, isOwn }) => [name, isOwn])).toEqual([
    ['production', false],
    ['staging', true],
  ]);
  const { environment } = await pointerOf(staging);
  expect(environment).toBe('staging');
});

test('a page names its environment unless it is production', async () => {
  expect((await pageOf(staging)).environment).toBe('staging');
  expect(await pageOf(production)).not.toHaveProperty('environment');
  const favicon = async ({ url }: TestApi) => (await fetch(`${url}/chatbot/favicon.svg`)).text();
  expect(await favicon(staging)).not.toBe(await favicon(production));
});

test('a canary of one environment does not run in other environments', async () => {
  await call(staging, 'POST', '/ops/canary', { ...note, releases: ['mfe-chat@2.0.0'], share: 100 });

  expect((await pointerOf(staging)).canary?.share).toBe(100);
  expect((await pointerOf(production)).canary).toBeNull();
  expect((await pageOf(staging)).remotes['mfe-chat']?.version).toBe('2.0.0');
  expect((await pageOf(production)).remotes['mfe-chat']?.version).toBe('1.0.0');
});

test('pages are counted in their own environment', async () => {
  // The same composition is live in both, so that only the environment distinguishes the reports.
  const { composition } = await pointerOf(production);
  const { id } = (await pointerOf(staging)).composition;
  expect(id).toBe(composition.id);
  await call(staging, 'POST', '/ops/reports', {
    page: newPage(),
    composition: id,
    events: [failed('1.0.0')],
  });

  const failuresIn = async (api: TestApi) => {
    const { rows } = await call<Health>(api, 'GET', '/ops/health');
    return rows.find(({ remote }) => remote === 'mfe-chat')?.failures ?? 0;
  };
  await until(async () => (await failuresIn(staging)) > 0);
  expect(await failuresIn(staging)).toBe(1);
  expect(await failuresIn(production)).toBe(0);
});

test('an override of one environment does not apply in another on the same host name', async () => {
  const { id } = (await setLive(staging, 'mfe-chat@2.0.0')).composition;
  await setLive(staging, 'mfe-chat@1.0.0');
  const { url } = await call<OverrideLink>(staging, 'POST', '/ops/override', {
    author: 'li',
    composition: id,
  });
  const { cookie } = await opened(url, staging);

  expect((await pageOf(staging, { cookie })).override).toBeDefined();
  expect((await pageOf(production, { cookie })).override).toBeUndefined();
  expect((await pageOf(staging, { cookie })).override).toBeDefined();
  const asProduction = new URL(new URL(url).pathname, production.url);
  expect((await fetch(asProduction, { redirect: 'manual' })).status).toBe(410);
});

/** What is live in staging, as a promotion names it. */
async function liveInStaging() {
  const { composition, revision, environment } = await pointerOf(staging);
  return { environment, composition: composition.id, revision };
}

test('a promotion makes the live releases of another environment live, and the history names it as a promotion', async () => {
  await setLive(staging, 'mfe-chat@2.0.0');
  const promotedFrom = await liveInStaging();
  const request = { ...note, releases: ['mfe-chat@2.0.0'], promotedFrom };
  const after = await call<PointerInfo>(production, 'POST', '/ops/pointer', request);

  expect(after).toMatchObject({ environment: 'production', revision: 2 });
  expect(await chatIn(production)).toBe('2.0.0');
  const { moves } = await call<{ moves: MoveInfo[] }>(production, 'GET', '/ops/history');
  expect(moves[0]).toMatchObject({
    kind: 'promote',
    promotedFrom,
    changes: [{ name: 'mfe-chat', from: '1.0.0', to: '2.0.0' }],
  });
});

test('a promotion is refused if other releases are live in its source', async () => {
  await setLive(staging, 'mfe-chat@2.0.0');
  const promotedFrom = await liveInStaging();
  const refused = (request: object) =>
    call<ErrorBody>(production, 'POST', '/ops/pointer', { ...note, ...request });

  expect(await refused({ releases: ['mfe-auth@2.0.0'], promotedFrom })).toMatchObject({
    error: 'invalid_request',
    field: 'releases',
  });
  for (const environment of ['production', 'nowhere'])
    expect(
      await refused({ releases: ['mfe-chat@2.0.0'], promotedFrom: { ...promotedFrom, environment } }),
    ).toMatchObject({ error: 'invalid_request', field: 'promotedFrom' });
  await setLive(staging, 'mfe-auth@2.0.0');
  expect(await refused({ releases: ['mfe-chat@2.0.0'], promotedFrom })).toMatchObject({
    error: 'conflict',
    field: 'promotedFrom',
  });
  expect(await chatIn(production)).toBe('1.0.0');
});

/** What a browser sees after its visitor has opened `url` and agreed to it. */
async function opened(url: string, api = production) {
  const asked = await fetch(url, { redirect: 'manual' });
  expect(asked.headers.getSetCookie()).toEqual([]);
  const [, action] = /<form method="post" action="([^"]*)"/.exec(await asked.text()) ?? [];
  const response = action ? await fetch(new URL(action, url), { method: 'POST', redirect: 'manual' }) : asked;
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
  return { status: response.status, cookie, page: await pageOf(api, { cookie }) };
}

const chatOn = ({ remotes }: PageComposition) => remotes['mfe-chat']?.version;
const preview = (request: object, api = production) =>
  call<PreviewInfo & ErrorBody>(api, 'POST', '/ops/previews', { author: 'ci', ...request });

test('a preview is shown for a day to everyone who opened its link, and to nobody else', async () => {
  const made = await preview({ releases: ['mfe-chat@2.0.0'] });
  expect(made.name).toBeNull();
  const lasts = new Date(made.expiresAt).getTime() - Date.now();
  expect(Math.round(lasts / 3_600_000)).toBe(24);

  const { status, page } = await opened(made.url);
  expect(status).toBe(303);
  expect(chatOn(page)).toBe('2.0.0');
  expect(page.override).toEqual({ kind: 'composition', expiresAt: expect.stringMatching(/^20/) });
  expect(chatOn(await pageOf(production))).toBe('1.0.0');
  expect(await chatIn(production)).toBe('1.0.0');
});

test('the link of a named preview stays the same and shows the newest composition', async () => {
  const first = await preview({ releases: ['mfe-chat@2.0.0'], name: 'feature/login' });
  const { cookie, page } = await opened(first.url);
  expect(page.override).toMatchObject({ kind: 'composition', name: 'feature/login' });

  const second = await preview({ releases: ['mfe-auth@2.0.0'], name: 'feature/login' });
  expect(second.url).toBe(first.url);
  expect(first.url).toMatch(/\/chatbot\/preview\/feature-login-[0-9a-f]{10}\.[\w-]{43}$/);
  // What it shows now runs only after the visitor has agreed to that, too.
  const asked = await fetch(`${production.url}/chatbot/index`, { headers: { cookie }, redirect: 'manual' });
  expect([asked.status, asked.headers.get('location')]).toEqual([302, new URL(first.url).pathname]);
  const { page: next } = await opened(first.url);
  expect([chatOn(next), next.remotes['mfe-auth']?.version]).toEqual(['1.0.0', '2.0.0']);

  const alike = await preview({ releases: ['mfe-auth@2.0.0'], name: 'feature-login' });
  expect(alike.url).not.toBe(first.url);
  expect((await preview({ releases: ['mfe-auth@2.0.0'], name: '分支' })).url).toMatch(
    /preview\/[0-9a-f]{10}\./,
  );
});

test('the page of a preview describes its content and its author, and runs no script', async () => {
  const made = await preview({ releases: ['mfe-chat@2.0.0'], name: '<b>"branch"</b>', author: '<i>li</i>' });
  const response = await fetch(made.url, { redirect: 'manual' });
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/);
  for (const words of [
    '以您的账号',
    'runs with your account',
    '&lt;b>&quot;branch&quot;&lt;/b>',
    '&lt;i>li&lt;/i> (',
    'mfe-chat 1.0.0 → 2.0.0',
    made.composition.id.slice(0, 12),
  ])
    expect(html).toContain(words);
  expect(html).not.toMatch(/<script|<b>|<i>/);
});

test('a visitor who agrees to a preview that has changed meanwhile sees its new description first', async () => {
  const first = await preview({ releases: ['mfe-chat@2.0.0'], name: 'changing' });
  await preview({ releases: ['mfe-auth@2.0.0'], name: 'changing' });
  const response = await fetch(`${first.url}?composition=${first.composition.id}`, {
    method: 'POST',
    redirect: 'manual',
  });
  expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
  expect(await response.text()).toContain('mfe-auth 1.0.0 → 2.0.0');
  for (const query of ['', '?composition=', `?composition=${first.composition.id}&composition=x`])
    expect(
      (await fetch(first.url + query, { method: 'POST', redirect: 'manual' })).headers.getSetCookie(),
    ).toEqual([]);
});

test.each<Record<string, string>>([
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
])('another site cannot agree for the visitor: %j', async (headers) => {
  const { url, composition } = await preview({ releases: ['mfe-chat@2.0.0'] });
  const response = await fetch(`${url}?composition=${composition.id}`, {
    method: 'POST',
    redirect: 'manual',
    headers,
  });
  expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
});

test('a preview ends when it expires, also in a browser that has opened it', async () => {
  const { url } = await preview({ releases: ['mfe-chat@2.0.0'], name: 'short' });
  const { cookie } = await opened(url);
  const { previews } = createCompositionStore(production.connection);
  await previews.updateOne({ name: 'short' }, { $set: { expiresAt: new Date(Date.now() - 1000) } });

  expect((await opened(url)).status).toBe(410);
  const page = await pageOf(production, { cookie });
  expect([chatOn(page), page.override]).toEqual(['1.0.0', undefined]);
});

test.each([
  ['another signature', (url: string) => `${url.slice(0, -43)}${'A'.repeat(43)}`],
  ['another name', (url: string) => url.replace('signed-', 'forged-')],
  ['no signature', (url: string) => url.slice(0, -44)],
  ['a path in it', (url: string) => `${url}%2f..`],
])('a link with %s is not accepted', async (_, forge) => {
  const { url } = await preview({ releases: ['mfe-chat@2.0.0'], name: 'signed' });

  expect((await opened(forge(url))).status).toBe(410);
});

test('a preview of one environment is invalid in another', async () => {
  const { url } = await preview({ releases: ['mfe-chat@2.0.0'], name: 'branch' }, staging);

  const { status, cookie } = await opened(url, staging);
  expect(status).toBe(303);
  expect(chatOn(await pageOf(production, { cookie }))).toBe('1.0.0');
  expect((await opened(url.replace(staging.url, production.url))).status).toBe(410);
});

test.each([
  [{ releases: ['mfe-chat@9.9.9'] }, 'not_found'],
  [{ composition: 'abcdef' }, 'not_found'],
  [{ releases: ['mfe-chat@2.0.0'], hours: 25 }, 'invalid_request'],
  [{ releases: ['mfe-chat@2.0.0'], name: ' ' }, 'invalid_request'],
  [{ name: 'nothing' }, 'invalid_request'],
])('the preview %j is refused', async (request, error) => {
  expect((await preview(request)).error).toBe(error);
});

test('a token with the scope preview can create previews and change nothing else', async () => {
  const created = await call<CreatedToken>(production, 'POST', '/ops/tokens', {
    name: 'ci',
    scopes: ['preview'],
  });
  const asCi = async (path: string) => {
    const visitor = createVisitor(production.url);
    visitor.token = created.token;
    return (await visitor.call('POST', path, { author: 'ci', releases: ['mfe-chat@2.0.0'], ...more(path) }))
      .status;
  };
  const more = (path: string) => (path === '/ops/pointer' ? { reason: '' } : {});

  expect([await asCi('/ops/previews'), await asCi('/ops/pointer')]).toEqual([201, 403]);
});

test('a sweep keeps the releases of a preview', async () => {
  await preview({ releases: ['mfe-chat@2.0.0'] });
  const store = createCompositionStore(production.connection, 'staging');
  const future = new Date(Date.now() + 86_400_000);

  expect(await namedReleases(store, future)).toContain('mfe-chat@2.0.0');
});
