import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { BinPage, Deletion } from '../../contract/deletions.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { Conversation, DeskRecord } from '../../contract/records.ts';
import { archiveOf, archiveRecord, idOf, importArchive } from '../../testing/archives.ts';
import { embeddedOnly } from '../../testing/embedded-only.ts';
import { filesWith } from '../../testing/files-with.ts';
import { createPipe, createScriptedAnswerer, echo } from '../../testing/scripted-answerer.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { readVisibleData } from '../../testing/visible-data.ts';
import { createVisitor, type Reply, type Visitor } from '../../testing/visitor.ts';

const answerer = createScriptedAnswerer();
let visitor: Visitor;

const api = await startTestApi({ answerer });
afterAll(() => api.end());
beforeEach(() => {
  answerer.script = echo;
  visitor = createVisitor(api.url);
});

const ask = (text: string, more: object = {}, who = visitor) => who.ask(text, more);

function call(path: string, body: unknown, who = visitor): Promise<Reply<Deletion & ErrorBody>> {
  return who.call<Deletion & ErrorBody>('POST', `/api/${path}`, body);
}

async function erase(path: string, body: object, who = visitor): Promise<Deletion & { undoToken: string }> {
  const reply = await call(path, body, who);
  if (reply.status !== 200 || reply.body.undoToken === null)
    throw new Error(`expected a deletion, got ${reply.status} ${JSON.stringify(reply.body)}`);
  return { ...reply.body, undoToken: reply.body.undoToken };
}

function undo(undoToken: string, who = visitor) {
  return who.call<{ restored: number } & ErrorBody>('POST', '/api/undo_delete', { undoToken });
}

function purge(undoToken: string, who = visitor) {
  return who.call<{ purged: number } & ErrorBody>('POST', '/api/purge', { undoToken });
}

const questions = (records: readonly DeskRecord[]) => records.map(({ question }) => question).sort();

let made = 0;
/** Imports records with these fields and generated ids. */
async function given(records: readonly Partial<DeskRecord>[]): Promise<DeskRecord[]> {
  const full = records.map((record) => {
    made += 1;
    return archiveRecord(made, { id: idOf(made, 'e'), conversationId: idOf(made, 'f'), ...record });
  });
  expect((await importArchive(visitor, archiveOf(full))).status).toBe(200);
  return full;
}

const zhang = { id: '13800138000', name: '张三' };

