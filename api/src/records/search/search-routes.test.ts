import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ChatAnswer } from '../../contract/chat.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { DeskRecord } from '../../contract/records.ts';
import type { ContactPage, RecordStats, SearchPage, SearchRequest } from '../../contract/search.ts';
import { createPipe, createScriptedAnswerer, echo, final } from '../../testing/scripted-answerer.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { until } from '../../testing/until.ts';
import { createVisitor, type Visitor } from '../../testing/visitor.ts';

const answerer = createScriptedAnswerer();
let visitor: Visitor;

const api = await startTestApi({ answerer });
afterAll(() => api.end());
beforeEach(() => {
  answerer.script = echo;
  visitor = createVisitor(api.url);
});

const ask = (text: string, more: object = {}, who = visitor) => who.ask(text, more);

async function search(request: SearchRequest, who = visitor): Promise<SearchPage> {
  const { status, body } = await who.call<SearchPage>('POST', '/api/search', request);
  expect(status).toBe(200);
  return body;
}

async function found(request: SearchRequest, who = visitor): Promise<string[]> {
  return (await search(request, who)).records.map(({ question }) => question);
}

async function stats(query = '', who = visitor): Promise<RecordStats> {
  const { status, body } = await who.call<RecordStats>('GET', `/api/stats${query}`);
  expect(status).toBe(200);
  return body;
}

async function contacts(query = '', who = visitor): Promise<ContactPage> {
  const { status, body } = await who.call<ContactPage>('GET', `/api/contacts${query}`);
  expect(status).toBe(200);
  return body;
}

const nameless = (id: string) => ({ id, name: '' });

