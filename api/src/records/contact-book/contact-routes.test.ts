import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { ChatAnswer } from '../../contract/chat.ts';
import type {
  ContactChangeReply,
  ContactDetails,
  ContactMergeReply,
  ContactSummaryPage,
  ContactUndoReply,
} from '../../contract/contacts.ts';
import type { BinPage, Deletion } from '../../contract/deletions.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { ConversationPage, RecordPage } from '../../contract/records.ts';
import type { RecordStats, SearchPage } from '../../contract/search.ts';
import { importArchive } from '../../testing/archives.ts';
import { createPipe, createScriptedAnswerer, echo } from '../../testing/scripted-answerer.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { until } from '../../testing/until.ts';
import { createVisitor, signedUp, type Visitor } from '../../testing/visitor.ts';

import { createRecordModels } from '../record-models.ts';
import { forgetExpiredUndos } from './contact-notes.ts';

const answerer = createScriptedAnswerer();
let visitor: Visitor;

const api = await startTestApi({ answerer });
afterAll(() => api.end());
beforeEach(() => {
  answerer.script = echo;
  visitor = createVisitor(api.url);
});

const old = '13800138000';
const mail = 'li@example.com';

const ask = (text: string, more: object = {}) => visitor.ask(text, more);

const read = async (id: string, who = visitor) =>
  (await who.call<ContactDetails & ErrorBody>('POST', '/api/contacts/read', { id })).body;
const patch = (id: string, change: object, who = visitor) =>
  who.call<ContactDetails & ErrorBody>('PATCH', '/api/contacts', { id, ...change });
const merge = (id: string, body: object, who = visitor) =>
  who.call<ContactMergeReply & ErrorBody>('POST', '/api/contacts/merge', { id, ...body });
const list = async (more: object = {}) =>
  (await visitor.call<ContactSummaryPage>('POST', '/api/contacts/search', { details: true, ...more })).body
    .contacts;
const recordsOf = async (contact: string) =>
  (await visitor.call<SearchPage>('POST', '/api/search', { contact })).body;

test('lists contacts with figures, and reads one', async () => {
  const { conversationId } = await ask('one', { contact: '138 0013 8000', contactName: '李雷' });
  await ask('two', { contact: old, conversationId });
  await ask('three', { contact: mail });

  expect(await list()).toEqual([
    { id: mail, name: '', recordCount: 1, lastAskedAt: expect.any(String), hasNote: false },
    { id: old, name: '李雷', recordCount: 2, lastAskedAt: expect.any(String), hasNote: false },
  ]);
  expect(await list({ q: '李' })).toMatchObject([{ id: old }]);
  const contact = await read('+86 138-0013-8000');
  expect(contact).toMatchObject({ id: old, name: '李雷', note: '', revision: 0 });
  expect(contact).toMatchObject({ recordCount: 2, conversationCount: 1 });
  expect(contact.firstAskedAt < contact.lastAskedAt).toBe(true);
  expect((await visitor.call('GET', '/api/contacts')).body).toEqual({
    contacts: [
      { id: mail, name: '' },
      { id: old, name: '李雷' },
    ],
    nextCursor: null,
  });
});

test('a note is stored, and a change of an outdated one is refused', async () => {
  await ask('one', { contact: 'a/b 张三' });

  const first = await patch('a/b 张三', { note: ' prefers mail\nafter six ', revision: 0 });
  expect([first.status, first.body.note, first.body.revision]).toEqual([200, 'prefers mail\nafter six', 1]);
  for (const revision of [0, 2]) {
    const { status, body } = await patch('a/b 张三', { note: 'other', revision });
    expect([status, body.error, body.field]).toEqual([409, 'conflict', 'revision']);
  }
  expect((await patch('a/b 张三', { note: '', revision: 1 })).body.note).toBe('');
  expect((await list()).map(({ hasNote }) => hasNote)).toEqual([false]);
});

test('of two concurrent first notes one is refused', async () => {
  await ask('one', { contact: old });

  const statuses = await Promise.all(
    ['a', 'b'].map(async (note) => (await patch(old, { note, revision: 0 })).status),
  );

  expect(statuses.sort()).toEqual([200, 409]);
});

test.each([
  [{ note: 'x'.repeat(2001), revision: 0 }, 'note'],
  [{ name: 'x'.repeat(121), revision: 0 }, 'name'],
  [{ note: 'x' }, 'revision'],
  [{ revision: 0 }, 'name'],
  [{ nota: 'x', revision: 0 }, 'nota'],
])('refuses an invalid change: %#', async (change, field) => {
  await ask('one', { contact: old });
  const { status, body } = await patch(old, change);
  expect([status, body.field]).toEqual([400, field]);
});

