import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { RecordArchive } from '../contract/archives.ts';
import type { ChatAnswer } from '../contract/chat.ts';
import type { ConversationDeletion } from '../contract/deletions.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { Conversation, ConversationPage } from '../contract/records.ts';
import type { SearchPage } from '../contract/search.ts';
import { exportJson, importArchive } from '../testing/archives.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

let visitor: Visitor;

const api = await startTestApi({ answerer: createScriptedAnswerer() });
afterAll(() => api.end());
beforeEach(() => {
  visitor = createVisitor(api.url);
});

async function ask(text: string, more: object = {}): Promise<string> {
  return (await visitor.call<ChatAnswer>('POST', '/api/chat', { text, ...more })).body.conversationId;
}

async function list(query = ''): Promise<ConversationPage> {
  return (await visitor.call<ConversationPage>('GET', `/api/conversations${query}`)).body;
}

async function titles(query = ''): Promise<string[]> {
  return (await list(query)).conversations.map(({ title }) => title);
}

function change(id: string, body: object) {
  return visitor.call<Conversation & ErrorBody>('PATCH', `/api/conversations/${id}`, body);
}

describe('a pinned conversation', () => {
  test('is listed first, until it is unpinned', async () => {
    const first = await ask('first');
    await ask('second');

    expect(await change(first, { pinned: true })).toMatchObject({ status: 200, body: { pinned: true } });
    expect(await titles()).toEqual(['first', 'second']);
    expect((await list()).conversations.map(({ pinned }) => pinned)).toEqual([true, undefined]);

    expect((await change(first, { pinned: false })).body).not.toHaveProperty('pinned');
    expect(await titles()).toEqual(['second', 'first']);
  });

  test('keeps the order of pages without gaps or duplicates, at every page size', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) ids.push(await ask(`c${count}`));
    for (const id of [ids[0]!, ids[2]!]) await change(id, { pinned: true });

    for (const limit of [1, 2, 3, 6]) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: ConversationPage = await list(`?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        seen.push(...page.conversations.map(({ title }) => title));
        cursor = page.nextCursor;
        if (page.conversations.length < limit) expect(cursor).toBeNull();
      }
      expect(seen).toEqual(['c2', 'c0', 'c5', 'c4', 'c3', 'c1']);
    }
  });

  test('keeps its cursor valid while others are asked and pinned', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await ask(`c${count}`));
    await change(ids[0]!, { pinned: true });
    const first = await list('?limit=2');
    await ask('late');
    await change(ids[4]!, { pinned: true });

    expect(first.conversations.map(({ title }) => title)).toEqual(['c0', 'c4']);
    expect(await titles(`?cursor=${first.nextCursor}`)).toEqual(['c3', 'c2', 'c1']);
  });
});

describe('an archived conversation', () => {
  test('is listed only among archived ones, and can be read, found and exported', async () => {
    const id = await ask('Wherever the archive goes');
    await ask('other');
    expect(await list()).not.toHaveProperty('hasArchived');
    expect(await change(id, { archived: true })).toMatchObject({ status: 200, body: { archived: true } });

    expect(await list()).toMatchObject({ conversations: [{ title: 'other' }], hasArchived: true });
    expect(await titles('?archived=1')).toEqual(['Wherever the archive goes']);
    expect((await visitor.call('GET', `/api/conversations/${id}/records`)).status).toBe(200);
    const found = await visitor.call<SearchPage>('POST', '/api/search', { text: 'archive' });
    expect(found.body.records.map(({ conversationId }) => conversationId)).toEqual([id]);
    const archive = await visitor.call<RecordArchive>('POST', '/api/export', { filter: {}, format: 'json' });
    expect(archive.body.conversations.map(({ title }) => title).sort()).toEqual([
      'Wherever the archive goes',
      'other',
    ]);
  });

  test('is archived after an import as well, like a pinned one', async () => {
    const [kept, top] = [await ask('archived one'), await ask('pinned one')];
    await change(kept, { archived: true });
    await change(top, { pinned: true });
    await ask('other');
    const archive = await exportJson(visitor);
    const importer = createVisitor(api.url);
    expect((await importArchive(importer, archive)).status).toBe(200);
    visitor = importer;
    expect(await titles()).toEqual(['pinned one', 'other']);
    expect(await titles('?archived=1')).toEqual(['archived one']);

    const again = (await list()).conversations[0]!;
    await change(again.id, { pinned: false });
    const older = archive.conversations.map(({ pinned: _p, archived: _a, ...one }) => one);
    await importArchive(importer, { ...archive, conversations: older });
    expect((await list()).conversations.some(({ pinned }) => pinned)).toBe(false);
    await importArchive(importer, archive);
    expect((await list()).conversations[0]).toMatchObject({ title: 'pinned one', pinned: true });
  });

  test('returns to the list with the next question', async () => {
    const id = await ask('one');
    await change(id, { archived: true });
    await ask('again', { conversationId: id });
    expect(await titles()).toEqual(['one']);
    expect(await titles('?archived=1')).toEqual([]);
  });

  test('is no longer pinned, and pinning takes it out of the archive', async () => {
    const id = await ask('one');
    await change(id, { pinned: true });
    expect((await change(id, { archived: true })).body).not.toHaveProperty('pinned');
    expect((await change(id, { title: 'renamed' })).body).toMatchObject({ archived: true });
    expect((await change(id, { pinned: true })).body).not.toHaveProperty('archived');
    expect((await change(id, { archived: false })).body).toMatchObject({ pinned: true });
  });

  test('is archived again when its deletion is undone', async () => {
    const id = await ask('one');
    await change(id, { archived: true });
    const { body } = await visitor.call<ConversationDeletion>('DELETE', `/api/conversations/${id}`);
    expect(await titles('?archived=1')).toEqual([]);
    await visitor.call('POST', '/api/undo_delete', { undoToken: body.undoToken });
    expect(await titles('?archived=1')).toEqual(['one']);
  });

  test('has a list of its own: the cursor of the other list is refused', async () => {
    for (const text of ['a', 'b']) await ask(text);
    const { nextCursor } = await list('?limit=1');
    const { status, body } = await visitor.call<ErrorBody>(
      'GET',
      `/api/conversations?archived=1&cursor=${nextCursor}`,
    );
    expect([status, body.field]).toEqual([400, 'cursor']);
  });
});

test('conversations of earlier versions, without a place, are listed', async () => {
  const id = await ask('old');
  await api.connection
    .collection('conversations')
    .updateOne({ _id: new Types.ObjectId(id) }, { $unset: { place: 1 } });
  await ask('new');
  expect(await titles()).toEqual(['new', 'old']);
});

test.each([{}, { pinned: true, archived: true }, { pinned: 'yes' }, { archived: null }])(
  'refuses %j: 400',
  async (body) => {
    expect(await change(await ask('one'), body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  },
);

test('strangers can neither pin nor archive: 404', async () => {
  const id = await ask('mine');
  visitor = createVisitor(api.url);
  await visitor.call('GET', '/api/conversations');
  for (const body of [{ pinned: true }, { archived: true }])
    expect((await change(id, body)).status).toBe(404);
});