describe('search', () => {
  test('returns the positions of the words in question and answer', async () => {
    await ask('如何申請退款？ Refunds, please');

    const { records, total, totalIsMore } = await search({ text: '申请退款 refund' });

    expect({ total, totalIsMore }).toEqual({ total: 1, totalIsMore: false });
    const [record] = records;
    const marked = record!.highlights.map(({ field, start, end }) => [
      field,
      record![field].slice(start, end),
    ]);
    expect(marked).toEqual([
      ['question', '申請退款'],
      ['question', 'Refunds'],
      ['answer', '申請退款'],
      ['answer', 'Refunds'],
    ]);
  });

  test('finds a quoted phrase literally, and its words anywhere without quotation marks', async () => {
    await ask('the order is late');
    await ask('is the late order here');

    expect(await found({ text: 'order late' })).toHaveLength(2);
    expect(await found({ text: '"order is  LATE"' })).toEqual(['the order is late']);
    expect(await found({ text: '“late orders”' })).toEqual([]);
    expect(await found({ text: '"lat"' })).toEqual([]);
  });

  test('finds words of the answer once it is complete', async () => {
    answerer.script = async function* () {
      yield { kind: 'text', text: '请在 7 天内寄回。' };
      yield final;
    };
    await ask('怎么退');

    expect(await found({ text: '寄回' })).toEqual(['怎么退']);
    expect(await found({ text: '寄' })).toEqual(['怎么退']);
    expect(await found({ text: '7' })).toEqual(['怎么退']);
    expect(await found({ text: '回寄' })).toEqual([]);
  });

  test('a question can be found while it is being answered', async () => {
    await ask('who asks');
    const pipe = createPipe();
    answerer.script = pipe.script;
    const asked = visitor.call<ChatAnswer>('POST', '/api/chat', { text: '正在回答的问题' });
    pipe.say('一');
    await until(async () => (await found({ text: '正在回答' })).length === 1);
    pipe.close();
    await asked;

    expect(await found({ text: '正在回答', source: 'document' })).toEqual(['正在回答的问题']);
    expect(await found({ text: '正在回答', source: 'none' })).toEqual([]);
  });

  test('an answer that completes on an erased record is found only after an undo', async () => {
    await ask('who asks');
    const pipe = createPipe();
    answerer.script = pipe.script;
    const text = 'erased while it is answered';
    const asked = visitor.call('POST', '/api/chat', { text });
    pipe.say('said in time');
    // The record can be found before its conversation exists; the answer starts after both.
    await until(() => answerer.asked.some((question) => question.text === text));
    const { conversationId } = (await search({ text: 'erased' })).records[0]!;

    const erased = await visitor.call<{ undoToken: string }>(
      'DELETE',
      `/api/conversations/${conversationId}`,
    );
    expect(erased.status).toBe(200);
    expect(await search({ text: 'erased' })).toMatchObject({ records: [], total: 0 });
    await asked;
    expect(await search({ text: 'erased' })).toMatchObject({ records: [], total: 0 });
    expect(await found({ text: 'time' })).toEqual([]);
    await visitor.call('POST', '/api/undo_delete', { undoToken: erased.body.undoToken });

    expect(await found({ text: 'erased time' })).toEqual(['erased while it is answered']);
  });

  test('a new answer replaces the previous one', async () => {
    answerer.script = async function* () {
      yield { kind: 'text', text: 'Ask the warehouse.' };
      yield final;
    };
    const { recordId } = await ask('where is it');
    await visitor.call('POST', '/api/feedback', { recordId, rating: -1 });
    answerer.script = async function* () {
      yield { kind: 'text', text: 'Ask the carrier.' };
      yield final;
    };
    await visitor.call('POST', `/api/chat/${recordId}/retry`);

    expect(await found({ text: 'warehouse' })).toEqual([]);
    expect(await found({ text: 'carrier', feedback: 'none' })).toEqual(['where is it']);
    expect(await found({ feedback: 'down' })).toEqual([]);
  });

  test('a retry that fails before it begins leaves answer and rating unchanged', async () => {
    const { recordId } = await ask('keep what was said');
    await visitor.call('POST', '/api/feedback', { recordId, rating: 1 });
    answerer.script = () => {
      throw new Error('the answerer is broken');
    };
    const retried = await visitor.call('POST', `/api/chat/${recordId}/retry`);

    expect(retried.status).toBeGreaterThanOrEqual(500);
    expect(await found({ text: 'said', feedback: 'up', source: 'document' })).toEqual(['keep what was said']);
  });

  test.each(['？！', '%', '--', '🎉'])('a text without letters or digits finds nothing: %s', async (text) => {
    await ask(`sure${text}`);

    expect(await found({ text })).toEqual([]);
    expect(await found({ text: ' ' })).toEqual([`sure${text}`]);
  });

  test('filters by contact in any notation, and by oneself', async () => {
    await ask('for a phone', { contact: '+86 138-0013-8000', contactName: '张三' });
    await ask('again for it', { contact: '13800138000' });
    await ask('for me');

    expect(await found({ contact: '138 0013 8000' })).toEqual(['again for it', 'for a phone']);
    expect(await found({ contact: '张三', text: 'phone' })).toEqual(['for a phone']);
    expect(await found({ contact: '' })).toEqual(['for me']);
    expect(await found({ contact: '1380013800' })).toEqual([]);
  });

  test('an ambiguous contact name returns the choices', async () => {
    await ask('one', { contact: '10001', contactName: '张三' });
    await ask('two', { contact: '10002', contactName: '张三' });

    const { status, body } = await visitor.call<ErrorBody>('POST', '/api/search', { contact: '张三' });
    const told = await visitor.call<ErrorBody>('GET', `/api/stats?contact=${encodeURIComponent('张三')}`);

    expect(status).toBe(409);
    expect(body.error).toBe('ambiguous_contact');
    expect(body.choices).toEqual([
      { id: '10001', name: '张三' },
      { id: '10002', name: '张三' },
    ]);
    expect(told.status).toBe(409);
  });

  test('two owners with the same contact only see their own records', async () => {
    const other = createVisitor(api.url);
    await ask('mine', { contact: '10086' });
    await ask('theirs', { contact: '10086' }, other);

    expect(await found({ contact: '10086' })).toEqual(['mine']);
    expect(await found({ text: 'mine' }, other)).toEqual([]);
    expect(await contacts('', other)).toEqual({ contacts: [nameless('10086')], nextCursor: null });
    expect((await stats('', other)).total).toBe(1);
  });

  test('omits erased records, and finds them again after an undo', async () => {
    const { conversationId } = await ask('gone for a while');
    const erased = await visitor.call<{ undoToken: string }>(
      'DELETE',
      `/api/conversations/${conversationId}`,
    );

    expect(await search({ text: 'gone' })).toMatchObject({ records: [], total: 0 });
    expect(await stats()).toMatchObject({ total: 0, medianMs: null });
    await visitor.call('POST', '/api/undo_delete', { undoToken: erased.body.undoToken });
    expect(await found({ text: 'gone' })).toEqual(['gone for a while']);
  });

  test('finds conversations by all words of a title that the owner has set, and by phrases as they are written', async () => {
    const titles = ['Moving the office to Berlin', 'The office in Berlin is moving'];
    for (const title of titles) {
      const { conversationId } = await ask('where');
      await visitor.call('PATCH', `/api/conversations/${conversationId}`, { title });
    }
    await ask('Moving the office to Berlin');
    const titled = async (text: string) =>
      (await search({ text })).conversations?.map(({ title }) => title) ?? [];

    expect(await titled('berlin office')).toEqual(titles.toReversed());
    expect(await titled('"the office to berlin"')).toEqual([titles[0]]);
    expect(await titled('"the berlin office"')).toEqual([]);
  });

  test("an adopted guest's records, contacts and cursors stay valid", async () => {
    for (const n of [1, 2, 3]) await ask(`question ${n}`, { contact: '10010', contactName: 'Ann' });
    const first = await search({ text: 'question', limit: 2 });
    await visitor.signUp('search-guest', 'long-secret');

    const second = await search({ text: 'question', limit: 2, cursor: first.nextCursor! });

    expect(second.records.map(({ question }) => question)).toEqual(['question 1']);
    expect(second).toMatchObject({ total: 3, nextCursor: null });
    expect((await contacts()).contacts).toEqual([{ id: '10010', name: 'Ann' }]);
  });

  test('a cursor is only valid for its own filter', async () => {
    for (const n of [1, 2, 3]) await ask(`question ${n}`);
    const { nextCursor } = await search({ text: 'question', limit: 1 });
    expect(nextCursor).not.toBeNull();

    const others = [
      {},
      { text: 'question', source: 'document' },
      { text: 'question 1' },
      { text: 'question', from: '2020-01-01' },
      { text: 'question', to: '2100-01-01' },
    ];
    for (const other of others) {
      const { status, body } = await visitor.call<ErrorBody>('POST', '/api/search', {
        ...other,
        cursor: nextCursor,
      });
      expect([status, body.field]).toEqual([400, 'cursor']);
    }
    const { status } = await visitor.call('GET', `/api/records?cursor=${nextCursor}`);
    expect(status).toBe(400);
  });

  test.each(['question', '“question”'])(
    'the cursor of %s contains the total of the first page, and no other total is accepted',
    async (text) => {
      for (const n of [1, 2, 3]) await ask(`question ${n}`);
      const first = await search({ text, limit: 1 });
      await ask('question 4');

      const second = await search({ text, limit: 1, cursor: first.nextCursor! });
      expect([second.records[0]?.question, second.total]).toEqual(['question 2', 3]);

      const parts = JSON.parse(Buffer.from(first.nextCursor!, 'base64url').toString()) as unknown[];
      for (const total of [[], [-1], [10_002], [2.5], ['3'], [null], [3, 3], [{ $gt: 0 }]]) {
        const forged = Buffer.from(JSON.stringify([...parts.slice(0, 3), ...total])).toString('base64url');
        const { status, body } = await visitor.call<ErrorBody>('POST', '/api/search', {
          text,
          cursor: forged,
        });
        expect([total, status, body.field]).toEqual([total, 400, 'cursor']);
      }
    },
  );

  const wrong: [string, object][] = [
    ['text', { text: { $gt: '' } }],
    ['text', { text: 'x'.repeat(1001) }],
    ['text', { text: ['退款'] }],
    ['contact', { contact: { $ne: null } }],
    ['contact', { contact: 'x'.repeat(121) }],
    ['from', { from: { $gt: '' } }],
    ['from', { from: '2026-02-30' }],
    ['to', { to: '2026-1-1' }],
    ['to', { from: '2026-01-02', to: '2026-01-01' }],
    ['tz', { tz: { $gt: '' } }],
    ['tz', { tz: 'Mars/Phobos' }],
    ['source', { source: { $ne: 'none' } }],
    ['source', { source: 'all' }],
    ['feedback', { feedback: { $in: [] } }],
    ['feedback', { feedback: 1 }],
    ['cursor', { cursor: { $gt: '' } }],
    ['cursor', { cursor: 'nonsense' }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 101 }],
    ['limit', { limit: 1.5 }],
    ['limit', { limit: '20' }],
  ];
  test.each(wrong)('refuses an invalid %s (%#)', async (field, request) => {
    const { status, body } = await visitor.call<ErrorBody>('POST', '/api/search', request);

    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'invalid_request', field });
  });

  test('whole days are those of the time zone', async () => {
    await ask('today');
    const today = (tz: string) => new Intl.DateTimeFormat('en-CA', { timeZone: tz }).format(new Date());
    for (const tz of ['Asia/Shanghai', 'America/New_York', 'Pacific/Kiritimati']) {
      const day = today(tz);
      expect(await found({ from: day, to: day, tz })).toEqual(['today']);
    }
    expect(await found({ to: '2000-01-01' })).toEqual([]);
  });
});

