import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { ChatAnswer, PredictAnswer } from '../contract/chat.ts';
import type { Deletion } from '../contract/deletions.ts';
import type { ConversationPage, DeskRecord, RecordPage } from '../contract/records.ts';
import { exportJson, importArchive, withoutDate } from '../testing/archives.ts';
import { createScriptedAnswerer, echo } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { countStoredFiles } from '../testing/stored-files.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

const answerer = createScriptedAnswerer();
let visitor: Visitor;

const api = await startTestApi({ answerer });
afterAll(() => api.end());
beforeEach(() => {
  answerer.script = echo;
  answerer.asked = [];
  visitor = createVisitor(api.url);
});

const ask = (text: string, more: object = {}) => visitor.ask(text, more);

async function recordOf(id: string, who = visitor): Promise<DeskRecord> {
  return (await who.call<DeskRecord>('GET', `/api/records/${id}`)).body;
}

async function recordsOf({ conversationId }: ChatAnswer): Promise<DeskRecord[]> {
  const path = `/api/conversations/${conversationId}/records`;
  return (await visitor.call<RecordPage>('GET', path)).body.records;
}

async function erase(...ids: string[]): Promise<string> {
  return (await visitor.call<Deletion>('POST', '/api/delete_by_ids', { ids })).body.undoToken ?? '';
}

async function askAboutFile(): Promise<PredictAnswer> {
  const body = new FormData();
  body.append('text', 'When does it open?');
  body.append('file', new Blob(['# Opening hours\n\nThe desk opens at nine.\n']), 'notes.md');
  return (await (await visitor.fetch('POST', '/api/predict', { body })).json()) as PredictAnswer;
}

const statusOf = async (path: string, who = visitor) => (await who.fetch('GET', path)).status;

test('an edited question is a further record of its conversation, and the earlier version remains', async () => {
  const first = await ask('teh hours', { contact: 'a@example.com' });
  const second = await ask('the hours', { versionOf: first.recordId });
  const third = await ask('the opening hours', { versionOf: second.recordId });

  expect(second.conversationId).toBe(first.conversationId);
  const { createdAt } = await recordOf(first.recordId);
  const of = { recordId: first.recordId, createdAt };
  expect(await recordsOf(first)).toMatchObject([
    { id: third.recordId, question: 'the opening hours', versionOf: { ...of, number: 3 } },
    { id: second.recordId, contact: { id: 'a@example.com' }, versionOf: { ...of, number: 2 } },
    { id: first.recordId, answer: 'teh hours' },
  ]);
  expect(await recordOf(first.recordId)).not.toHaveProperty('versionOf');
});

test('a title follows the versions of its question, unless its owner has set it', async () => {
  const first = await ask('teh hours');
  const path = `/api/conversations/${first.conversationId}`;
  const title = async () =>
    (await visitor.call<ConversationPage>('GET', '/api/conversations')).body.conversations[0]?.title;
  await ask('the hours', { versionOf: first.recordId });
  expect(await title()).toBe('the hours');
  const { recordId } = await ask('a second question', { conversationId: first.conversationId });
  await ask('another second question', { versionOf: recordId });
  expect(await title()).toBe('the hours');
  await erase(recordId);
  expect(await title()).toBe('the hours');
  await visitor.call('PATCH', path, { title: 'my title' });
  await ask('the opening hours', { versionOf: first.recordId });
  expect(await title()).toBe('my title');
});

test('a question asked again is a version with a time of its own', async () => {
  const first = await ask('hours');
  const again = await ask('hours', { versionOf: first.recordId, clientId: 'again' });
  const repeated = await ask('hours', { versionOf: first.recordId, clientId: 'again' });

  expect(repeated.recordId).toBe(again.recordId);
  expect(again.recordId).not.toBe(first.recordId);
  const [before, after] = await Promise.all([recordOf(first.recordId), recordOf(again.recordId)]);
  expect(after.createdAt > before.createdAt).toBe(true);
  const other = await visitor.call('POST', '/api/chat', { text: 'hours', clientId: 'again' });
  expect(other.status).toBe(409);
});

test('a follow-up question continues from the newest version, at the place of the first', async () => {
  const one = await ask('one');
  const { conversationId } = one;
  const two = await ask('two', { conversationId });
  await ask('one, edited', { versionOf: one.recordId });
  await ask('three', { conversationId });
  expect(answerer.asked.at(-1)?.history.map(({ question }) => question)).toEqual(['one, edited', 'two']);

  await ask('two, edited', { versionOf: two.recordId });
  expect(answerer.asked.at(-1)?.history.map(({ question }) => question)).toEqual(['one, edited']);
});

