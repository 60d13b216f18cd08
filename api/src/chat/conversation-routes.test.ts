import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ConversationDeletion } from '../contract/deletions.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { Conversation, ConversationPage, RecordPage } from '../contract/records.ts';
import type { SearchPage } from '../contract/search.ts';
import { createPipe, createScriptedAnswerer, echo } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

const answerer = createScriptedAnswerer();
let visitor: Visitor;

const api = await startTestApi({ answerer });
afterAll(() => api.end());
beforeEach(() => {
  answerer.script = echo;
  visitor = createVisitor(api.url);
});

const ask = (text: string, more: object = {}) => visitor.ask(text, more);

async function list(query = ''): Promise<ConversationPage> {
  return (await visitor.call<ConversationPage>('GET', `/api/conversations${query}`)).body;
}

async function records(id: string, query = ''): Promise<RecordPage> {
  return (await visitor.call<RecordPage>('GET', `/api/conversations/${id}/records${query}`)).body;
}

describe('conversations', () => {
  test('are listed by their latest question, with a title derived from the first one', async () => {
    const long = `第一个问题 ${'很长'.repeat(40)}`;
    const first = await ask(`  ${long}\nand more  `);
    await ask('second');
    await ask('again', { conversationId: first.conversationId });

    const { conversations, nextCursor } = await list();

    expect(nextCursor).toBeNull();
    expect(conversations.map(({ title }) => title)).toEqual([`${long.slice(0, 40)}…`, 'second']);
    expect(conversations[0]).toMatchObject({ id: first.conversationId, recordCount: 2, contact: null });
  });

  test('show their retention for guests, but not for accounts', async () => {
    const ofGuest = await visitor.fetch('GET', '/api/conversations');
    expect(ofGuest.headers.get('X-Guest-Days')).toBe('7');
    await visitor.signUp('keeper', 'a-long-password');
    const ofAccount = await visitor.fetch('GET', '/api/conversations');
    expect(ofAccount.headers.get('X-Guest-Days')).toBeNull();
  });

  test('are paged without gaps or duplicates while others are added', async () => {
    for (let count = 0; count < 7; count += 1) await ask(`c${count}`);
    const titles: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: ConversationPage = await list(
        `?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      titles.push(...page.conversations.map(({ title }) => title));
      cursor = page.nextCursor;
      await ask('late');
    }
    expect(titles).toEqual(['c6', 'c5', 'c4', 'c3', 'c2', 'c1', 'c0']);
  });

  test('list their records newest first, in pages', async () => {
    const { conversationId } = await ask('r0');
    for (let count = 1; count < 5; count += 1) await ask(`r${count}`, { conversationId });
    const first = await records(conversationId, '?limit=3');
    await ask('late', { conversationId });
    const second = await records(conversationId, `?limit=3&cursor=${first.nextCursor}`);
    expect([...first.records, ...second.records].map(({ question }) => question)).toEqual([
      'r4',
      'r3',
      'r2',
      'r1',
      'r0',
    ]);
    expect(second.nextCursor).toBeNull();
  });

  test.each([
    '?limit=0',
    '?limit=101',
    '?limit=x',
    '?limit=1&limit=2',
    '?cursor=',
    '?cursor=nonsense',
    `?cursor=${'x'.repeat(600)}`,
  ])('are not listed for %s: 400', async (query) => {
    const { status, body } = await visitor.call<ErrorBody>('GET', `/api/conversations${query}`);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(['limit', 'cursor']).toContain(body.field);
  });

  test('refuse the cursor of another list', async () => {
    const { conversationId } = await ask('one');
    await ask('two', { conversationId });
    await ask('three');
    const { nextCursor } = await list('?limit=1');
    const { status } = await visitor.call(
      'GET',
      `/api/conversations/${conversationId}/records?cursor=${nextCursor}`,
    );
    expect(status).toBe(400);
  });

  test('is found by the title that its owner gave it', async () => {
    const { conversationId } = await ask('what are the opening hours');
    await visitor.call('PATCH', `/api/conversations/${conversationId}`, {
      title: '王府井门店装修 phase two',
    });
    const found = async (filter: object) =>
      (await visitor.call<SearchPage>('POST', '/api/search', filter)).body.conversations?.map(({ id }) => id);

    expect(await found({ text: '装修' })).toEqual([conversationId]);
    expect(await found({ text: 'Phase 门店' })).toEqual([conversationId]);
    expect(await found({ text: '“门店装修”' })).toEqual([conversationId]);
    expect(await found({ text: '店门' })).toBeUndefined();
    expect(await found({ text: '装修', from: '2020-01-01' })).toBeUndefined();
    expect(await found({ text: 'opening' })).toBeUndefined();
    expect(
      (await createVisitor(api.url).call<SearchPage>('POST', '/api/search', { text: '装修' })).body
        .conversations,
    ).toBeUndefined();

    await visitor.call('DELETE', `/api/conversations/${conversationId}`);
    expect(await found({ text: '装修' })).toBeUndefined();
  });

  test('can be renamed, within limits', async () => {
    const { conversationId } = await ask('one');
    const rename = (title: unknown) =>
      visitor.call<Conversation>('PATCH', `/api/conversations/${conversationId}`, { title });
    expect(await rename('  新标题  ')).toMatchObject({
      status: 200,
      body: { id: conversationId, title: '新标题' },
    });
    expect((await list()).conversations[0]?.title).toBe('新标题');
    for (const title of ['', '   ', 'x'.repeat(201), 7, null, undefined]) {
      expect((await rename(title)).status).toBe(400);
    }
  });
});

describe('a contact', () => {
  test('written in two ways is one contact, with the latest name', async () => {
    await ask('one', { contact: '+86 138-0013-8000', contactName: '张三' });
    const { conversationId } = await ask('two', { contact: '13800138000' });
    const [record] = (await records(conversationId)).records;
    expect(record?.contact).toEqual({ id: '13800138000', name: '张三' });
    expect((await list()).conversations[0]?.contact).toEqual({ id: '13800138000', name: '张三' });
  });

  test('can be given by an unambiguous name; an ambiguous one returns the choices', async () => {
    await ask('one', { contact: 'a@example.com', contactName: '李四' });
    const { conversationId } = await ask('two', { contact: '李四' });
    expect((await records(conversationId)).records[0]?.contact).toEqual({
      id: 'a@example.com',
      name: '李四',
    });

    await ask('three', { contact: 'B@Example.com', contactName: '李四' });
    const { status, body } = await visitor.call<ErrorBody>('POST', '/api/chat', {
      text: 'x',
      contact: '李四',
    });
    expect([status, body.error]).toEqual([409, 'ambiguous_contact']);
    expect(body.choices).toEqual([
      { id: 'a@example.com', name: '李四' },
      { id: 'b@example.com', name: '李四' },
    ]);
  });
});

describe('deleting a conversation', () => {
  test('hides it everywhere immediately, and an undo restores exactly that', async () => {
    const { conversationId, recordId } = await ask('one');
    await ask('two', { conversationId });
    const before = { list: await list(), records: await records(conversationId) };
    await ask('other');

    const deletion = await visitor.call<ConversationDeletion>(
      'DELETE',
      `/api/conversations/${conversationId}`,
    );

    expect(deletion).toMatchObject({
      status: 200,
      body: { matched: 2, deleted: 2, undoToken: expect.any(String) },
    });
    expect(Date.parse(deletion.body.undoUntil)).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
    expect((await list()).conversations.map(({ title }) => title)).toEqual(['other']);
    for (const [method, path, body] of [
      ['GET', `/api/conversations/${conversationId}/records`],
      ['GET', `/api/chat/${recordId}`],
      ['POST', `/api/chat/${recordId}/retry`],
      ['POST', '/api/chat', { text: 'x', conversationId }],
      ['DELETE', `/api/conversations/${conversationId}`],
    ] as const) {
      expect((await visitor.call(method, path, body)).status).toBe(404);
    }

    const { undoToken } = deletion.body;
    const stranger = createVisitor(api.url);
    expect((await stranger.call<ErrorBody>('POST', '/api/undo_delete', { undoToken })).body.error).toBe(
      'not_found',
    );
    expect((await visitor.call('POST', '/api/undo_delete', { undoToken })).body).toEqual({ restored: 2 });
    expect((await list()).conversations.slice(1)).toEqual(before.list.conversations);
    expect(await records(conversationId)).toEqual(before.records);
    const twice = await visitor.call<ErrorBody>('POST', '/api/undo_delete', { undoToken });
    expect([twice.status, twice.body.error]).toEqual([409, 'undo_used']);
  });

  test('stops an answer in progress', async () => {
    const pipe = createPipe();
    answerer.script = pipe.script;
    const stream = visitor.events('POST', '/api/chat', { text: 'q' });
    const record = (await stream.next()).value;
    if (record?.event !== 'record') throw new Error('expected the record first');
    pipe.say('half');
    await stream.next();
    await visitor.call('DELETE', `/api/conversations/${record.data.conversationId}`);
    const last = await stream.next();
    expect(last.value).toMatchObject({ event: 'done', data: { status: 'stopped' } });
  });

  test.each([[{}], [{ undoToken: 7 }], [{ undoToken: '' }]])(
    'an undo of %j is refused: 400',
    async (body) => {
      expect((await visitor.call('POST', '/api/undo_delete', body)).status).toBe(400);
    },
  );
});