describe('a deletion by contact', () => {
  test('deletes exactly the records of that contact, hides them everywhere, and can be undone exactly', async () => {
    const first = await ask('退款 apple', { contact: '+86 138-0013-8000', contactName: '张三' });
    await ask('发票 apple', { conversationId: first.conversationId, contact: 'li@example.com' });
    await ask('物流 apple', { contact: '13800138000' });
    await ask('apple for myself');
    await ask('similar apple', { contact: '138001380001' });
    await visitor.call('POST', '/api/feedback', { recordId: first.recordId, rating: 1, note: '好' });
    const before = await readVisibleData(visitor, 'apple');
    expect(before.total).toBe(5);

    const deletion = await erase('delete_by_contact', { contact: '138 0013 8000' });

    expect(deletion).toMatchObject({ matched: 2, deleted: 2 });
    const after = await readVisibleData(visitor, 'apple');
    expect(questions(after.records)).toEqual(['apple for myself', 'similar apple', '发票 apple']);
    expect(questions(after.found)).toEqual(questions(after.records));
    expect([after.total, after.stats.total]).toEqual([3, 3]);
    expect(after.contacts.map(({ id }) => id).sort()).toEqual(['138001380001', 'li@example.com']);
    expect(after.conversations.find(({ id }) => id === first.conversationId)).toMatchObject({
      title: '发票 apple',
      recordCount: 1,
      contact: { id: 'li@example.com' },
    });
    for (const [method, path, body] of [
      ['GET', `/api/chat/${first.recordId}`],
      ['POST', `/api/chat/${first.recordId}/retry`],
      ['POST', '/api/feedback', { recordId: first.recordId, rating: -1 }],
      ['POST', '/api/delete_by_ids', { ids: [first.recordId] }],
    ] as const) {
      expect((await visitor.call(method, path, body)).status).toBe(404);
    }

    expect((await undo(deletion.undoToken)).body).toEqual({ restored: 2 });
    expect(await readVisibleData(visitor, 'apple')).toEqual(before);
  });

  test('only counts, with a preview, in a dry run', async () => {
    const { conversationId } = await ask('one', { contact: 'li@example.com' });
    await ask('two', { contact: 'li@example.com', conversationId });
    await ask('three', { contact: 'li@example.com' });
    const before = await readVisibleData(visitor);

    const { body } = await call('delete_by_contact', { contact: 'LI@example.com', dryRun: true });

    expect(body).toEqual({
      matched: 3,
      deleted: 0,
      undoToken: null,
      undoUntil: null,
      undoDays: 7,
      preview: {
        conversations: 2,
        files: 0,
        firstAt: before.records[2]?.createdAt,
        lastAt: before.records[0]?.createdAt,
      },
    });
    expect(await readVisibleData(visitor)).toEqual(before);
    const nobody = await call('delete_by_contact', { contact: 'nobody', dryRun: true });
    expect(nobody.body.preview).toEqual({ conversations: 0, files: 0, firstAt: null, lastAt: null });
  });

  test('of an unknown contact deletes nothing and returns no token', async () => {
    await ask('one');
    const { status, body } = await call('delete_by_contact', { contact: 'nobody@example.com' });
    expect([status, body]).toEqual([
      200,
      { matched: 0, deleted: 0, undoToken: null, undoUntil: null, undoDays: 7 },
    ]);
    expect((await visitor.call<BinPage>('GET', '/api/bin')).body.deletions).toEqual([]);
  });

  test('with an empty contact deletes the questions asked for oneself', async () => {
    await ask('mine');
    await ask('theirs', { contact: 'li@example.com' });
    expect((await erase('delete_by_contact', { contact: '' })).deleted).toBe(1);
    expect(questions((await readVisibleData(visitor)).records)).toEqual(['theirs']);
  });

  test('by name deletes the only contact with that name; an ambiguous name deletes nothing and returns the choices', async () => {
    await ask('one', { contact: 'a@example.com', contactName: '李四' });
    await ask('two', { contact: 'c@example.com', contactName: '王五' });
    expect((await erase('delete_by_contact', { contact: '王五' })).deleted).toBe(1);

    await ask('three', { contact: 'b@example.com', contactName: '李四' });
    for (const [path, body] of [
      ['delete_by_contact', { contact: '李四' }],
      ['delete_by_contact', { contact: '李四', dryRun: true }],
      ['delete_by_date', { from: '2000-01-01', to: '2100-01-01', contact: '李四' }],
      ['delete_by_ids', { filter: { contact: '李四' } }],
    ] as const) {
      const reply = await call(path, body);
      expect([path, reply.status, reply.body.error]).toEqual([path, 409, 'ambiguous_contact']);
      expect(reply.body.choices?.map(({ id }) => id)).toEqual(['a@example.com', 'b@example.com']);
    }
    expect(questions((await readVisibleData(visitor)).records)).toEqual(['one', 'three']);
  });

  test('does not affect the same contact of another owner', async () => {
    const other = createVisitor(api.url);
    await ask('mine', { contact: 'li@example.com' });
    await ask('not mine', { contact: 'li@example.com' }, other);
    const before = await readVisibleData(other);
    const { undoToken } = await erase('delete_by_contact', { contact: 'li@example.com' });
    expect(await readVisibleData(other)).toEqual(before);
    expect((await undo(undoToken, other)).status).toBe(404);
    expect((await purge(undoToken, other)).status).toBe(404);
    expect((await purge(undoToken)).body).toEqual({ purged: 1 });
    expect(await readVisibleData(other)).toEqual(before);
  });

  test('deletes only what was asked before it', async () => {
    await ask('before', { contact: 'li@example.com' });
    const { undoToken } = await erase('delete_by_contact', { contact: 'li@example.com' });
    await ask('after', { contact: 'li@example.com' });
    expect(questions((await readVisibleData(visitor)).records)).toEqual(['after']);
    expect((await undo(undoToken)).body).toEqual({ restored: 1 });
    expect(questions((await readVisibleData(visitor)).records)).toEqual(['after', 'before']);
  });
});

