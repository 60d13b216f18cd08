import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SessionInfo } from '../contract/accounts.ts';
import type { ChatAnswer, PredictAnswer } from '../contract/chat.ts';
import type { Deletion } from '../contract/deletions.ts';
import type { Handover } from '../contract/handover.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { readVisibleData } from '../testing/visible-data.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

/** Ids of one owner's data, as used by API calls. */
interface Things {
  record: string;
  conversation: string;
  file: string;
  passage: string;
  undo: string;
  handover: string;
}

/** Every call with an id of an owner's data. */
const calls: [method: string, path: string, body?: (things: Things) => object][] = [
  ['GET', '/api/records/:record'],
  ['GET', '/api/records/:record/why'],
  ['GET', '/api/chat/:record'],
  ['POST', '/api/chat/:record/stop'],
  ['POST', '/api/chat/:record/retry'],
  ['POST', '/api/chat', ({ conversation }) => ({ text: 'mine', conversationId: conversation })],
  ['GET', '/api/conversations/:conversation/records'],
  ['PATCH', '/api/conversations/:conversation', () => ({ title: 'mine' })],
  ['DELETE', '/api/conversations/:conversation'],
  ['POST', '/api/contacts/read', () => ({ id: 'li@example.com' })],
  ['PATCH', '/api/contacts', () => ({ id: 'li@example.com', note: 'mine', revision: 0 })],
  ['POST', '/api/contacts/merge', () => ({ id: 'li@example.com', into: 'other@example.com' })],
  ['POST', '/api/feedback', ({ record }) => ({ recordId: record, rating: -1 })],
  ['POST', '/api/delete_by_ids', ({ record }) => ({ ids: [record] })],
  ['POST', '/api/delete_by_ids', ({ record }) => ({ ids: [record], dryRun: true })],
  ['POST', '/api/export', ({ record }) => ({ ids: [record], format: 'json' })],
  ['POST', '/api/export', ({ record }) => ({ ids: [record], format: 'csv' })],
  ['POST', '/api/undo_delete', ({ undo }) => ({ undoToken: undo })],
  ['POST', '/api/purge', ({ undo }) => ({ undoToken: undo })],
  ['GET', '/api/files/:file'],
  ['GET', '/api/passages/:passage'],
  ['GET', '/api/conversations/:conversation/handovers'],
  ['POST', '/api/handovers/:handover/messages', () => ({ text: 'mine', clientId: 'mine' })],
  ['POST', '/api/handovers/:handover/close'],
  ['POST', '/api/handovers', ({ record }) => ({ recordId: record, question: 'mine', clientId: 'mine' })],
  [
    'POST',
    '/api/handovers',
    ({ conversation }) => ({ conversationId: conversation, question: 'mine', clientId: 'mine' }),
  ],
];

const api = await startTestApi({ answerer: createScriptedAnswerer() });
afterAll(() => api?.end());

async function ask(visitor: Visitor, text: string, more: object = {}): Promise<ChatAnswer> {
  const { status, body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text, ...more });
  expect(status).toBe(200);
  return body;
}

async function givenThings(visitor: Visitor): Promise<Things> {
  const { recordId: record, conversationId: conversation } = await ask(visitor, 'a question about pears');
  await ask(visitor, 'another', { conversationId: conversation, contact: 'li@example.com' });
  const form = new FormData();
  form.set('text', 'What does it say?');
  form.set('file', new File(['Pears are picked in autumn.'], 'pears.txt'));
  const response = await visitor.fetch('POST', '/api/predict', { body: form });
  const { files } = (await response.json()) as PredictAnswer;
  const file = files[0]!.id;
  const uploads = api.connection.collection<{ _id: string; documentId: string }>('uploads');
  const upload = await uploads.findOne({ _id: file });
  const passages = api.connection.collection<{ _id: string; documentId: string }>('passages');
  const passage = (await passages.findOne({ documentId: upload!.documentId }))!._id;
  const gone = await ask(visitor, 'to be deleted');
  const { body } = await visitor.call<Deletion>('POST', '/api/delete_by_ids', { ids: [gone.recordId] });
  const { body: asked } = await visitor.call<Handover>('POST', '/api/handovers', {
    conversationId: conversation,
    question: 'May I ask a person about pears?',
    clientId: 'the handover',
  });
  return { record, conversation, file, passage, undo: body.undoToken!, handover: asked.id };
}