describe('one record', () => {
  test('can only be read by its owner', async () => {
    const { recordId } = await ask('mine');

    const { status, body } = await visitor.call<DeskRecord>('GET', `/api/records/${recordId}`);
    const others = await createVisitor(api.url).call<ErrorBody>('GET', `/api/records/${recordId}`);

    expect([status, body.question]).toEqual([200, 'mine']);
    expect([others.status, others.body.error]).toEqual([404, 'not_found']);
  });

  test.each(['000000000000000000000000', 'x', '%00', '[object Object]'])(
    '%p is not a valid id',
    async (id) => {
      expect((await visitor.call('GET', `/api/records/${encodeURIComponent(id)}`)).status).toBe(404);
    },
  );
});

describe('contacts', () => {
  test('are listed most recently used first, once each, with their latest name', async () => {
    await ask('1', { contact: '+86 138-0013-8000', contactName: '张三' });
    await ask('2', { contact: 'Li@Example.com' });
    await ask('3', { contact: '13800138000', contactName: '张三丰' });
    await ask('4', { contact: '１３８ ００１３ ８０００' });
    await ask('5');

    expect(await contacts()).toEqual({
      contacts: [{ id: '13800138000', name: '张三丰' }, nameless('li@example.com')],
      nextCursor: null,
    });
  });

  test.each([
    ['+86 138-0013-8000', ['13800138000']],
    ['0013-80', ['13800138000']],
    ['EXAMPLE', ['li@example.com']],
    ['張', ['13800138000']],
    ['ｌｉ@', ['li@example.com']],
    ['王', []],
  ])('are found by a part of id or name: %s', async (q, expected) => {
    await ask('1', { contact: '13800138000', contactName: '张三' });
    await ask('2', { contact: 'li@example.com' });

    const { contacts: listed } = await contacts(`?q=${encodeURIComponent(q)}`);

    expect(listed.map(({ id }) => id)).toEqual(expected);
  });

  test('pages have no gaps, and a cursor is only valid for its own search', async () => {
    for (const n of [1, 2, 3, 4, 5]) await ask('q', { contact: `c${n}` });
    const all: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await contacts(`?q=C&limit=2${cursor && `&cursor=${cursor}`}`);
      all.push(...page.contacts.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    const { nextCursor } = await contacts('?q=C&limit=2');

    expect(all).toEqual(['c5', 'c4', 'c3', 'c2', 'c1']);
    for (const query of [`?cursor=${nextCursor}`, `?q=c1&cursor=${nextCursor}`, '?cursor=x', '?q=a&q=b']) {
      expect((await visitor.call('GET', `/api/contacts${query}`)).status).toBe(400);
    }
  });

  test('two concurrent first questions for the same contact create one contact', async () => {
    await ask('a guest by now');
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => ask(`at once ${n}`, { contact: 'new@example.com' })),
    );

    expect((await contacts()).contacts).toEqual([nameless('new@example.com')]);
    expect((await search({ contact: 'new@example.com' })).total).toBe(8);
  });
});