describe('a deletion by date', () => {
  const at = (createdAt: string): Partial<DeskRecord> => ({
    createdAt: new Date(createdAt).toISOString(),
    question: createdAt,
  });

  test.each([
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
    ['America/Sao_Paulo', '2017-10-15', '2017-10-15T03:00:00.000Z', '2017-10-16T01:59:59.999Z'],
    ['Asia/Shanghai', '2026-01-05', '2026-01-04T16:00:00.000Z', '2026-01-05T15:59:59.999Z'],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', '2026-04-05T13:29:59.999Z'],
    [undefined, '2026-01-05', '2026-01-05T00:00:00.000Z', '2026-01-05T23:59:59.999Z'],
  ])('deletes the whole local day in %s: %s', async (tz, date, first, last) => {
    const justBefore = new Date(Date.parse(first) - 1).toISOString();
    const justAfter = new Date(Date.parse(last) + 1).toISOString();
    await given([justBefore, first, last, justAfter].map(at));
    const deletion = await erase('delete_by_date', { date, ...(tz ? { tz } : {}) });
    expect(deletion.deleted).toBe(2);
    expect(questions((await readVisibleData(visitor)).records)).toEqual([justBefore, justAfter]);
    const [entry] = (await visitor.call<BinPage>('GET', '/api/bin')).body.deletions;
    expect(entry).toMatchObject({ kind: 'date', from: date, to: date, tz: tz ?? 'UTC', contact: null });
    expect((await undo(deletion.undoToken)).body).toEqual({ restored: 2 });
    expect((await readVisibleData(visitor)).total).toBe(4);
  });

  test('deletes from the first to the last day, optionally of one contact', async () => {
    await given([
      at('2026-01-05T10:00Z'),
      { ...at('2026-01-06T10:00Z'), contact: zhang },
      { ...at('2026-01-07T10:00Z'), contact: zhang },
      at('2026-01-07T11:00Z'),
      { ...at('2026-01-08T10:00Z'), contact: zhang },
    ]);
    const days = { from: '2026-01-05', to: '2026-01-07' };
    expect((await erase('delete_by_date', { ...days, contact: '张三' })).deleted).toBe(2);
    expect((await erase('delete_by_date', { ...days, contact: '' })).deleted).toBe(2);
    expect((await readVisibleData(visitor)).records.map(({ question }) => question)).toEqual([
      '2026-01-08T10:00Z',
    ]);
  });

  test.each([
    [{}, 'date'],
    [{ date: '2026-02-30' }, 'date'],
    [{ date: { $gt: '' } }, 'date'],
    [{ from: '2026-01-01' }, 'to'],
    [{ to: '2026-01-01' }, 'from'],
    [{ from: '2026-01-02', to: '2026-01-01' }, 'to'],
    [{ date: '2026-01-01', from: '2026-01-01', to: '2026-01-01' }, 'date'],
    [{ date: '2026-01-01', tz: 'Mars/Olympus' }, 'tz'],
    [{ date: '2026-01-01', contact: ['x'] }, 'contact'],
    [{ date: '2026-01-01', dryRun: 'no' }, 'dryRun'],
    [{ date: '2026-01-01', dryrun: true }, 'dryrun'],
    [{ date: '2026-01-01', contcat: 'x' }, 'contcat'],
  ])('returns 400 for %j', async (body, field) => {
    const reply = await call('delete_by_date', body);
    expect([reply.status, reply.body.error, reply.body.field]).toEqual([400, 'invalid_request', field]);
  });
});

