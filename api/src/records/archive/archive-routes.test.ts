import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { Deletion } from '../../contract/deletions.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { ConversationPage, RecordPage } from '../../contract/records.ts';
import type { ContactPage, SearchPage } from '../../contract/search.ts';
import {
  archiveOf,
  archiveRecord,
  exportJson,
  idOf,
  importArchive,
  importPieces,
  withoutDate,
} from '../../testing/archives.ts';
import { createPipe, createScriptedAnswerer, echo } from '../../testing/scripted-answerer.ts';
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

const ask = (text: string, more: object = {}) => visitor.ask(text, more);

async function questions(who = visitor): Promise<string[]> {
  const { body } = await who.call<RecordPage>('GET', '/api/records?limit=100');
  return body.records.map(({ question }) => question);
}

async function conversationsOf(who = visitor): Promise<ConversationPage['conversations']> {
  return (await who.call<ConversationPage>('GET', '/api/conversations?limit=100')).body.conversations;
}

test('an export is a file of the records, newest first, and their conversations', async () => {
  const { conversationId, recordId } = await ask('one', {
    contact: '+86 138-0013-8000',
    contactName: '王芳',
  });
  await ask('two', { conversationId });

  const response = await visitor.fetch('POST', '/api/export', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ filter: {}, format: 'json' }),
  });
  const archive = (await response.json()) as Awaited<ReturnType<typeof exportJson>>;

  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Disposition')).toMatch(
    /^attachment; filename="desk-\d{4}-\d\d-\d\d\.json"; filename\*=UTF-8''%E5%92%A8%E8%AF%A2/,
  );
  expect(archive).toMatchObject({ format: 'consultation-desk-records', version: 1 });
  expect(archive.records.map(({ question }) => question)).toEqual(['two', 'one']);
  expect(archive.records[1]).toMatchObject({ id: recordId, contact: { id: '13800138000', name: '王芳' } });
  expect(archive.conversations).toMatchObject([{ id: conversationId, recordCount: 2, title: 'one' }]);
});

test('an export by filter contains what search finds, and only the conversations of these records', async () => {
  await ask('alpha one');
  const { conversationId } = await ask('beta two');
  await ask('alpha three');

  const { records, conversations } = await exportJson(visitor, { filter: { text: 'beta' } });

  expect(records.map(({ question }) => question)).toEqual(['beta two']);
  expect(conversations.map(({ id }) => id)).toEqual([conversationId]);
});

test('an export by ids accepts only ids of the owner’s own records', async () => {
  const first = await ask('mine one');
  const second = await ask('mine two');
  const other = createVisitor(api.url);

  const ids = [first.recordId, second.recordId, first.recordId];
  expect((await exportJson(visitor, { ids })).records.map(({ question }) => question)).toEqual([
    'mine two',
    'mine one',
  ]);
  for (const [who, wrong] of [
    [other, ids],
    [visitor, [first.recordId, idOf(1)]],
    [visitor, [first.recordId, '../../etc']],
  ] as const) {
    const { status, body } = await who.call<ErrorBody>('POST', '/api/export', { ids: wrong, format: 'json' });
    expect([status, body.error]).toEqual([404, 'not_found']);
  }
});

test.each([
  [{ format: 'json' }, 'filter'],
  [{ format: 'json', ids: ['a'], filter: {} }, 'filter'],
  [{ format: 'json', ids: [] }, 'ids'],
  [{ format: 'json', ids: Array.from({ length: 5001 }, (_, n) => idOf(n)) }, 'ids'],
  [{ format: 'json', ids: [{ $gt: '' }] }, 'ids.0'],
  [{ format: 'xml', filter: {} }, 'format'],
  [{ format: 'json', filter: { from: '2026-02-30' } }, 'filter.from'],
  [{ format: 'json', filter: { contact: { $ne: null } } }, 'filter.contact'],
  [{ format: 'csv', filter: { tz: '+08:00' } }, 'filter.tz'],
])('refuses an invalid export request: %#', async (what, field) => {
  const { status, body } = await visitor.call<ErrorBody>('POST', '/api/export', what);
  expect([status, body.error, body.field]).toEqual([400, 'invalid_request', field]);
});