test('only questions of the same owner and conversation have versions', async () => {
  const { recordId } = await ask('one');
  const { conversationId } = await ask('elsewhere');
  const stranger = createVisitor(api.url);
  await stranger.call('POST', '/api/chat', { text: 'mine' });

  const refused = [
    await stranger.call('POST', '/api/chat', { text: 'x', versionOf: recordId }),
    await visitor.call('POST', '/api/chat', { text: 'x', versionOf: recordId, conversationId }),
    await visitor.call('POST', '/api/chat', { text: 'x', versionOf: 'nonsense' }),
  ];

  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test('all versions have the files of the question, until the last one is purged', async () => {
  const before = await countStoredFiles(api);
  const first = await askAboutFile();
  const second = await ask('When does it close?', { versionOf: first.recordId });
  const url = first.files[0]?.url ?? '';
  expect((await recordOf(second.recordId)).files).toEqual(first.files);
  expect(answerer.asked.at(-1)?.files).toMatchObject([{ name: 'notes.md' }]);

  const undoFirst = await erase(first.recordId);
  expect(await statusOf(url)).toBe(200);
  await visitor.call('POST', '/api/purge', { undoToken: undoFirst });
  expect(await statusOf(url)).toBe(200);
  await ask('And on Monday?', { versionOf: second.recordId });
  expect(answerer.asked.at(-1)?.files).toHaveLength(1);

  const rest = (await recordsOf(second)).map(({ id }) => id);
  const undoRest = await erase(...rest);
  expect(await statusOf(url)).toBe(404);
  await visitor.call('POST', '/api/undo_delete', { undoToken: undoRest });
  expect(await statusOf(url)).toBe(200);
  await visitor.call('POST', '/api/purge', { undoToken: await erase(...rest) });
  const { blobs, uploads, documents, passages } = await countStoredFiles(api);
  expect({ blobs, uploads, documents, passages }).toEqual({
    blobs: before.blobs,
    uploads: before.uploads,
    documents: before.documents,
    passages: before.passages,
  });
});

test('versions that are deleted together are purged together with their files', async () => {
  const before = await countStoredFiles(api);
  const first = await askAboutFile();
  await ask('When does it close?', { versionOf: first.recordId });
  const path = `/api/conversations/${first.conversationId}`;
  const { body } = await visitor.call<Deletion>('DELETE', path);
  await visitor.call('POST', '/api/purge', { undoToken: body.undoToken });
  expect((await countStoredFiles(api)).uploads).toBe(before.uploads);
});

test('a deleted first version leaves the others in place, and returns with undo', async () => {
  const first = await ask('one');
  const second = await ask('one, edited', { versionOf: first.recordId });
  const all = await recordsOf(first);

  const undoToken = await erase(first.recordId);
  expect(await recordsOf(second)).toEqual(all.slice(0, 1));
  const third = await ask('one, edited again', { versionOf: second.recordId });
  expect((await recordOf(third.recordId)).versionOf).toMatchObject({ recordId: first.recordId, number: 3 });

  await visitor.call('POST', '/api/undo_delete', { undoToken });
  expect((await recordsOf(second)).slice(1)).toEqual(all);
});

test('versions are exported and imported, also into another account', async () => {
  const first = await ask('one');
  await ask('one, edited', { versionOf: first.recordId });
  await ask('two', { conversationId: first.conversationId });
  const archive = await exportJson(visitor);

  const other = createVisitor(api.url);
  expect((await importArchive(other, archive)).body).toMatchObject({ imported: 3 });
  const { records } = await exportJson(other);
  const copy = records.find(({ question }) => question === 'one');
  expect(records.find(({ question }) => question === 'one, edited')?.versionOf).toEqual({
    recordId: copy?.id,
    createdAt: copy?.createdAt,
    number: 2,
  });
  const path = `/api/conversations/${copy?.conversationId}`;
  await other.call('POST', '/api/chat', { text: 'three', conversationId: path.split('/').at(-1) });
  expect(answerer.asked.at(-1)?.history.map(({ question }) => question)).toEqual(['one, edited', 'two']);

  expect((await importArchive(visitor, archive)).body).toMatchObject({ unchanged: 3 });
  expect(withoutDate(await exportJson(visitor))).toEqual(withoutDate(archive));
});

test('the spreadsheet has a column with the version', async () => {
  const first = await ask('one');
  await ask('one, edited', { versionOf: first.recordId });
  const csv = await visitor.fetch('POST', '/api/export', {
    body: JSON.stringify({ filter: {}, format: 'csv' }),
    headers: { 'Content-Type': 'application/json', 'Accept-Language': 'en' },
  });
  expect((await csv.text()).split('\r\n')[0]).toContain('"Version"');
});