describe('a deletion by selection', () => {
  test('deletes exactly these records, each once', async () => {
    const [one, two] = [await ask('one'), await ask('two')];
    await ask('three');
    const ids = [one.recordId, two.recordId, one.recordId];
    const dry = await call('delete_by_ids', { ids, dryRun: true });
    expect(dry.body).toMatchObject({ matched: 2, deleted: 0, preview: { conversations: 2 } });
    const { undoToken } = await erase('delete_by_ids', { ids });
    expect(questions((await readVisibleData(visitor)).records)).toEqual(['three']);
    expect((await undo(undoToken)).body).toEqual({ restored: 2 });
  });

  test('deletes nothing if a record does not exist or belongs to another owner', async () => {
    const mine = await ask('mine');
    const foreign = await ask('foreign', {}, createVisitor(api.url));
    const gone = await ask('gone');
    await erase('delete_by_ids', { ids: [gone.recordId] });
    for (const id of [foreign.recordId, gone.recordId, idOf(1), 'x', '']) {
      for (const dryRun of [false, true]) {
        const { status, body } = await call('delete_by_ids', { ids: [mine.recordId, id], dryRun });
        expect([id, status, body.error]).toEqual([id, 404, 'not_found']);
      }
    }
    expect(questions((await readVisibleData(visitor)).records)).toEqual(['mine']);
  });

  test('deletes everything that a filter finds', async () => {
    await ask('apple pie', { contact: 'li@example.com' });
    await ask('apple juice');
    await ask('pear');
    const { undoToken } = await erase('delete_by_ids', { filter: { text: 'apple' } });
    expect(questions((await readVisibleData(visitor)).records)).toEqual(['pear']);
    await undo(undoToken);
    const both = { text: 'apple', contact: 'li@example.com' };
    expect((await erase('delete_by_ids', { filter: both })).deleted).toBe(1);
    expect((await erase('delete_by_ids', { filter: {} })).deleted).toBe(2);
    expect((await readVisibleData(visitor)).records).toEqual([]);
  });

  test.each([{ contact: 'li@example.com' }, { text: '“a pear”', contact: 'li@example.com' }])(
    'counts what %p finds, with a preview, and deletes nothing',
    async (filter) => {
      const { conversationId } = await ask('is a pear one', { contact: 'li@example.com' });
      await ask('is a pear two', { contact: 'li@example.com', conversationId });
      await ask('is a pear three', { contact: 'li@example.com' });
      await ask('is a pear for me');
      const before = await readVisibleData(visitor);

      const { body } = await call('delete_by_ids', { filter, dryRun: true });

      expect(body).toEqual({
        matched: 3,
        deleted: 0,
        undoToken: null,
        undoUntil: null,
        undoDays: 7,
        preview: {
          conversations: 2,
          files: 0,
          firstAt: before.records[3]?.createdAt,
          lastAt: before.records[1]?.createdAt,
        },
      });
      expect(await readVisibleData(visitor)).toEqual(before);
      const nothing = await call('delete_by_ids', { filter: { text: 'quince' }, dryRun: true });
      expect(nothing.body).toMatchObject({ matched: 0, preview: { conversations: 0, firstAt: null } });
    },
  );

  test('of too many records is refused with a clear message', async () => {
    const ids = Array.from({ length: 5001 }, (_, n) => idOf(n));
    const { status, body } = await call('delete_by_ids', { ids });
    expect([status, body.error, body.msg]).toEqual([
      413,
      'too_large',
      '一次最多选择 5,000 条记录，没有删除任何内容',
    ]);
  });

  test.each([
    [{}, 'ids'],
    [{ ids: [] }, 'ids'],
    [{ ids: ['a'], filter: {} }, 'ids'],
    [{ ids: 'a' }, 'ids'],
    [{ ids: [{ $gt: '' }] }, 'ids.0'],
    [{ filter: { from: '2026-1-1' } }, 'filter.from'],
    [{ filter: { contact: { $ne: null } } }, 'filter.contact'],
    [{ filter: { $gt: '' } }, 'filter.$gt'],
    [{ filter: { txt: 'x' } }, 'filter.txt'],
    [{ filter: {}, dryrun: true }, 'dryrun'],
    [{ filter: null }, 'filter'],
  ])('returns 400 for %j', async (body, field) => {
    const reply = await call('delete_by_ids', body);
    expect([reply.status, reply.body.field]).toEqual([400, field]);
  });
});

