import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { ChatAnswer } from './contract/chat.ts';
import type { CollectionList } from './contract/collections.ts';
import type { PointerInfo } from './contract/compositions.ts';
import type { Group, PeoplePage } from './contract/people.ts';
import type { DeskInfo, SettingsReply } from './contract/settings.ts';
import { createGridFsFileStore } from './files/storage/gridfs-file-store.ts';
import { createCompositionStore } from './releases/data/composition-store.ts';
import { publishRelease } from './releases/publish/publish-release.ts';
import { readBuild } from './releases/publish/read-build.ts';
import { givenDocument, givenPair } from './testing/knowledge-calls.ts';
import { startTestApi, type TestApi } from './testing/start-test-api.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from './testing/test-database.ts';
import { until } from './testing/until.ts';
import { createVisitor, signedUp, type Visitor } from './testing/visitor.ts';
import { writeTestBuild } from './testing/write-test-build.ts';

/** What one process keeps in memory follows the changes of another one. */

const opsToken = 'the-token-of-operations';
const asOps = { Authorization: `Bearer ${opsToken}` };

const folder = await temporaryFolder('desk-two');
const database = await openTestDatabase(join(folder, 'store'));
const builds = await Promise.all(
  ['host', 'mfe-auth', 'mfe-chat'].map((name) => writeTestBuild(folder, { name, version: '1.0.0' })),
);
const start = (name: string) => {
  const dataDir = join(folder, name);
  return startTestApi({ dataDir, builds, config: { mongodbUri: database.uri, dataDir, opsToken } });
};
const writing = await start('writing');
const reading = await start('reading');
const admin = await signedUp(writing.url, 'first', 'a long password');
afterAll(async () => {
  await reading?.end();
  await writing?.end();
  await database.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

const ops = <T = Record<string, unknown>>(api: TestApi, method: string, path: string, body?: object) =>
  createVisitor(api.url).call<T>(method, `/ops/${path}`, body, asOps);
const ask = async (api: TestApi, text: string) =>
  (await createVisitor(api.url).call<ChatAnswer>('POST', '/api/chat', { text })).body;

test('settings', async () => {
  const nameThere = async () =>
    (await createVisitor(reading.url).call<DeskInfo>('GET', '/api/desk')).body.texts.en.name;
  for (const name of ['Acme', 'Bolt']) {
    const { revision, settings } = (await admin.call<SettingsReply>('GET', '/api/settings')).body;
    settings.texts.en.name = name;
    expect((await admin.call('PUT', '/api/settings', { revision, settings })).status).toBe(200);
    await until(async () => (await nameThere()) === name);
  }
});

test('rights', async () => {
  const editor = await signedUp(reading.url, 'second', 'a long password');
  const mayEdit = async () =>
    (await editor.call('POST', '/api/knowledge/pairs', { question: '', answer: '' })).status !== 403;
  expect((await ops(writing, 'POST', 'editors/grant', { username: 'first' })).status).toBe(200);
  expect(await mayEdit()).toBe(false);
  for (const change of ['grant', 'revoke']) {
    expect((await ops(writing, 'POST', `editors/${change}`, { username: 'second' })).status).toBe(200);
    expect(await mayEdit()).toBe(change === 'grant');
  }
});

test('permissions: the next question follows groups and readers', async () => {
  const member = await signedUp(reading.url, 'third', 'a long password');
  const find = { q: 'third' };
  const { id } = (await admin.call<PeoplePage>('POST', '/api/people/search', find)).body.people[0]!;
  const group = (await admin.call<Group>('POST', '/api/people/groups', { name: 'Gardeners', claim: '' }))
    .body;
  const nobody = { groups: [], people: [] };
  const vault = {
    name: 'Vault',
    access: 'some',
    readers: { groups: [group.id], people: [] },
    editors: nobody,
  };
  const { collections } = (await admin.call<CollectionList>('POST', '/api/knowledge/collections', vault))
    .body;
  const collectionId = collections.find(({ name }) => name === 'Vault')!.id;
  const text = '# Quokkas\n\nQuokkas are fed at dawn behind the vault.';
  await givenDocument(admin, 'quokkas.md', text, 'Quokkas', collectionId);
  const mayRead = async (who: Visitor) =>
    (
      await who.call<ChatAnswer>('POST', '/api/chat', { text: 'When are quokkas fed?' })
    ).body.response.includes('dawn');
  // The document is searched there: its own people read it.
  const owner = createVisitor(reading.url);
  await owner.signIn('first', 'a long password');
  await until(() => mayRead(owner));
  const guest = createVisitor(reading.url);

  expect(await mayRead(member)).toBe(false);
  await admin.call('PATCH', `/api/people/${id}`, { groups: [group.id] });
  expect(await mayRead(member)).toBe(true);
  const change = (to: object) =>
    admin.call('PUT', `/api/knowledge/collections/${collectionId}`, { ...vault, ...to });
  await change({ readers: nobody });
  expect(await mayRead(member)).toBe(false);
  await change({ access: 'signed_in' });
  expect([await mayRead(member), await mayRead(guest)]).toEqual([true, false]);
  await change({ access: 'everyone' });
  expect(await mayRead(guest)).toBe(true);
  await change({});
  await admin.call('PATCH', `/api/people/${id}`, { groups: [] });
  expect([await mayRead(member), await mayRead(guest)]).toEqual([false, false]);
});

test('knowledge: pairs and documents, added and removed', async () => {
  const pair = await givenPair(admin, {
    question: 'Who waters the zinnias?',
    answer: 'Quentin does.',
  } as never);
  const document = await givenDocument(
    admin,
    'tools.md',
    '# Xylophones\n\nXylophones are kept in the cellar of the green house.',
  );
  const answers = async () => [
    (await ask(reading, 'Who waters the zinnias?')).response.includes('Quentin'),
    (await ask(reading, 'Where are xylophones kept?')).response.includes('green house'),
  ];
  await until(async () => (await answers()).every(Boolean));
  await admin.call('DELETE', `/api/knowledge/pairs/${pair.id}`);
  await admin.call('DELETE', `/api/knowledge/documents/${document.id}`);
  await until(async () => !(await answers()).some(Boolean));
});

test('the composition and canaries', async () => {
  const build = await writeTestBuild(folder, { name: 'mfe-chat', version: '1.1.0', words: 'other' });
  const store = createCompositionStore(writing.connection);
  await publishRelease(await readBuild(build), {
    store,
    files: createGridFsFileStore(writing.connection),
    now: () => new Date(),
  });
  const page = async () => (await createVisitor(reading.url).fetch('GET', '/chatbot/')).text();
  const set = { releases: ['mfe-chat@1.1.0'], author: 'li', reason: '' };
  const before = await page();

  const canary = await ops(writing, 'POST', 'canary', { ...set, share: 100 });
  expect(canary.body).toMatchObject({ revision: expect.any(Number) });
  const { body } = await ops<PointerInfo>(reading, 'GET', 'pointer');
  expect(body.canaries).toHaveLength(1);
  expect(await page()).not.toBe(before);
  await ops(writing, 'POST', 'canary/abort', { author: 'li', reason: '' });
  expect(await page()).toBe(before);

  expect((await ops(writing, 'POST', 'pointer', set)).status).toBe(200);
  expect(await page()).not.toBe(before);
});