test('a new name is shown everywhere, and stays after a deletion is undone', async () => {
  await ask('one', { contact: old, contactName: 'Wrong' });
  const { recordId } = await ask('two', { contact: old });
  const { body: gone } = await visitor.call<Deletion>('POST', '/api/delete_by_ids', { ids: [recordId] });

  const { status, body } = await patch(old, { name: ' 韩梅梅 ', revision: 0 });

  expect([status, body.name, body.revision]).toEqual([200, '韩梅梅', 1]);
  await visitor.call('POST', '/api/undo_delete', { undoToken: gone.undoToken });
  const { body: all } = await visitor.call<RecordPage>('GET', '/api/records');
  expect(all.records.map(({ contact }) => contact?.name)).toEqual(['韩梅梅', '韩梅梅']);
  const { body: conversations } = await visitor.call<ConversationPage>('GET', '/api/conversations');
  expect(conversations.conversations[0]?.contact).toEqual({ id: old, name: '韩梅梅' });
  const { body: stats } = await visitor.call<RecordStats>('GET', '/api/stats');
  expect(stats.byContact).toEqual([{ contact: { id: old, name: '韩梅梅' }, count: 2 }]);
  expect((await recordsOf('韩梅梅')).total).toBe(2);
  expect(await list()).toMatchObject([{ name: '韩梅梅' }]);
});

test('a merge moves all records and conversations, and joins the notes', async () => {
  const { conversationId } = await ask('one about pears', { contact: old, contactName: 'Li' });
  await ask('two', { contact: old });
  await ask('three', { contact: mail, contactName: 'Li Lei' });
  await patch(old, { note: 'by phone', revision: 0 });
  await patch(mail, { note: 'by mail', revision: 0 });

  const preview = await merge(old, { into: mail, dryRun: true });
  expect(preview.body).toMatchObject({ records: 2, conversations: 2, contact: { id: mail, recordCount: 1 } });
  expect((await read(old)).recordCount).toBe(2);

  const { status, body } = await merge(old, { into: 'LI@example.com' });

  expect(status).toBe(200);
  expect(body).toMatchObject({ records: 2, conversations: 2 });
  expect(body.contact).toMatchObject({
    id: mail,
    name: 'Li Lei',
    recordCount: 3,
    note: 'by mail\n\nby phone',
  });
  expect((await list()).map(({ id, recordCount }) => [id, recordCount])).toEqual([[mail, 3]]);
  expect([(await recordsOf(mail)).total, (await recordsOf(old)).total]).toEqual([3, 0]);
  const { body: found } = await visitor.call<SearchPage>('POST', '/api/search', {
    text: 'pears',
    contact: 'Li Lei',
  });
  expect(found.records[0]?.contact).toEqual({ id: mail, name: 'Li Lei' });
  const { body: stats } = await visitor.call<RecordStats>('GET', '/api/stats');
  expect(stats.byContact).toEqual([{ contact: { id: mail, name: 'Li Lei' }, count: 3 }]);
  const { body: threads } = await visitor.call<ConversationPage>('GET', '/api/conversations');
  expect(threads.conversations.find(({ id }) => id === conversationId)?.contact?.id).toBe(mail);
  const csv = await visitor.fetch('POST', '/api/export', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ filter: {}, format: 'csv' }),
  });
  expect(await csv.text()).not.toContain(old);
});

test('repeating a merge changes nothing, and the old id leads to the merged contact', async () => {
  await ask('one', { contact: old });
  await ask('two', { contact: mail });
  await patch(old, { note: 'by phone', revision: 0 });
  await merge(old, { into: mail });
  const before = await read(mail);

  const again = await merge(old, { into: mail });

  expect([again.status, again.body.records]).toEqual([200, 0]);
  expect(again.body.contact).toEqual(before);
  expect(await read(old)).toEqual(before);
  // Asking for it again creates it again.
  await ask('three', { contact: old });
  expect(await read(old)).toMatchObject({ id: old, recordCount: 1, note: '' });
});