describe('a conversation that loses records', () => {
  const conversation = async (id: string) =>
    (await readVisibleData(visitor)).conversations.find((one) => one.id === id);

  test('is hidden with the last record, and restored with the first', async () => {
    const { conversationId, recordId } = await ask('one', { contact: 'a@example.com' });
    await ask('two', { contact: 'b@example.com', conversationId });
    const before = await conversation(conversationId);
    const a = await erase('delete_by_contact', { contact: 'a@example.com' });
    expect(await conversation(conversationId)).toMatchObject({ title: 'two', recordCount: 1 });
    const b = await erase('delete_by_contact', { contact: 'b@example.com' });
    expect(await conversation(conversationId)).toBeUndefined();
    for (const [method, path, body] of [
      ['GET', `/api/conversations/${conversationId}/records`],
      ['PATCH', `/api/conversations/${conversationId}`, { title: 'x' }],
      ['DELETE', `/api/conversations/${conversationId}`],
      ['POST', '/api/chat', { text: 'x', conversationId }],
    ] as const) {
      expect((await visitor.call(method, path, body)).status).toBe(404);
    }
    await undo(a.undoToken);
    expect(await conversation(conversationId)).toMatchObject({
      title: 'one',
      recordCount: 1,
      contact: { id: 'a@example.com' },
      records: [{ id: recordId }],
    });
    await undo(b.undoToken);
    expect(await conversation(conversationId)).toEqual(before);
  });

  test('keeps the title set by its owner', async () => {
    const { conversationId } = await ask('secret words', { contact: 'a@example.com' });
    await ask('two', { conversationId });
    await visitor.call<Conversation>('PATCH', `/api/conversations/${conversationId}`, { title: 'Mine' });
    const { undoToken } = await erase('delete_by_contact', { contact: 'a@example.com' });
    expect(await conversation(conversationId)).toMatchObject({ title: 'Mine', recordCount: 1 });
    await purge(undoToken);
    expect(await conversation(conversationId)).toMatchObject({ title: 'Mine', recordCount: 1 });
  });

  test('keeps the right count while questions are added', async () => {
    const { conversationId } = await ask('q0', { contact: 'a@example.com' });
    const asking = Array.from({ length: 8 }, (_, n) => ask(`more ${n}`, { conversationId }));
    const deleting = erase('delete_by_contact', { contact: 'a@example.com' });
    await Promise.all(asking);
    const { undoToken } = await deleting;
    const between = await conversation(conversationId);
    expect(between?.recordCount).toBe(between?.records.length);
    await Promise.all([undo(undoToken), ask('last', { conversationId })]);
    const after = await conversation(conversationId);
    expect([after?.recordCount, after?.records.length]).toEqual([10, 10]);
    expect(after?.title).toBe('q0');
  });
});

describe('overlapping deletions', () => {
  test('each delete what exists at that time, and restore no more than that', async () => {
    const [a1] = await given([
      { question: 'a1', contact: zhang, createdAt: '2026-01-05T10:00:00.000Z' },
      { question: 'a2', contact: zhang, createdAt: '2026-01-06T10:00:00.000Z' },
      { question: 'b1', createdAt: '2026-01-05T11:00:00.000Z' },
      { question: 'b2', createdAt: '2026-01-06T11:00:00.000Z' },
    ]);
    const seen = async () => questions((await readVisibleData(visitor)).found);
    const byIds = await erase('delete_by_ids', { ids: [a1?.id ?? ''] });
    const byContact = await erase('delete_by_contact', { contact: zhang.id });
    const byDate = await erase('delete_by_date', { date: '2026-01-05' });
    expect([byIds.deleted, byContact.deleted, byDate.deleted]).toEqual([1, 1, 1]);
    expect(await seen()).toEqual(['b2']);
    await undo(byDate.undoToken);
    expect(await seen()).toEqual(['b1', 'b2']);
    await purge(byContact.undoToken);
    await undo(byIds.undoToken);
    expect(await seen()).toEqual(['a1', 'b1', 'b2']);
  });
});

