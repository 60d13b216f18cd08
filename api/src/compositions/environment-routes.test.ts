import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { EnvironmentInfo, MoveInfo, OverrideLink, PointerInfo } from '../contract/compositions.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { PageComposition } from '../contract/pages.ts';
import type { Health } from '../contract/reports.ts';
import { createGridFsFileStore } from '../files/storage/gridfs-file-store.ts';
import { failed, newPage } from '../testing/canary-server.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { openTestDatabase, removeTestData, type TestDatabase } from '../testing/test-database.ts';
import { createVisitor } from '../testing/visitor.ts';
import { writeTestBuild } from '../testing/write-test-build.ts';
import { createCompositionStore } from './composition-store.ts';
import { publishRelease } from './publish-release.ts';
import { readBuild } from './read-build.ts';

// Starting an API takes about a second, on a busy machine several.
jest.setTimeout(60_000);

const opsToken = 'the-token-of-operations';
const note = { author: 'li', reason: 'test' };

let folder: string;
let database: TestDatabase;
/** Two API processes on one database, each of an environment of its own. */
let production: TestApi;
let staging: TestApi;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'environment-routes-'));
  database = await openTestDatabase(join(folder, 'store'));
  const config = { mongodbUri: database.uri, opsToken };
  const answerer = createScriptedAnswerer();
  production = await startTestApi({ answerer, config });
  staging = await startTestApi({ answerer, config: { ...config, environment: 'staging' } });
  const store = createCompositionStore(production.connection);
  const deps = { store, files: createGridFsFileStore(production.connection), now: () => new Date() };
  for (const name of ['host', 'mfe-auth', 'mfe-chat'])
    for (const version of ['1.0.0', '2.0.0'])
      await publishRelease(await readBuild(await writeTestBuild(folder, { name, version })), deps);
});
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
    if (/^(pointers|moves|health_counts)/.test(name)) await db?.collection(name).deleteMany({});
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
});

test('a canary of one environment is not one of the others', async () => {
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
  while ((await failuresIn(staging)) === 0) await wait(100);
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
  const opened = await fetch(url, { redirect: 'manual' });
  const cookie = opened.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');

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

test('a promotion makes what is live in another environment live, and is recorded as one', async () => {
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

test('a promotion is refused if its source serves something else', async () => {
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