test('a merge needs two different contacts of the owner', async () => {
  await ask('one', { contact: old });
  const stranger = createVisitor(api.url);
  await stranger.call('POST', '/api/chat', { text: 'mine', contact: mail });

  for (const [id, body, status] of [
    [old, { into: '+86 13800138000' }, 400],
    [old, { into: mail }, 404],
    [mail, { into: old }, 404],
    [old, { into: '' }, 400],
    [old, { into: mail, dryrun: true }, 400],
  ] as const)
    expect((await merge(id, body)).status).toBe(status);
  expect((await patch(mail, { note: 'x', revision: 0 })).status).toBe(404);
  expect((await read(mail)).error).toBe('not_found');
  expect((await merge(old, { into: mail }, stranger)).status).toBe(404);
  expect((await read(old)).recordCount).toBe(1);
});

test('two merges in opposite directions end, with all records at one contact', async () => {
  await ask('one', { contact: old });
  await ask('two', { contact: mail });

  await Promise.all([merge(old, { into: mail }), merge(mail, { into: old })]);

  expect((await list()).reduce((sum, { recordCount }) => sum + recordCount, 0)).toBe(2);
  const [first] = await list();
  const other = first?.id === old ? mail : old;
  if ((await list()).length === 2) await merge(other, { into: first?.id });
  expect(await list()).toMatchObject([{ recordCount: 2 }]);
});

test('an answer that is being produced is kept by a merge, and found by its new contact', async () => {
  await ask('other', { contact: mail });
  const pipe = createPipe();
  answerer.script = pipe.script;
  pipe.say('first ');
  const asked = visitor.call<ChatAnswer>('POST', '/api/chat', { text: 'running', contact: old });
  await until(async () => (await list()).some(({ id }) => id === old));

  expect((await merge(old, { into: mail })).status).toBe(200);
  pipe.say('second');
  pipe.close();

  expect((await asked).body).toMatchObject({ response: 'first second' });
  expect((await recordsOf(mail)).records).toMatchObject([
    { question: 'running', answer: 'first second', status: 'done', contact: { id: mail } },
    { question: 'other' },
  ]);
  expect((await recordsOf(old)).total).toBe(0);
  expect((await visitor.call<SearchPage>('POST', '/api/search', { text: 'second' })).body.total).toBe(1);
});

test('a merge is undone exactly: records, names, notes, deletions; what was asked since stays', async () => {
  await ask('one', { contact: old, contactName: 'Li' });
  const { conversationId } = await ask('two', { contact: old });
  await ask('three', { contact: mail, contactName: 'Lei' });
  await patch(old, { note: 'by phone', revision: 0 });
  await patch(mail, { note: 'by mail', revision: 0 });
  const [before, notes] = [await list(), [(await read(old)).note, (await read(mail)).note]];
  const first = (await recordsOf(old)).records[1]!.id;
  const { body: gone } = await visitor.call<Deletion>('POST', '/api/delete_by_ids', { ids: [first] });

  const { body: merged } = await merge(old, { into: mail });
  expect((await merge(old, { into: mail })).body).not.toHaveProperty('undo');
  await ask('since', { contact: mail, conversationId });
  const bin = async () => (await visitor.call<BinPage>('GET', '/api/bin?limit=1')).body;
  const page = await bin();
  expect(page.deletions).toMatchObject([
    { kind: 'merge', contact: { id: old, name: 'Li' }, into: { id: mail, name: 'Lei' }, matched: 1 },
  ]);
  const { body: next } = await visitor.call<BinPage>('GET', `/api/bin?limit=1&cursor=${page.nextCursor}`);
  expect(next).toMatchObject({ deletions: [{ undoToken: gone.undoToken }], nextCursor: null });

  const undo = (who = visitor) =>
    who.call<ContactUndoReply & ErrorBody>('POST', '/api/undo_contact', {
      undoToken: merged.undo!.undoToken,
    });
  expect((await undo(createVisitor(api.url))).status).toBe(404);
  expect((await undo()).body).toMatchObject({
    records: 1,
    contact: { id: old, name: 'Li', note: 'by phone' },
  });
  expect(await undo()).toMatchObject({ status: 409, body: { error: 'undo_used' } });

  expect((await recordsOf(mail)).records.map(({ question }) => question)).toEqual(['since', 'three']);
  await visitor.call('POST', '/api/undo_delete', { undoToken: gone.undoToken });
  expect((await recordsOf(old)).records.map(({ question }) => question)).toEqual(['two', 'one']);
  expect([(await read(old)).note, (await read(mail)).note]).toEqual(notes);
  const after = await list();
  expect(after.map(({ id, name, hasNote }) => [id, name, hasNote]).sort()).toEqual(
    before.map(({ id, name, hasNote }) => [id, name, hasNote]).sort(),
  );
  expect((await bin()).deletions).toEqual([]);
  const { body: conversations } = await visitor.call<ConversationPage>('GET', '/api/conversations');
  expect(conversations.conversations.map(({ contact }) => contact?.id).sort()).toEqual(
    [old, mail, mail].sort(),
  );
});

