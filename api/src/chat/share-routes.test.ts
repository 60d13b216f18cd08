import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { Citation } from '../contract/answers.ts';
import type { ChatAnswer, PredictAnswer } from '../contract/chat.ts';
import type { ConversationDeletion, Deletion } from '../contract/deletions.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { NewShare, Share, SharedConversation, SharePage, ShareState } from '../contract/sharing.ts';
import { createPipe, createScriptedAnswerer, echo, final } from '../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { until } from '../testing/until.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

const answerer = createScriptedAnswerer();
let visitor: Visitor;
let stranger: Visitor;

const api = await startTestApi({ answerer });
afterAll(() => api.end());
beforeEach(() => {
  answerer.script = echo;
  visitor = createVisitor(api.url);
  stranger = createVisitor(api.url);
});

const ask = (text: string, more: object = {}) => visitor.ask(text, more);

async function askWithFile(name: string, fields: Record<string, string> = {}): Promise<PredictAnswer> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob(['# Opening hours\n\nThe desk opens at nine and closes at five.\n']), name);
  const headers = { 'Accept-Language': 'en' };
  const response = await visitor.fetch('POST', '/api/predict', { body: form, headers });
  expect(response.status).toBe(200);
  return (await response.json()) as PredictAnswer;
}

async function share(id: string, files = false, who = visitor): Promise<NewShare> {
  const { status, body } = await who.call<NewShare>('POST', `/api/conversations/${id}/share`, { files });
  expect(status).toBe(200);
  return body;
}

function open(token: string, from?: number, who = stranger) {
  return who.call<SharedConversation & ErrorBody>('POST', '/api/shared', { token, from });
}

function openFile(token: string, file: string) {
  return stranger.fetch('POST', '/api/shared/file', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, file }),
  });
}

