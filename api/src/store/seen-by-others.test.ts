import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { ChatAnswer } from '../contract/chat.ts';
import type { DeskInfo, SettingsReply } from '../contract/settings.ts';
import type { SynonymList } from '../contract/synonyms.ts';
import { collectionCalls } from '../testing/collection-calls.ts';
import { givenDocument, givenPair } from '../testing/knowledge-calls.ts';
import { smallPng } from '../testing/small-png.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

// Two processes on one store. What is changed by the first must be seen by the second, which has read it before.
const folder = await temporaryFolder('seen-by-others');
const database = await openTestDatabase(join(folder, 'store'));
const start = (name: string) =>
  startTestApi({
    dataDir: join(folder, name),
    config: { mongodbUri: database.uri, dataDir: join(folder, name), handbook: false },
  });
const first = await start('first');
const second = await start('second');
const calls = await collectionCalls(first);
const { admin } = calls;
afterAll(async () => {
  await first?.end();
  await second?.end();
  await database?.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

/** The same session at the second process. */
function elsewhere({ token }: Visitor): Visitor {
  return Object.assign(createVisitor(second.url), { token });
}

async function answered(text: string, visitor = createVisitor(second.url)): Promise<string> {
  const { status, body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text });
  expect(status).toBe(200);
  return body.response;
}

const deskElsewhere = async () => (await createVisitor(second.url).call<DeskInfo>('GET', '/api/desk')).body;

test('another process sees a document that is uploaded, changed or removed', async () => {
  const question = 'When does the canteen close?';
  expect(await answered(question)).not.toContain('half past three');
  const { id } = await givenDocument(admin, 'canteen.txt', 'The canteen closes at half past three.');
  expect(await answered(question)).toContain('half past three');
  await admin.call('DELETE', `/api/knowledge/documents/${id}`);
  expect(await answered(question)).not.toContain('half past three');
});

test('another process finds a new passage by its meaning', async () => {
  await answered('Where may I leave my bicycle?');
  await givenDocument(admin, 'bikes.txt', 'Bikes are parked behind the library.');
  await until(async () => (await answered('Where may I leave my bicycle?')).includes('behind the library'));
});

test('another process sees a curated answer', async () => {
  const question = 'Who waters the plants?';
  expect(await answered(question)).not.toContain('The gardener.');
  const { id } = await givenPair(admin, { question, answer: 'The gardener.' });
  expect(await answered(question)).toContain('The gardener.');
  await admin.call('DELETE', `/api/knowledge/pairs/${id}`);
  expect(await answered(question)).not.toContain('The gardener.');
});

test('another process uses changed synonyms', async () => {
  await givenDocument(admin, 'machines.txt', 'The ticket printer is serviced on Mondays.');
  const question = 'When is the flumper serviced?';
  expect(await answered(question)).toContain('no direct answer');
  const { revision } = (await admin.call<SynonymList>('GET', '/api/knowledge/synonyms')).body;
  const change = { revision, groups: [['flumper', 'ticket printer']] };
  expect((await admin.call('PUT', '/api/knowledge/synonyms', change)).status).toBe(200);
  await until(async () => !(await answered(question)).includes('no direct answer'));
});

test('another process sees who may read a collection', async () => {
  const id = await calls.collection('Wages', { access: 'everyone' });
  await givenDocument(admin, 'wages.txt', 'Wages are paid on the ninth.', undefined, id);
  expect(await answered('When are wages paid?')).toContain('ninth');
  await calls.changeCollection(id, 'Wages', { access: 'some' });
  expect(await answered('When are wages paid?')).not.toContain('ninth');
});

test('another process sees the roles of an account, and that it is disabled', async () => {
  const member = await calls.signedUp('Mia');
  const there = elsewhere(member);
  const editing = async () => (await there.call('GET', '/api/knowledge/synonyms')).status;
  expect(await editing()).toBe(403);
  await calls.changePerson('Mia', { roles: ['editor'] });
  expect(await editing()).toBe(200);
  await calls.changePerson('Mia', { isDisabled: true });
  expect(await editing()).toBe(401);
});

test('another process sees that a session has ended', async () => {
  const member = await calls.signedUp('Noah');
  const there = elsewhere(member);
  const sessions = async () => (await there.call('GET', '/admin/sessions')).status;
  expect(await sessions()).toBe(200);
  await member.call('POST', '/admin/logout');
  expect(await sessions()).toBe(401);
});

test('another process sees the settings and the logo', async () => {
  await deskElsewhere();
  const sent = await admin.fetch('PUT', '/api/settings/logo', {
    body: smallPng(8, 8) as Uint8Array<ArrayBuffer>,
    headers: { 'Content-Type': 'image/png' },
  });
  const { logo } = (await sent.json()) as { logo: string };
  const { revision, settings } = (await admin.call<SettingsReply>('GET', '/api/settings')).body;
  settings.texts.en.name = 'Acme';
  settings.logo = logo;
  expect((await admin.call('PUT', '/api/settings', { revision, settings })).status).toBe(200);
  const seen = await until(async () => {
    const desk = await deskElsewhere();
    return desk.texts.en.name === 'Acme' && desk;
  });
  const shown = await createVisitor(second.url).fetch('GET', seen.logoUrl!);
  expect([shown.status, shown.headers.get('Content-Type')]).toEqual([200, 'image/png']);
});