test('merges that follow each other are undone in any order', async () => {
  const third = 'third@example.com';
  const places = async () =>
    Promise.all(
      [old, mail, third].map(async (id) => (await recordsOf(id)).records.map((one) => one.question)),
    );
  for (const latestFirst of [true, false]) {
    visitor = createVisitor(api.url);
    await ask('one', { contact: old });
    await ask('two', { contact: mail });
    await ask('three', { contact: third });
    const tokens = [
      (await merge(old, { into: mail })).body.undo!.undoToken,
      (await merge(mail, { into: third })).body.undo!.undoToken,
    ];
    expect(await places()).toEqual([[], [], ['three', 'two', 'one']]);
    const leads = async () => Promise.all([old, mail, third].map(async (id) => (await read(id)).id));
    expect(await leads()).toEqual([third, third, third]);
    const halfway = latestFirst ? [mail, mail, third] : [old, third, third];
    for (const [at, undoToken] of (latestFirst ? tokens.reverse() : tokens).entries()) {
      expect((await visitor.call('POST', '/api/undo_contact', { undoToken })).status).toBe(200);
      expect(await leads()).toEqual(at === 0 ? halfway : [old, mail, third]);
    }
    expect(await places()).toEqual([['one'], ['two'], ['three']]);
    expect((await list()).map(({ id }) => id)).toEqual([third, mail, old]);
  }
});

test('records deleted after a merge return to their contact, whichever is undone first', async () => {
  for (const mergeFirst of [true, false]) {
    visitor = createVisitor(api.url);
    await ask('one', { contact: old });
    await ask('two', { contact: mail });
    const { undo } = (await merge(old, { into: mail })).body;
    const { body: gone } = await visitor.call<Deletion>('POST', '/api/delete_by_contact', { contact: mail });
    expect(gone.deleted).toBe(2);
    const steps = [
      () => visitor.call('POST', '/api/undo_contact', undo && { undoToken: undo.undoToken }),
      () => visitor.call('POST', '/api/undo_delete', { undoToken: gone.undoToken }),
    ];
    for (const step of mergeFirst ? steps : steps.reverse()) expect((await step()).status).toBe(200);
    expect((await list()).map(({ id }) => id)).toEqual([mail, old]);
    expect([(await recordsOf(old)).total, (await recordsOf(mail)).total]).toEqual([1, 1]);
  }
});

test('a new name is undone, also for questions asked since', async () => {
  await ask('one', { contact: old, contactName: 'Li' });
  const { body: renamed } = await visitor.call<ContactChangeReply>('PATCH', '/api/contacts', {
    id: old,
    name: 'Lee',
    revision: 0,
  });
  await ask('two', { contact: old });
  expect(await read(old)).toMatchObject({ name: 'Lee', recordCount: 2 });
  await visitor.call('POST', '/api/undo_contact', { undoToken: renamed.undo!.undoToken });
  expect(await read(old)).toMatchObject({ name: 'Li', recordCount: 2 });
  expect((await recordsOf(old)).records.map(({ contact }) => contact?.name)).toEqual(['Li', 'Li']);
});

test('nothing about merged contacts remains once their records are purged or the time for an undo has passed', async () => {
  const stored = async () =>
    JSON.stringify(await api.connection.collection('contactundos').find({}).toArray());
  const prepare = async (note: string) => {
    visitor = createVisitor(api.url);
    await ask('one', { contact: old });
    await ask('two', { contact: mail });
    await patch(old, { note, revision: 0 });
    return (await merge(old, { into: mail })).body.undo!;
  };
  await prepare('secret of the purged');
  expect(await stored()).toContain('secret of the purged');
  const { body: gone } = await visitor.call<Deletion>('POST', '/api/delete_by_contact', { contact: mail });
  await visitor.call('POST', '/api/purge', { undoToken: gone.undoToken });
  expect(await stored()).not.toContain('secret of the purged');

  const { undoToken } = await prepare('secret of the past');
  await api.connection
    .collection('contactundos')
    .updateMany({ undoToken }, { $set: { undoUntil: new Date(Date.now() - 1) } });
  expect((await visitor.call('POST', '/api/undo_contact', { undoToken })).status).toBe(410);
  expect((await visitor.call<BinPage>('GET', '/api/bin')).body.deletions).toEqual([]);
  await forgetExpiredUndos(createRecordModels(api.connection));
  expect(await stored()).not.toContain('secret of the past');
  const records = await api.connection.collection('records').find({}).toArray();
  expect(JSON.stringify(records)).not.toContain(undoToken);
  expect((await recordsOf(mail)).total).toBe(2);

  await prepare('secret of the account');
  await visitor.signUp('merges', 'long enough');
  await visitor.call('DELETE', '/admin/account', { password: 'long enough' });
  expect(await stored()).not.toContain('secret of the account');
});