test('an ambiguous contact name is reported before anything is sent', async () => {
  await ask('one', { contact: 'a@example.com', contactName: 'Ann' });
  await ask('two', { contact: 'b@example.com', contactName: 'Ann' });

  const filter = { contact: 'Ann' };
  const { status, body } = await visitor.call<ErrorBody>('POST', '/api/export', { filter, format: 'csv' });

  expect([status, body.error, body.choices?.length]).toEqual([409, 'ambiguous_contact', 2]);
});

test('a CSV table is readable by spreadsheets and contains no formulas', async () => {
  await ask('=HYPERLINK("https://example.com")', { contact: '+1 415 555 0100', contactName: '@SUM(A1)' });
  await ask('two "lines",\nand a comma');

  const response = await visitor.fetch('POST', '/api/export', {
    headers: { 'Content-Type': 'application/json', 'Accept-Language': 'en' },
    body: JSON.stringify({ filter: { tz: 'Asia/Shanghai' }, format: 'csv' }),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const table = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  const lines = table.split('\r\n');
  expect(lines[0]).toMatch(/^\u{feff}"Asked \(Asia\/Shanghai\)","Contact","Name","Question"/u);
  expect(table).toContain('"two ""lines"",\nand a comma"');
  expect(table).toContain('"\'+14155550100","\'@SUM(A1)","\'=HYPERLINK(""https://example.com"")"');
  expect(lines.at(-1)).toBe('');
});

test('exported, erased and imported records are restored unchanged', async () => {
  const { conversationId } = await ask('first of two', { contact: 'x@example.com', contactName: 'X' });
  const { recordId } = await ask('second of two', { conversationId });
  await visitor.call('POST', '/api/feedback', { recordId, rating: 1, note: 'good' });
  await visitor.call('PATCH', `/api/conversations/${conversationId}`, { title: 'renamed' });
  await ask('another');
  const before = await exportJson(visitor);
  for (const { id } of before.conversations) await visitor.call('DELETE', `/api/conversations/${id}`);
  expect(await questions()).toEqual([]);

  const { status, body } = await importArchive(visitor, before);

  expect([status, body]).toEqual([200, { imported: 3, unchanged: 0, renamed: 0 }]);
  expect(withoutDate(await exportJson(visitor))).toEqual(withoutDate(before));
  const { body: found } = await visitor.call<SearchPage>('POST', '/api/search', {
    text: 'second',
    feedback: 'up',
  });
  expect(found.records.map(({ id }) => id)).toEqual([recordId]);
  const { body: people } = await visitor.call<ContactPage>('GET', '/api/contacts');
  expect(people.contacts).toEqual([{ id: 'x@example.com', name: 'X' }]);
});

test('purged records can be restored from an archive as well, independently of the bin', async () => {
  await ask('gone for good', { contact: '13800138000', contactName: '王芳' });
  await ask('gone for good too');
  const before = await exportJson(visitor);
  const { body: deletion } = await visitor.call<Deletion>('POST', '/api/delete_by_ids', { filter: {} });
  const purged = await visitor.call('POST', '/api/purge', { undoToken: deletion.undoToken });
  expect(purged.status).toBe(200);
  expect((await exportJson(visitor)).records).toEqual([]);

  expect((await importArchive(visitor, before)).body).toEqual({ imported: 2, unchanged: 0, renamed: 0 });

  expect(withoutDate(await exportJson(visitor))).toEqual(withoutDate(before));
  const { status } = await visitor.call('POST', '/api/undo_delete', { undoToken: deletion.undoToken });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(withoutDate(await exportJson(visitor))).toEqual(withoutDate(before));
});

test('an import directly after a deletion that is still in progress loses nothing', async () => {
  const records = Array.from({ length: 300 }, (_, n) => archiveRecord(20_000 + n));
  await importArchive(visitor, archiveOf(records));
  const before = await exportJson(visitor);
  const deleting = visitor.call<Deletion>('POST', '/api/delete_by_ids', { filter: {} });
  const kept = api.connection.collection('records');
  await until(() =>
    kept.findOne({ question: { $gte: 'Question 20000', $lt: 'Question 20300' }, erasedBy: { $ne: null } }),
  );

  const { body } = await importArchive(visitor, before);

  expect(body.imported).toBe(300);
  expect((await deleting).body.deleted).toBe(300);
  expect(withoutDate(await exportJson(visitor))).toEqual(withoutDate(before));
});

test('a repeated import changes nothing, and another server accepts the same archive', async () => {
  await ask('one', { contact: 'x@example.com' });
  await ask('two');
  const archive = await exportJson(visitor);
  expect((await importArchive(visitor, archive)).body).toEqual({ imported: 0, unchanged: 2, renamed: 0 });

  const elsewhere = await startTestApi({ answerer });
  try {
    const stranger = createVisitor(elsewhere.url);
    expect((await importArchive(stranger, archive)).body).toEqual({ imported: 2, unchanged: 0, renamed: 0 });
    expect(withoutDate(await exportJson(stranger))).toEqual(withoutDate(archive));
    // The data of a guest is registered so that it can be deleted together with the guest.
    expect((await stranger.signUp('importer', 'long-secret')).code).toBe(1);
    expect(await questions(stranger)).toEqual(['two', 'one']);
  } finally {
    await elsewhere.end();
  }
});

test('ids that belong to another owner are replaced, by the same new ids at every import', async () => {
  const { recordId } = await ask('mine');
  const archive = await exportJson(visitor);
  const other = createVisitor(api.url);

  const first = await importArchive(other, archive);
  const taken = await exportJson(other);
  const second = await importArchive(other, archive);

  expect(first.body).toEqual({ imported: 1, unchanged: 0, renamed: 0 });
  expect(second.body).toEqual({ imported: 0, unchanged: 1, renamed: 0 });
  expect(taken.records[0]?.id).not.toBe(recordId);
  expect(taken.conversations).toHaveLength(1);
  expect(taken.conversations[0]?.id).toBe(taken.records[0]?.conversationId);
  expect(withoutDate(await exportJson(other))).toEqual(withoutDate(taken));
  expect(withoutDate(await exportJson(visitor))).toEqual(withoutDate(archive));
});

test('the content of the archive overwrites the owner’s existing record', async () => {
  const { recordId } = await ask('before', { contact: 'old@example.com' });
  const archive = await exportJson(visitor);
  const [record] = archive.records;
  const changed = { ...record, answer: 'another answer', contact: { id: 'NEW@example.com', name: '' } };

  const { body } = await importArchive(visitor, archiveOf([changed]));

  expect(body).toEqual({ imported: 1, unchanged: 0, renamed: 0 });
  const { body: found } = await visitor.call<SearchPage>('POST', '/api/search', { text: 'another answer' });
  expect(found.records.map(({ id, contact }) => [id, contact?.id])).toEqual([[recordId, 'new@example.com']]);
  const { body: people } = await visitor.call<ContactPage>('GET', '/api/contacts');
  expect(people.contacts.map(({ id }) => id)).toEqual(['new@example.com']);
});

test('undoing a deletion does not affect records that were imported meanwhile', async () => {
  const { conversationId } = await ask('back again');
  await ask('stays in the bin', { conversationId });
  const archive = await exportJson(visitor);
  const { body: deletion } = await visitor.call<Deletion>('DELETE', `/api/conversations/${conversationId}`);
  const one = archive.records.filter(({ question }) => question === 'back again');

  await importArchive(visitor, { ...archive, records: one });
  expect(await questions()).toEqual(['back again']);
  expect(await conversationsOf()).toMatchObject([{ id: conversationId, recordCount: 1 }]);

  const { status } = await visitor.call('POST', '/api/undo_delete', { undoToken: deletion.undoToken });
  expect(status).toBe(200);
  expect(await questions()).toEqual(['stays in the bin', 'back again']);
});

test('an answer in progress is not overwritten, and one that was in progress at export is imported as failed', async () => {
  const pipe = createPipe();
  answerer.script = pipe.script;
  const events = visitor.events('POST', '/api/chat', { text: 'still going' });
  await events.next();
  pipe.say('so far');
  const archive = await exportJson(visitor);
  expect(archive.records[0]?.status).toBe('answering');

  expect((await importArchive(visitor, archive)).body.unchanged).toBe(1);
  const other = createVisitor(api.url);
  expect((await importArchive(other, archive)).body.imported).toBe(1);
  expect((await exportJson(other)).records[0]?.status).toBe('failed');

  pipe.close();
  for await (const _ of events);
  expect((await importArchive(visitor, archive)).body.unchanged).toBe(1);
  expect((await exportJson(visitor)).records[0]).toMatchObject({ status: 'done', answer: 'so far' });
});

test('an archive may have its keys in any order and contain unknown lists', async () => {
  const { format, version } = archiveOf([]);
  const records = [archiveRecord(1), archiveRecord(2, { conversationId: idOf(1, 'c') })];
  const conversation = { id: idOf(1, 'c'), title: 'said first', createdAt: records[0]?.createdAt };
  const orders = [
    { zzz: [{ a: [1, 'two', null] }], conversations: [conversation], records, format, version },
    { version, format, other: { deep: { er: true } }, records, conversations: [conversation] },
  ];
  for (const order of orders) {
    const who = createVisitor(api.url);
    expect((await importArchive(who, order)).status).toBe(200);
    const [made, ...others] = await conversationsOf(who);
    expect(others).toEqual([]);
    expect(made).toMatchObject({ title: 'said first', recordCount: 2, updatedAt: records[1]?.createdAt });
  }
});

test('a conversation without records is ignored; one without a title gets its first question as title', async () => {
  const archive = archiveOf(
    [archiveRecord(11), archiveRecord(12, { conversationId: idOf(11, 'c') })],
    [{ id: idOf(99, 'c'), title: 'empty', createdAt: '2026-01-01T00:00:00.000Z' }],
  );

  await importArchive(visitor, archive);

  expect((await conversationsOf()).map(({ title, recordCount }) => [title, recordCount])).toEqual([
    ['Question 11', 2],
  ]);
});

test('an error in the middle ends the import and reports how many records were imported', async () => {
  const records: unknown[] = Array.from({ length: 120 }, (_, n) => archiveRecord(200 + n));
  records[117] = { ...archiveRecord(317), question: 42 };

  const { status, body } = await visitor.call<ErrorBody>('POST', '/api/import', archiveOf(records), {
    'Accept-Language': 'en',
  });

  expect([status, body.error, body.field]).toEqual([400, 'invalid_request', 'records.117.question']);
  const came = Number(/stopped after (\d+) records/.exec(body.msg)?.[1]);
  const { records: there, conversations } = await exportJson(visitor);
  expect(came).toBe(there.length);
  expect(came).toBeGreaterThanOrEqual(50);
  expect(conversations.every(({ recordCount }) => recordCount === 1)).toBe(true);

  records[117] = archiveRecord(317);
  const again = await importArchive(visitor, archiveOf(records));
  expect(again.body).toEqual({ imported: 120 - came, unchanged: came, renamed: 0 });
});

test.each([
  ['', 'body'],
  ['{', 'body'],
  ['[]', 'body'],
  ['"text"', 'body'],
  ['{}', 'format'],
  ['{"format":"something-else"}', 'format'],
  ['{"format":{"a":1},"version":1}', 'format'],
  ['{"format":"consultation-desk-records","version":2}', 'version'],
  ['{"format":"consultation-desk-records","version":1,"records":{}}', 'records'],
  ['{"format":"consultation-desk-records","version":1,"records":"all"}', 'records'],
  ['{"format":"consultation-desk-records","version":1,"records":[7]}', 'records.0'],
  ['{"format":"consultation-desk-records","version":1,"records":[[]]}', 'records.0'],
  ['{"format":"consultation-desk-records","version":1,"records":[]', 'body'],
  ['{"format":"consultation-desk-records","version":1}{}', 'body'],
  [`{"format":"consultation-desk-records","version":1,"x":${'['.repeat(50)}${']'.repeat(50)}}`, 'body'],
  ['{"format":"consultation-desk-records","version":1,"records":[\xff]}', 'body'],
])('refuses to import an invalid archive: %#', async (text, field) => {
  const response = await visitor.fetch('POST', '/api/import', {
    headers: { 'Content-Type': 'application/json' },
    body: text.includes('\xff') ? Buffer.from(text, 'latin1') : text,
  });
  const body = (await response.json()) as ErrorBody;
  expect([response.status, body.error]).toEqual([400, 'invalid_request']);
  expect(body.field).toBe(field);
});

test('other content types and endless elements are refused', async () => {
  const plain = await visitor.fetch('POST', '/api/import', {
    headers: { 'Content-Type': 'text/plain' },
    body: '{}',
  });
  expect(plain.status).toBe(415);

  function* endless() {
    yield '{"format":"consultation-desk-records","version":1,"records":[{"id":"';
    for (let n = 0; n < 100; n += 1) yield 'a'.repeat(100_000);
    yield '"}]}';
  }
  expect((await importPieces(visitor, endless())).body.error).toBe('too_large');
});

const bad: [field: string, value: unknown][] = [
  ['id', '../../x'],
  ['id', { $ne: null }],
  ['id', '000000000000000000000001A'],
  ['conversationId', ''],
  ['conversationId', { $gt: '' }],
  ['contact', { id: { $ne: '' }, name: '' }],
  ['contact', { id: 'x'.repeat(121), name: '' }],
  ['contact', 'x@example.com'],
  ['kind', 'admin'],
  ['status', 'purged'],
  ['question', ''],
  ['question', '   '],
  ['question', 'x'.repeat(8001)],
  ['question', { $where: '1' }],
  ['answer', null],
  ['answer', 'x'.repeat(400_001)],
  ['citations', [{ title: '', quote: '', start: 0, end: 0, href: 'https://example.com/x' }]],
  ['citations', [{ title: '', quote: '', start: 0, end: 0, href: '/api/passages/../files/x' }]],
  ['citations', [{ title: '', quote: '', start: -1, end: 0, href: '/api/passages/p1' }]],
  ['citations', [{ title: '', quote: '', start: 0.5, end: 1e300, href: '/api/passages/p1' }]],
  ['citations', { 0: {} }],
  ['source', 'other'],
  ['isImage', 'yes'],
  ['url', 'javascript:alert(1)'],
  ['url', '//example.com/a.png'],
  ['imgUrls', ['https://example.com/a.png']],
  ['files', [{ id: 'f', name: '', kind: '', chars: 0, pages: 0, url: 'file:///etc/passwd' }]],
  ['feedback', { rating: 2, note: '' }],
  ['feedback', { rating: 1, note: 'x'.repeat(2001) }],
  ['suggestions', [{}]],
  ['createdAt', '2026-02-30T00:00:00.000Z'],
  ['createdAt', '+275760-09-13T00:00:00.000Z'],
  ['createdAt', '9999-12-31T00:00:00.000Z'],
  ['createdAt', '1200-01-01T00:00:00.000Z'],
  ['createdAt', 1_700_000_000_000],
  ['createdAt', { $date: 0 }],
  ['answeredAt', 'yesterday'],
];

test.each(bad.map(([field, value]) => [field, JSON.stringify(value).slice(0, 80), value] as const))(
  'refuses a record whose %s is %s',
  async (field, _text, value) => {
    const archive = archiveOf([archiveRecord(500), { ...archiveRecord(501), [field]: value }]);

    const { status, body } = await importArchive(visitor, archive);

    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.field).toMatch(new RegExp(`^records\\.1\\.${field}`));
    expect(await questions()).toEqual([]);
  },
);

test('the longest possible answer can be imported again', async () => {
  const answer = '答'.repeat(400_000);
  const archive = archiveOf([archiveRecord(900, { answer })]);
  const { status, body } = await importArchive(visitor, archive);
  expect([status, body]).toEqual([200, { imported: 1, unchanged: 0, renamed: 0 }]);
  const exported = await exportJson(visitor);
  expect(exported.records[0]!.answer).toHaveLength(400_000);
  expect((await importArchive(visitor, exported)).body).toMatchObject({ unchanged: 1 });
});

test('fields that a record must not set itself are ignored', async () => {
  const record = {
    ...archiveRecord(600),
    _id: idOf(1),
    owner: 'user:somebody',
    erasedBy: idOf(2),
    terms: ['=contact:evil'],
    lease: { process: 'x' },
    clientId: 'c',
    __v: 3,
    url: '/api/files/somebody-elses',
    isImage: true,
    imgUrls: ['/api/files/somebody-elses'],
    files: [{ id: 'f', name: 'a.png', kind: 'image', chars: 0, pages: 0, url: '/api/files/somebody-elses' }],
    contact: { id: '+86 138-0013-8000', name: ' 王芳 ' },
    createdAt: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const text = JSON.stringify(archiveOf([record])).replace(
    '"kind"',
    '"__proto__":{"status":"failed"},"kind"',
  );

  const { body } = await importPieces(visitor, [text]);

  expect(body).toEqual({ imported: 1, unchanged: 0, renamed: 0 });
  const [kept] = (await exportJson(visitor)).records;
  expect(kept).toEqual({
    ...archiveRecord(600),
    contact: { id: '13800138000', name: '王芳' },
    createdAt: kept?.createdAt,
  });
  expect(new Date(kept?.createdAt ?? '').getTime()).toBeLessThanOrEqual(Date.now());
  const { body: found } = await visitor.call<SearchPage>('POST', '/api/search', { contact: '13800138000' });
  expect(found.total).toBe(1);
});

test('a write request of a guest requires its CSRF token', async () => {
  await ask('now a guest');
  const response = await visitor.fetch('POST', '/api/import', {
    headers: { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': 'wrong' },
    body: JSON.stringify(archiveOf([archiveRecord(700)])),
  });
  expect(response.status).toBe(403);
});

test('an owner can run one import at a time', async () => {
  await ask('known');
  let goOn: () => void = () => undefined;
  async function* slow() {
    const records = Array.from({ length: 60 }, (_, n) => archiveRecord(800 + n));
    yield JSON.stringify(archiveOf(records)).slice(0, -2);
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    yield ']}';
  }
  const first = importPieces(visitor, slow());
  await until(async () => (await questions()).length >= 2);

  const second = await importArchive(visitor, archiveOf([]));
  goOn();

  expect([second.status, second.body.error]).toEqual([429, 'rate_limited']);
  expect((await first).body.imported).toBe(60);
  expect((await importArchive(visitor, archiveOf([]))).status).toBe(200);
});

test('an account export contains everything, without secrets, in a format that can be imported', async () => {
  const { conversationId } = await ask('kept', { contact: 'x@example.com', contactName: 'X' });
  const gone = await ask('in the bin');
  await visitor.call('DELETE', `/api/conversations/${gone.conversationId}`);
  await visitor.signUp('takes-it-along', 'long-secret');
  await visitor.signIn('takes-it-along', 'long-secret');

  const { status, body } = await visitor.call<Record<string, unknown>>('GET', '/admin/export');

  expect(status).toBe(200);
  expect(body).toMatchObject({
    format: 'consultation-desk-records',
    account: { username: 'takes-it-along' },
    contacts: [{ id: 'x@example.com', name: 'X' }],
    deletions: [{ kind: 'conversation', matched: 1 }],
    records: [{ question: 'kept' }],
    conversations: [{ id: conversationId }],
  });
  expect((body.sessions as unknown[]).length).toBeGreaterThan(0);
  expect(JSON.stringify(body)).not.toMatch(/token|hash|password|\$argon2|in the bin/i);
  expect((await importArchive(visitor, body)).body).toEqual({ imported: 0, unchanged: 1, renamed: 0 });
  expect((await createVisitor(api.url).call('GET', '/admin/export')).status).toBe(401);
});