function json(body: unknown) {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** All that differs between two refusals is the id of the request. */
async function refusal(token: string) {
  const { status, body } = await open(token);
  const { requestId: _requestId, ...rest } = body;
  return { status, ...rest };
}

const unknown = 'A'.repeat(43);

describe('a shared conversation', () => {
  test('is read by anyone with the link: questions and answers, with quotes, and nothing about people', async () => {
    const first = await ask('How do I say it?', { contact: '13800138000', contactName: 'Zhang San' });
    const { conversationId, recordId } = first;
    await ask('And again?', { conversationId });
    await visitor.call('POST', '/api/feedback', { recordId, rating: -1, note: 'Not this.' });
    const { token, ...created } = await share(conversationId);

    expect(token).toMatch(/^[\w-]{43}$/);
    expect(created).toMatchObject({ files: false, recordCount: 2 });
    const { status, headers, body } = await open(token);
    expect(status).toBe(200);
    expect(headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(stranger.cookies.size).toBe(0);
    expect(body).toEqual({
      title: 'How do I say it?',
      updatedAt: created.updatedAt,
      next: null,
      records: ['How do I say it?', 'And again?'].map((question) => ({
        question,
        answer: question,
        status: 'done',
        citations: [{ n: 1, source: { title: 'Handbook', quote: 'Say it.' } }],
        files: [],
        hiddenFiles: 0,
        createdAt: expect.any(String),
      })),
    });
    const text = JSON.stringify(body);
    for (const secret of [recordId, conversationId, '13800138000', 'Zhang San', 'Not this.', '/api/'])
      expect(text).not.toContain(secret);
  });

  test('shows what had been answered when it was shared, until the link is updated', async () => {
    const { conversationId } = await ask('one');
    const { token } = await share(conversationId);
    await ask('two', { conversationId });
    expect((await open(token)).body.records.map(({ question }) => question)).toEqual(['one']);

    const updated = await visitor.call<Share>('PATCH', `/api/conversations/${conversationId}/share`, {
      files: false,
    });
    expect(updated.body).toMatchObject({ recordCount: 2 });
    expect((await open(token)).body.records.map(({ question }) => question)).toEqual(['one', 'two']);
  });

  test('leaves out a question that is still being answered', async () => {
    const { conversationId } = await ask('one');
    const pipe = createPipe();
    answerer.script = pipe.script;
    const asked = ask('two', { conversationId });
    await until(() => answerer.asked.some(({ text }) => text === 'two'));
    const { token, recordCount } = await share(conversationId);
    pipe.close();
    await asked;
    expect(recordCount).toBe(1);
    expect((await open(token)).body.records.map(({ question }) => question)).toEqual(['one']);
  });

  test('does not show an answer that was given later to the same question', async () => {
    const { conversationId, recordId } = await ask('one');
    const { token } = await share(conversationId);
    answerer.script = async function* () {
      yield { kind: 'text', text: 'a later answer' };
      yield final;
    };
    await visitor.call('POST', `/api/chat/${recordId}/retry`);
    const [record] = (await open(token)).body.records;
    expect(record).toMatchObject({ question: 'one', answer: null, citations: [] });
  });

  test('keeps the title that its owner chose, not a later one', async () => {
    const { conversationId } = await ask('one');
    const rename = (title: string) =>
      visitor.call('PATCH', `/api/conversations/${conversationId}`, { title });
    await rename('chosen');
    const { token } = await share(conversationId);
    await rename('private');
    expect((await open(token)).body.title).toBe('chosen');
  });

  test('is read in pages', async () => {
    const { conversationId } = await ask('q0');
    for (let count = 1; count < 55; count += 1) await ask(`q${count}`, { conversationId });
    const { token } = await share(conversationId);
    const first = (await open(token)).body;
    expect([first.records.length, first.next]).toEqual([50, 50]);
    const second = (await open(token, 50)).body;
    expect(second.records.map(({ question }) => question)).toEqual(['q50', 'q51', 'q52', 'q53', 'q54']);
    expect(second.next).toBeNull();
    expect((await open(token, 9999)).body).toMatchObject({ records: [], next: null });
  });

  test('is described to its owner without the token, which is stored as a hash', async () => {
    const { conversationId } = await ask('one');
    const state = () => visitor.call<ShareState>('GET', `/api/conversations/${conversationId}/share`);
    expect((await state()).body).toEqual({
      share: null,
      hasFiles: false,
      hasVersions: false,
    });
    const { token, ...created } = await share(conversationId);
    expect((await state()).body).toMatchObject({ share: created });
    const stored = await api.connection.collection('shares').find({}).toArray();
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test('belongs to the account that adopts its guest', async () => {
    const { conversationId } = await ask('one');
    const { token } = await share(conversationId);
    await visitor.signUp('sharing-guest', 'a-long-password');
    expect((await open(token)).status).toBe(200);
    expect((await visitor.call('DELETE', `/api/conversations/${conversationId}/share`)).status).toBe(204);
    expect((await open(token)).status).toBe(404);
  });
});

describe('the versions of a question', () => {
  const questions = async (token: string) => (await open(token)).body.records.map(({ question }) => question);
  const shareWith = async (id: string, request: object) =>
    (await visitor.call<NewShare>('POST', `/api/conversations/${id}/share`, { files: false, ...request }))
      .body;

  /** `slip` is replaced by `corrected`, then `later` is asked. */
  async function withSlip() {
    const slip = await ask('slip');
    const { conversationId } = slip;
    const later = await ask('later', { conversationId });
    const corrected = await ask('corrected', { versionOf: slip.recordId });
    return { conversationId, slip, later, corrected };
  }

  test('only the newest version is shared, in the place of its question, and gives the title', async () => {
    const { conversationId } = await withSlip();
    const { token, recordCount, versions } = await share(conversationId);
    expect([recordCount, versions]).toEqual([2, false]);
    const { body } = await open(token);
    expect(JSON.stringify(body)).not.toContain('slip');
    expect(body.title).toBe('corrected');
    expect(body.records.map(({ question, version }) => [question, version])).toEqual([
      ['corrected', undefined],
      ['later', undefined],
    ]);
  });

  test('another version is shared if its owner has chosen it, or all versions on request', async () => {
    const { conversationId, slip } = await withSlip();
    const chosen = await shareWith(conversationId, { shown: [slip.recordId] });
    expect(await questions(chosen.token)).toEqual(['slip', 'later']);
    const all = await shareWith(conversationId, { versions: true });
    expect(await questions(all.token)).toEqual(['slip', 'later', 'corrected']);
    const path = `/api/conversations/${conversationId}/share`;
    expect((await visitor.call<ShareState>('GET', path)).body).toMatchObject({
      share: { versions: true },
      hasVersions: true,
      hasFiles: false,
    });
    await visitor.call('PATCH', path, { files: false });
    expect(await questions(all.token)).toEqual(['corrected', 'later']);
  });

  test('a link from before this choice existed shows the newest of its versions, also once that is deleted', async () => {
    const { conversationId, corrected } = await withSlip();
    const { token } = await shareWith(conversationId, { versions: true });
    const shares = api.connection.collection('shares');
    await shares.updateMany({}, { $unset: { versions: 1 } });
    expect(await questions(token)).toEqual(['corrected', 'later']);
    await visitor.call('POST', '/api/delete_by_ids', { ids: [corrected.recordId] });
    expect(await questions(token)).toEqual(['later']);
  });
});

describe('a link', () => {
  test('ends at once when it is revoked, and then looks like a link that never existed', async () => {
    const { conversationId } = await ask('one');
    const { token } = await share(conversationId);
    expect((await open(token)).status).toBe(200);
    const path = `/api/conversations/${conversationId}/share`;
    expect((await visitor.call('DELETE', path)).status).toBe(204);

    expect(await refusal(token)).toEqual(await refusal(unknown));
    expect(await refusal(token)).toMatchObject({ status: 404, error: 'not_found' });
    expect((await visitor.call<ShareState>('GET', path)).body).toMatchObject({ share: null });
    expect((await visitor.call('DELETE', path)).status).toBe(204);
    expect((await visitor.call('PATCH', path, { files: true })).status).toBe(404);
  });

  test('is replaced by a new one', async () => {
    const { conversationId } = await ask('one');
    const [old, fresh] = [await share(conversationId), await share(conversationId)];
    expect((await open(old.token)).status).toBe(404);
    expect((await open(fresh.token)).status).toBe(200);
  });

  test('is only managed by the owner of the conversation: strangers get 404', async () => {
    const { conversationId } = await ask('one');
    const { token } = await share(conversationId);
    await stranger.call('GET', '/api/conversations');
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const body = method === 'POST' || method === 'PATCH' ? { files: true } : undefined;
      const { status } = await stranger.call(method, `/api/conversations/${conversationId}/share`, body);
      expect([method, status]).toEqual([method, 404]);
    }
    expect((await open(token)).status).toBe(200);
  });

  test.each([{}, { token: 7 }, { token: 'x'.repeat(300) }, { token: unknown, from: -1 }])(
    'is refused as %j: 400',
    async (body) => {
      expect((await stranger.call('POST', '/api/shared', body)).status).toBe(400);
    },
  );
});

describe('the files of a shared conversation', () => {
  test('are downloaded through the link if its owner selected them', async () => {
    const { conversationId, files } = await askWithFile('hours.md', { text: 'When?' });
    const { token } = await share(conversationId, true);
    const [record] = (await open(token)).body.records;
    expect(record).toMatchObject({
      hiddenFiles: 0,
      files: [{ id: '0-0', name: 'hours.md', kind: 'markdown', pages: 1 }],
    });
    const response = await openFile(token, '0-0');
    expect(await response.text()).toContain('opens at nine');
    expect(response.headers.get('Content-Disposition')).toContain('hours.md');
    expect(response.headers.get('Cache-Control')).toBe('no-store');

    expect((await stranger.fetch('GET', files[0]!.url)).status).toBe(404);
    for (const other of ['0-1', '1-0', 'x', files[0]!.id, ''])
      expect([other, (await openFile(token, other)).status]).toEqual([other, 404]);
    await visitor.call('DELETE', `/api/conversations/${conversationId}/share`);
    expect((await openFile(token, '0-0')).status).toBe(404);
  });

  test('are otherwise not even named, nor quoted', async () => {
    answerer.script = async function* ({ owner, text }) {
      const passage = { _id: 'own-passage', owner, documentId: 'd', title: 'Hours', text: 'at nine' };
      await api.connection.collection('passages').insertOne(passage as never);
      yield { kind: 'text', text: `${text.length}` };
      yield {
        ...final,
        kind: 'final',
        source: 'document',
        suggestions: [],
        citations: [
          {
            title: 'Hours',
            quote: 'at nine',
            start: 0,
            end: 7,
            href: '/api/passages/own-passage',
            isPrivate: true,
          },
          {
            title: 'Handbook',
            quote: 'Say it.',
            start: 0,
            end: 7,
            href: '/api/passages/p1',
            isPrivate: false,
          },
        ],
      };
    };
    const { conversationId } = await askWithFile('secret-hours.md');
    const { token } = await share(conversationId);
    const { body } = await open(token);
    expect(body).toMatchObject({
      title: '',
      records: [
        {
          question: '',
          files: [],
          hiddenFiles: 1,
          citations: [
            { n: 1, source: null },
            { n: 2, source: { title: 'Handbook', quote: 'Say it.' } },
          ],
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect((await openFile(token, '0-0')).status).toBe(404);

    await visitor.call('PATCH', `/api/conversations/${conversationId}/share`, { files: true });
    expect((await open(token)).body.records[0]?.citations[0]?.source).toEqual({
      title: 'Hours',
      quote: 'at nine',
    });
  });
});

describe('a link without the files', () => {
  let real: TestApi;
  beforeAll(async () => {
    real = await startTestApi({});
  });
  afterAll(() => real.end());
  beforeEach(() => {
    visitor = createVisitor(real.url);
    stranger = createVisitor(real.url);
  });

  const citationsOf = async (token: string) =>
    (await open(token)).body.records.map(({ citations }) => citations.map(({ source }) => source));
  const purge = async (recordId: string) => {
    const { body } = await visitor.call<Deletion>('POST', '/api/delete_by_ids', { ids: [recordId] });
    expect((await visitor.call('POST', '/api/purge', { undoToken: body.undoToken })).status).toBe(200);
  };
  const records = () => real.connection.collection('records');

  /** A question about a file, and a later one that is answered from it. */
  async function askTwice() {
    const first = await askWithFile('secret-hours.md', { text: 'When does the desk open?' });
    const { conversationId } = first;
    const later = await ask('And when does the desk close?', { conversationId });
    expect(later.citations).toMatchObject([{ isPrivate: true }]);
    return { conversationId, first, later };
  }

  test('does not quote a file whose record was purged', async () => {
    const { conversationId, first } = await askTwice();
    const { token } = await share(conversationId);
    expect(await citationsOf(token)).toEqual([[null], [null]]);
    await purge(first.recordId);
    expect(await citationsOf(token)).toEqual([[null]]);
  });

  test('quotes records of earlier versions only from the shared knowledge base', async () => {
    const { conversationId, first } = await askTwice();
    const shared = await ask('如何导出记录？', { conversationId });
    expect(shared.citations.length).toBeGreaterThan(0);
    for (const { _id, citations } of await records().find().toArray()) {
      const earlier = citations.map(({ isPrivate: _, ...rest }: Citation) => rest);
      await records().updateOne({ _id }, { $set: { citations: earlier } });
    }
    const { token } = await share(conversationId);
    const quoted = shared.citations.map(({ title, quote }) => ({ title, quote }));
    expect(await citationsOf(token)).toEqual([[null], [null], quoted]);
    await purge(first.recordId);
    expect(await citationsOf(token)).toEqual([[null], quoted]);
  });

  test('does not quote a file after the conversation was exported and imported', async () => {
    const { conversationId, first } = await askTwice();
    const archive = await (
      await visitor.fetch('POST', '/api/export', json({ filter: {}, format: 'json' }))
    ).json();
    await purge(first.recordId);
    const erased = await visitor.call<Deletion>('DELETE', `/api/conversations/${conversationId}`);
    await visitor.call('POST', '/api/purge', { undoToken: erased.body.undoToken });
    expect(await (await visitor.fetch('POST', '/api/import', json(archive))).json()).toMatchObject({
      imported: 2,
    });
    const { token } = await share(conversationId);
    expect(await citationsOf(token)).toEqual([[null], [null]]);
    expect(JSON.stringify((await open(token)).body)).not.toContain('secret-hours');
  });

  test('does not name the file in a question, an answer or the title', async () => {
    const first = await askWithFile('secret-hours.csv');
    const { conversationId, recordId } = first;
    const again = { conversationId, versionOf: recordId };
    await ask('What does secret-hours.csv say about cats?', again);
    await ask('Summarize the file', { conversationId });
    const path = `/api/conversations/${conversationId}/share`;
    const request = { files: false, versions: true };
    const { token } = (await visitor.call<NewShare>('POST', path, request)).body;
    const { body } = await open(token);
    expect(body.records).toHaveLength(3);
    expect(JSON.stringify(body)).not.toContain('secret-hours');
    await purge(recordId);
    expect(JSON.stringify((await open(token)).body)).not.toContain('secret-hours');
    await visitor.call('PATCH', path, request);
    expect(JSON.stringify((await open(token)).body)).not.toContain('secret-hours');
  });
});

describe('what is deleted', () => {
  test('disappears from the link, and returns with an undo', async () => {
    const { conversationId, recordId } = await ask('the first secret');
    await ask('two', { conversationId });
    const { token } = await share(conversationId);
    const { body } = await visitor.call<Deletion>('POST', '/api/delete_by_ids', { ids: [recordId] });
    expect(body.deleted).toBe(1);

    const shown = await open(token);
    expect(shown.body.records.map(({ question }) => question)).toEqual(['two']);
    expect(JSON.stringify(shown.body)).not.toContain('secret');

    await visitor.call('POST', '/api/undo_delete', { undoToken: body.undoToken });
    expect((await open(token)).body.records.map(({ question }) => question)).toEqual([
      'the first secret',
      'two',
    ]);
  });

  test('as a whole conversation ends the link, which an undo restores and a purge deletes', async () => {
    const { conversationId } = await ask('one');
    const { token } = await share(conversationId);
    const erase = () => visitor.call<ConversationDeletion>('DELETE', `/api/conversations/${conversationId}`);
    const first = await erase();
    expect(await refusal(token)).toEqual(await refusal(unknown));
    await visitor.call('POST', '/api/undo_delete', { undoToken: first.body.undoToken });
    expect((await open(token)).status).toBe(200);

    const second = await erase();
    await visitor.call('POST', '/api/purge', { undoToken: second.body.undoToken });
    expect((await open(token)).status).toBe(404);
    const which = { conversationId: new Types.ObjectId(conversationId) };
    expect(await api.connection.collection('shares').countDocuments(which)).toBe(0);
  });

  test('with an account ends its links and deletes them', async () => {
    const password = 'a-long-password';
    await visitor.signUp('sharing-account', password);
    const { conversationId } = await ask('one');
    const { token } = await share(conversationId);
    await visitor.call('DELETE', '/admin/account', { password });
    expect((await open(token)).status).toBe(404);
    const which = { conversationId: new Types.ObjectId(conversationId) };
    expect(await api.connection.collection('shares').countDocuments(which)).toBe(0);
  });
});

test('reading is limited by address', async () => {
  const limited = await startTestApi({ answerer });
  try {
    stranger = createVisitor(limited.url);
    const statuses: number[] = [];
    for (let count = 0; count < 121; count += 1) statuses.push((await open(unknown)).status);
    expect(new Set(statuses.slice(0, 120))).toEqual(new Set([404]));
    expect(statuses[120]).toBe(429);
  } finally {
    await limited.end();
  }
});

test('with REQUIRE_SIGN_IN only signed-in visitors can read', async () => {
  const closed = await startTestApi({ answerer, config: { requireSignIn: true } });
  try {
    visitor = await signedUp(closed.url, 'owner-in-house', 'a-long-password');
    const { token } = await share((await ask('one')).conversationId);
    stranger = createVisitor(closed.url);
    expect((await open(token)).status).toBe(401);
    await stranger.signUp('reader-in-house', 'a-long-password');
    expect((await open(token)).status).toBe(200);
  } finally {
    await closed.end();
  }
});

test('a link ends at the time that its owner has set, and can be extended', async () => {
  const { conversationId } = await ask('the opening hours');
  const path = `/api/conversations/${conversationId}/share`;
  const { token, expiresAt } = (await visitor.call<NewShare>('POST', path, { days: 7 })).body;
  expect(new Date(expiresAt!).getTime() - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  expect((await visitor.call<ShareState>('GET', path)).body.share).toMatchObject({ expiresAt });
  expect((await visitor.call<Share>('PATCH', path, {})).body.expiresAt).toBe(expiresAt);

  await api.connection
    .collection('shares')
    .updateOne({ conversationId: new Types.ObjectId(conversationId) }, { $set: { expiresAt: new Date() } });
  expect((await open(token)).status).toBe(404);
  expect((await visitor.call<SharePage>('GET', '/api/shares')).body.shares).toHaveLength(1);
  expect((await visitor.call<Share>('PATCH', path, { days: null })).body.expiresAt).toBeNull();
  expect((await open(token)).status).toBe(200);
  for (const days of [0, 366, 1.5, '7'])
    expect((await visitor.call('POST', path, { days })).status).toBe(400);
});

test('lists the links of their owner with the titles of the conversations', async () => {
  const [first, second] = [await ask('first question'), await ask('second question')];
  await share(first.conversationId);
  await share(second.conversationId);
  await share((await visitorAsks(stranger, 'not theirs')).conversationId, false, stranger);
  const listed = async () => (await visitor.call<SharePage>('GET', '/api/shares')).body.shares;

  expect((await listed()).map(({ title, recordCount }) => [title, recordCount])).toEqual([
    ['second question', 1],
    ['first question', 1],
  ]);
  await visitor.call('DELETE', `/api/conversations/${second.conversationId}`);
  await visitor.call('DELETE', `/api/conversations/${first.conversationId}/share`);
  expect(await listed()).toEqual([]);
});

async function visitorAsks(who: Visitor, text: string): Promise<ChatAnswer> {
  return await who.ask(text);
}