test('what was deleted before a merge is restored to the merged contact', async () => {
  await ask('one', { contact: old });
  await ask('two', { contact: old });
  await ask('three', { contact: mail });
  const first = (await recordsOf(old)).records[1]!.id;
  const { body: gone } = await visitor.call<Deletion>('POST', '/api/delete_by_ids', { ids: [first] });

  await merge(old, { into: mail });
  await visitor.call('POST', '/api/undo_delete', { undoToken: gone.undoToken });

  expect(await list()).toMatchObject([{ id: mail, recordCount: 3 }]);
  expect((await recordsOf(mail)).total).toBe(3);
});

test('deleting the records of a contact hides its note, undo restores it, and a purge deletes it', async () => {
  await ask('one', { contact: old });
  await patch(old, { note: 'a secret note', revision: 0 });
  const stored = () => api.connection.collection('contactcards').countDocuments({ note: 'a secret note' });
  const erase = async () =>
    (await visitor.call<Deletion>('POST', '/api/delete_by_contact', { contact: old })).body.undoToken;

  const undoToken = await erase();
  expect((await read(old)).error).toBe('not_found');
  await visitor.call('POST', '/api/undo_delete', { undoToken });
  expect(await read(old)).toMatchObject({ note: 'a secret note' });

  const purged = await erase();
  await ask('another', { contact: old });
  expect(await read(old)).toMatchObject({ note: '', recordCount: 1 });
  await visitor.call('POST', '/api/purge', { undoToken: purged });
  expect(await stored()).toBe(0);
  expect((await visitor.call<BinPage>('GET', '/api/bin')).body.deletions).toEqual([]);
});

test('the notes of a guest and an account are joined at sign-in, and deleted with the account', async () => {
  const account = await signedUp(api.url, 'has contacts', 'long enough');
  await account.call('POST', '/api/chat', { text: 'x', contact: old, contactName: 'Li' });
  await patch(old, { note: 'of the account', revision: 0 }, account);
  await ask('one', { contact: old });
  await ask('two', { contact: mail });
  await patch(old, { note: 'of the guest', revision: 0 });
  await patch(mail, { note: 'only the guest', revision: 0 });

  await visitor.signIn('has contacts', 'long enough');

  expect(await read(old)).toMatchObject({ recordCount: 2, note: 'of the account\n\nof the guest' });
  expect(await read(mail)).toMatchObject({ recordCount: 1, note: 'only the guest' });
  await visitor.call('DELETE', '/admin/account', { password: 'long enough' });
  const cards = await api.connection.collection('contactcards').find({}).toArray();
  expect(JSON.stringify(cards)).not.toContain('of the guest');
});

test('the archive of an account contains the notes, and importing it restores them', async () => {
  await ask('one', { contact: old });
  await ask('two', { contact: mail });
  await patch(old, { note: 'by phone', revision: 0 });
  await visitor.signUp('takes notes along', 'long enough');
  const { body: archive } = await visitor.call<{ contacts: unknown }>('GET', '/admin/export');
  expect(archive.contacts).toEqual([
    { id: mail, name: '' },
    { id: old, name: '', note: 'by phone' },
  ]);

  const other = createVisitor(api.url);
  for (let times = 0; times < 2; times += 1) {
    expect((await importArchive(other, archive)).status).toBe(200);
    expect(await read(old, other)).toMatchObject({ note: 'by phone', revision: 1, recordCount: 1 });
  }
  // A record that names the contact is missing.
  const bare = createVisitor(api.url);
  await importArchive(bare, { ...archive, records: [], conversations: [] });
  expect((await read(old, bare)).error).toBe('not_found');
});
