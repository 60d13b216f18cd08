import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { ChatAnswer } from '../contract/chat.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { RecordPage } from '../contract/records.ts';
import { createScriptedAnswerer, echo } from '../testing/scripted-answerer.ts';
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

async function ask(text: string, conversationId?: string): Promise<ChatAnswer> {
  const { status, body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text, conversationId });
  expect(status).toBe(200);
  return body;
}

async function read(query = '', who = visitor): Promise<RecordPage> {
  const { status, body } = await who.call<RecordPage>('GET', `/api/records${query}`);
  expect(status).toBe(200);
  return body;
}

test('lists the records of all conversations, newest first', async () => {
  const first = await ask('one');
  await ask('two');
  await ask('three', first.conversationId);

  const { records, nextCursor } = await read();

  expect(records.map(({ question }) => question)).toEqual(['three', 'two', 'one']);
  expect(new Set(records.map(({ conversationId }) => conversationId)).size).toBe(2);
  expect(nextCursor).toBeNull();
});

test('pages have no gaps or duplicates while records are added', async () => {
  for (const text of ['1', '2', '3', '4', '5']) await ask(text);

  const first = await read('?limit=2');
  await ask('6');
  const second = await read(`?limit=2&cursor=${first.nextCursor}`);
  const third = await read(`?limit=2&cursor=${second.nextCursor}`);

  const questions = [first, second, third].flatMap(({ records }) => records.map(({ question }) => question));
  expect(questions).toEqual(['5', '4', '3', '2', '1']);
  expect(third.nextCursor).toBeNull();
});

test("never returns another owner's records", async () => {
  await ask('mine');

  expect(await read('', createVisitor(api.url))).toEqual({ records: [], nextCursor: null });
});

test("a guest's records are adopted by the account after sign-up", async () => {
  await ask('as a guest');
  const { data } = await visitor.signUp('records-guest', 'long-secret');
  visitor.token = data ?? '';

  expect((await read()).records.map(({ question }) => question)).toEqual(['as a guest']);
});

test('omits erased records, and shows them again after an undo', async () => {
  const { conversationId } = await ask('to be erased');
  await ask('to be kept');

  const erased = await visitor.call<{ undoToken: string }>('DELETE', `/api/conversations/${conversationId}`);
  expect((await read()).records.map(({ question }) => question)).toEqual(['to be kept']);

  await visitor.call('POST', '/api/undo_delete', { undoToken: erased.body.undoToken });
  expect((await read()).records.map(({ question }) => question)).toEqual(['to be kept', 'to be erased']);
});

const cursorOf = (...parts: unknown[]) =>
  `?cursor=${Buffer.from(JSON.stringify(parts)).toString('base64url')}`;

test.each([
  '?limit=0',
  '?limit=101',
  '?limit=two',
  '?cursor=nonsense',
  '?cursor=',
  '?limit=1&limit=2',
  cursorOf('records', 9e15, '0'.repeat(24)),
  cursorOf('records', -8.65e15, '0'.repeat(24)),
  cursorOf('records', 1, '0'.repeat(23)),
  cursorOf('bin', 1, '0'.repeat(24)),
  `${cursorOf('records', 1, '0'.repeat(24))}!!`,
])('refuses the query %s', async (query) => {
  const { status, body } = await visitor.call<ErrorBody>('GET', `/api/records${query}`);

  expect(status).toBe(400);
  expect(body.error).toBe('invalid_request');
});

test('the note of a rating stays with it, and goes with another rating', async () => {
  const { recordId } = await ask('What is a medlar?');
  const rate = async (rating: number, note?: string) => {
    const sent = { recordId, rating, ...(note === undefined ? {} : { note }) };
    expect((await visitor.call('POST', '/api/feedback', sent)).status).toBe(200);
    return (await read()).records[0]?.feedback;
  };
  expect(await rate(-1, 'not this')).toEqual({ rating: -1, note: 'not this' });
  expect(await rate(-1)).toEqual({ rating: -1, note: 'not this' });
  expect(await rate(1)).toEqual({ rating: 1, note: '' });
  expect(await rate(1, 'this')).toEqual({ rating: 1, note: 'this' });
  expect(await rate(1, '')).toEqual({ rating: 1, note: '' });
  expect(await rate(0, 'nothing')).toBeNull();
});

test('refuses a cursor of another list', async () => {
  const { conversationId } = await ask('one');
  await ask('two', conversationId);
  const { body } = await visitor.call<RecordPage>(
    'GET',
    `/api/conversations/${conversationId}/records?limit=1`,
  );

  const answer = await visitor.call<ErrorBody>('GET', `/api/records?cursor=${body.nextCursor}`);

  expect(body.nextCursor).not.toBeNull();
  expect(answer.status).toBe(400);
});