describe('feedback', () => {
  test('is stored with the record, changed and withdrawn', async () => {
    const { recordId } = await ask('rate me');
    const rate = async (rating: number, note?: string) => {
      const { status, body } = await visitor.call('POST', '/api/feedback', { recordId, rating, note });
      expect([status, body]).toEqual([200, { recordId, rating }]);
      return (await visitor.call<DeskRecord>('GET', `/api/records/${recordId}`)).body.feedback;
    };

    expect(await rate(1, '  thanks ')).toEqual({ rating: 1, note: 'thanks' });
    expect(await rate(1)).toEqual({ rating: 1, note: 'thanks' });
    expect(await found({ feedback: 'up' })).toEqual(['rate me']);
    expect(await rate(-1)).toEqual({ rating: -1, note: '' });
    expect(await found({ feedback: 'up' })).toEqual([]);
    expect(await found({ feedback: 'down', text: 'rate' })).toEqual(['rate me']);
    expect(await rate(0)).toBeNull();
    expect(await found({ feedback: 'none' })).toEqual(['rate me']);
  });

  test('is refused for records of others and for erased ones', async () => {
    const { recordId, conversationId } = await ask('mine');
    const other = createVisitor(api.url);
    await ask('to be somebody', {}, other);
    const give = (who: Visitor) => who.call('POST', '/api/feedback', { recordId, rating: -1 });

    expect((await give(other)).status).toBe(404);
    await visitor.call('DELETE', `/api/conversations/${conversationId}`);
    expect((await give(visitor)).status).toBe(404);
    expect(await stats()).toMatchObject({ satisfaction: { up: 0, down: 0 } });
  });

  test.each([
    ['recordId', { recordId: { $gt: '' }, rating: 1 }],
    ['rating', { recordId: '0', rating: 2 }],
    ['rating', { recordId: '0', rating: '1' }],
    ['rating', { recordId: '0' }],
    ['note', { recordId: '0', rating: 1, note: 'x'.repeat(2001) }],
    ['note', { recordId: '0', rating: 1, note: { $gt: '' } }],
  ])('refuses an invalid %s (%#)', async (field, request) => {
    const { status, body } = await visitor.call<ErrorBody>('POST', '/api/feedback', request);

    expect([status, body.field]).toEqual([400, field]);
  });
});