describe('an answer in progress', () => {
  test('is stopped with its record, cannot be found, and is restored with the partial answer', async () => {
    const pipe = createPipe();
    answerer.script = pipe.script;
    const stream = visitor.events('POST', '/api/chat', { text: 'quince', contact: 'a@example.com' });
    const record = (await stream.next()).value;
    if (record?.event !== 'record') throw new Error('expected the record first');
    pipe.say('medlar ');
    await stream.next();
    const { undoToken } = await erase('delete_by_contact', { contact: 'a@example.com' });
    expect((await stream.next()).value).toMatchObject({ event: 'done', data: { status: 'stopped' } });
    const search = async (text: string) =>
      (await visitor.call<{ total: number }>('POST', '/api/search', { text })).body.total;
    expect([await search('quince'), await search('medlar')]).toEqual([0, 0]);
    expect((await undo(undoToken)).body).toEqual({ restored: 1 });
    expect([await search('quince'), await search('medlar')]).toEqual([1, 1]);
    const [back] = (await readVisibleData(visitor)).records;
    expect(back).toMatchObject({ question: 'quince', answer: 'medlar ', status: 'stopped' });
  });
});

describe('an undo token', () => {
  test('is reported as not found if wrong, as used if used, and as expired after a purge', async () => {
    await ask('one', { contact: 'a@example.com' });
    for (const verb of [undo, purge]) {
      const { status, body } = await verb('no-such-token');
      expect([status, body.error]).toEqual([404, 'not_found']);
    }
    const first = await erase('delete_by_contact', { contact: 'a@example.com' });
    await undo(first.undoToken);
    for (const verb of [undo, purge]) {
      const { status, body } = await verb(first.undoToken);
      expect([status, body.error]).toEqual([409, 'undo_used']);
    }
    const second = await erase('delete_by_contact', { contact: 'a@example.com' });
    expect((await purge(second.undoToken)).body).toEqual({ purged: 1 });
    for (const verb of [undo, purge]) {
      const { status, body } = await verb(second.undoToken);
      expect([status, body.error]).toEqual([410, 'expired']);
    }
  });

  test('works for exactly one of several concurrent undos', async () => {
    await ask('one', { contact: 'a@example.com' });
    const { undoToken } = await erase('delete_by_contact', { contact: 'a@example.com' });
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await undo(undoToken)).status));
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409]);
  });

  test.each([[{}], [{ undoToken: 7 }], [{ undoToken: '' }], [{ undoToken: { $gt: '' } }]])(
    'returns 400 as %j',
    async (body) => {
      expect((await call('undo_delete', body)).status).toBe(400);
      expect((await call('purge', body)).status).toBe(400);
    },
  );
});

test.each([
  [{}, 'contact'],
  [{ contact: null }, 'contact'],
  [{ contact: { $ne: '' } }, 'contact'],
  [{ contact: 'x'.repeat(121) }, 'contact'],
  [{ contact: 'x', dryRun: 1 }, 'dryRun'],
  [{ contact: 'x', dryrun: true }, 'dryrun'],
])('a deletion by contact returns 400 for %j', async (body, field) => {
  const reply = await call('delete_by_contact', body);
  expect([reply.status, reply.body.error, reply.body.field]).toEqual([400, 'invalid_request', field]);
});