function post(visitor: Visitor, path: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return visitor.fetch('POST', path, { headers, body: JSON.stringify(body) });
}

function send(visitor: Visitor, [method, path, bodyOf]: (typeof calls)[number], things: Things) {
  const filled = path.replace(/:(\w+)/, (_, thing: keyof Things) => things[thing]);
  return visitor.fetch(method, filled, {
    ...(bodyOf && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(bodyOf(things)),
    }),
  });
}

async function whole(visitor: Visitor) {
  return { desk: await readVisibleData(visitor), bin: (await visitor.call('GET', '/api/bin')).body };
}

describe("an owner's data", () => {
  const strangers: [string, Visitor][] = [];
  let owner: Visitor;
  let things: Things;
  let before: Awaited<ReturnType<typeof whole>>;

  beforeAll(async () => {
    for (const name of ['a new guest', 'another guest', 'an account'])
      strangers.push([name, createVisitor(api.url)]);
    const [, [, guest], [, account]] = strangers as [unknown, [string, Visitor], [string, Visitor]];
    await ask(guest, 'mine');
    await account.signUp('an account', 'long enough');
    await ask(account, 'mine');
    owner = createVisitor(api.url);
    things = await givenThings(owner);
    before = await whole(owner);
  });

  test.each(calls.map((call) => [`${call[0]} ${call[1]}`, call] as const))(
    'is not there for others: %s',
    async (_name, call) => {
      for (const [name, stranger] of strangers) {
        const response = await send(stranger, call, things);
        const { error } = (await response.json()) as { error: string };
        expect([name, response.status, error]).toEqual([name, 404, 'not_found']);
      }
      expect(await whole(owner)).toEqual(before);
    },
  );

  test('is not included in lists and exports of others', async () => {
    for (const [, stranger] of strangers) {
      const { desk, bin } = await whole(stranger);
      expect(JSON.stringify(desk)).not.toContain('pears');
      expect([desk.contacts, bin]).toMatchObject([[], { deletions: [], nextCursor: null }]);
      for (const format of ['json', 'csv']) {
        const response = await post(stranger, '/api/export', { filter: {}, format });
        expect([response.status, (await response.text()).includes('pears')]).toEqual([200, false]);
      }
    }
  });

  test('is not affected when others delete all their data', async () => {
    const stranger = createVisitor(api.url);
    await ask(stranger, 'mine', { contact: 'li@example.com' });
    for (const [path, body] of [
      ['/api/delete_by_contact', { contact: 'li@example.com' }],
      ['/api/delete_by_date', { from: '2000-01-01', to: '2100-01-01' }],
      ['/api/delete_by_ids', { filter: {} }],
    ] as const)
      expect((await stranger.call('POST', path, body)).status).toBe(200);
    expect(await whole(owner)).toEqual(before);
  });

  test('is complete for its owner', async () => {
    for (const call of calls.filter(([method]) => method === 'GET')) {
      const response = await send(owner, call, things);
      await response.text();
      // The answerer of these tests provides no explanations.
      expect([call[1], response.status]).toEqual([call[1], call[1].endsWith('/why') ? 404 : 200]);
    }
    const { body } = await owner.call('POST', '/api/undo_delete', { undoToken: things.undo });
    expect(body).toEqual({ restored: 1 });
  });
});

test('a session can only be ended by its own account', async () => {
  const [one, other] = [createVisitor(api.url), createVisitor(api.url)];
  await one.signUp('one account', 'long enough');
  await other.signUp('other account', 'long enough');
  const { body } = await one.call<{ sessions: SessionInfo[] }>('GET', '/admin/sessions');

  const ended = await other.call('DELETE', `/admin/sessions/${body.sessions[0]?.id}`);

  expect(ended.status).toBe(404);
  expect((await one.call('POST', '/admin/auth')).status).toBe(200);
  expect(
    (await other.call<{ sessions: SessionInfo[] }>('GET', '/admin/sessions')).body.sessions,
  ).toHaveLength(1);
  await other.call('DELETE', '/admin/sessions');
  expect((await one.call('POST', '/admin/auth')).status).toBe(200);
});