describe('statistics', () => {
  test('match the results of a search', async () => {
    answerer.script = async function* () {
      yield { kind: 'text', text: 'I do not know.' };
      yield { kind: 'final', source: 'none', citations: [], suggestions: [] };
    };
    await ask('nobody knows', { contact: '10001', contactName: 'Ann' });
    answerer.script = echo;
    const good = await ask('known well', { contact: '10001' });
    const bad = await ask('known badly');
    await ask('known too', { contact: '10001' });
    await visitor.call('POST', '/api/feedback', { recordId: good.recordId, rating: 1 });
    await visitor.call('POST', '/api/feedback', { recordId: bad.recordId, rating: -1 });

    const all = await stats('?tz=Asia/Shanghai');

    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Shanghai' }).format(new Date());
    expect(all).toEqual({
      total: 4,
      answered: 3,
      unanswered: 1,
      bySource: { curated: 0, document: 3, model: 0, person: 0, none: 1 },
      byOutcome: { answered: 3, related: 0, nothing: 1 },
      byDay: [{ day, count: 4 }],
      byContact: [
        { contact: { id: '10001', name: 'Ann' }, count: 3 },
        { contact: null, count: 1 },
      ],
      satisfaction: { up: 1, down: 1 },
      medianMs: expect.any(Number),
    });
    expect((await search({})).total).toBe(4);
    expect((await stats('?text=known&feedback=up')).total).toBe(
      (await search({ text: 'known', feedback: 'up' })).total,
    );
    expect((await stats('?contact=')).byContact).toEqual([{ contact: null, count: 1 }]);
  });

  test.each([
    '?from=2026-02-30',
    '?tz=x',
    '?source=x',
    '?from=2026-01-02&to=2026-01-01',
    '?text=a&text=b',
    '?text[$gt]=',
  ])('refuse the filter %s', async (query) => {
    expect((await visitor.call('GET', `/api/stats${query}`)).status).toBe(400);
  });
});