describe('the bin', () => {
  test('lists what can be undone, newest first, in pages', async () => {
    const tokens: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await ask(name, { contact: `${name}@example.com`, contactName: name.toUpperCase() });
      tokens.unshift((await erase('delete_by_contact', { contact: `${name}@example.com` })).undoToken);
    }
    await undo(tokens[1] ?? '');
    await purge(tokens[3] ?? '');
    const bin = async (query: string) => (await visitor.call<BinPage>('GET', `/api/bin${query}`)).body;
    const first = await bin('?limit=2');
    const second = await bin(`?limit=2&cursor=${first.nextCursor}`);
    const seen = [...first.deletions, ...second.deletions];
    expect(seen.map(({ undoToken }) => undoToken)).toEqual([tokens[0], tokens[2], tokens[4]]);
    expect(second.nextCursor).toBeNull();
    expect(seen[0]).toMatchObject({
      kind: 'contact',
      title: '',
      contact: { id: 'e@example.com', name: 'E' },
      from: '',
      to: '',
      tz: '',
      matched: 1,
    });
    expect(Date.parse(seen[0]?.undoUntil ?? '')).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
    expect((await createVisitor(api.url).call<BinPage>('GET', '/api/bin')).body.deletions).toEqual([]);
    expect((await visitor.call('GET', '/api/bin?cursor=nonsense')).status).toBe(400);
  });

  test('shows a deleted conversation by its title, and the number of days left', async () => {
    const made = await ask('the weather');
    const renamed = await ask('untitled');
    await visitor.call('PATCH', `/api/conversations/${renamed.conversationId}`, { title: 'Refunds' });
    for (const { conversationId } of [made, renamed])
      await visitor.call('DELETE', `/api/conversations/${conversationId}`);

    const { body } = await visitor.call<BinPage>('GET', '/api/bin');

    expect(body.deletions.map(({ kind, title }) => [kind, title])).toEqual([
      ['conversation', 'Refunds'],
      ['conversation', 'the weather'],
    ]);
    expect(body.undoDays).toBe(7);
  });
});

const isInFiles = async (word: string) => (await filesWith(api.dataDir, word)).length > 0;

embeddedOnly('an account that is deleted leaves none of its words in any file', async () => {
  const words = ['凤梨酥', 'wombats', 'gneiss@example.com'];
  await visitor.signUp('leaver', 'correct horse');
  await visitor.signIn('leaver', 'correct horse');
  const { conversationId } = await ask('凤梨酥 and wombats', { contact: 'gneiss@example.com' });
  await ask('ordinary', { conversationId });
  for (const word of words) expect([word, await isInFiles(word)]).toEqual([word, true]);

  const gone = await visitor.call('DELETE', '/admin/account', { password: 'correct horse' });

  expect(gone.status).toBe(200);
  for (const word of words) expect([word, await isInFiles(word)]).toEqual([word, false]);
});

describe('a purge', () => {
  embeddedOnly(
    'leaves no word of it in any file: question, answer, title, contact, what it was deleted by',
    async () => {
      const words = ['杨枝甘露', 'zyzzyvas', 'feldspar@example.com', '慕容复', 'quokkas', '枇杷膏'];
      const who = { contact: 'feldspar@example.com', contactName: '慕容复' };
      const { conversationId } = await ask('杨枝甘露 and zyzzyvas', who);
      await ask(`quokkas ${'枇杷膏好吃 '.repeat(40)}`, who);
      await ask('harmless', { conversationId });
      const kept = await ask('ordinary heron');
      await ask('zyzzyvas once more', {});
      for (const word of words) expect([word, await isInFiles(word)]).toEqual([word, true]);

      const byContact = await erase('delete_by_contact', { contact: '慕容复' });
      const byWords = await erase('delete_by_ids', { filter: { text: 'zyzzyvas' } });
      expect((await purge(byContact.undoToken)).body).toEqual({ purged: 2 });
      expect((await purge(byWords.undoToken)).body).toEqual({ purged: 1 });

      for (const word of words) expect([word, await isInFiles(word)]).toEqual([word, false]);
      expect(await isInFiles('heron')).toBe(true);
      const desk = await readVisibleData(visitor);
      expect(questions(desk.records)).toEqual(['harmless', 'ordinary heron']);
      expect(desk.conversations.map(({ id, title }) => [id, title])).toEqual([
        [kept.conversationId, 'ordinary heron'],
        [conversationId, 'harmless'],
      ]);
    },
  );
});
