import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { movedPassageModel } from '../answers/index/moved-passage.ts';
import type { Citation } from '../contract/answers.ts';
import type { ChatAnswer } from '../contract/chat.ts';
import type { CollectionList } from '../contract/collections.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { GoldenList, GoldenReply } from '../contract/golden.ts';
import type { KnowledgeArchive, KnowledgeCheck, KnowledgeSummary } from '../contract/knowledge.ts';
import type { DeskRecord } from '../contract/records.ts';
import type { NewShare } from '../contract/sharing.ts';
import { collectionCalls, nobody } from '../testing/collection-calls.ts';
import { addPair, givenDocument, givenPair, whenIndexed } from '../testing/knowledge-calls.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { until } from '../testing/until.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

/** Four digits may be part of an id, which is hexadecimal. */
const secret = /(?<![\da-f])4711(?![\da-f])|Salaries/;

const english = { 'Accept-Language': 'en' };
const ask = async (who: Visitor, text: string, more: object = {}) =>
  (await who.call<ChatAnswer>('POST', '/api/chat', { text, ...more }, english)).body;
const recordOf = async (who: Visitor, { recordId }: ChatAnswer) =>
  (await who.call<DeskRecord>('GET', `/api/records/${recordId}`)).body;
const text = async (reply: Promise<{ body: unknown }>) => JSON.stringify((await reply).body);

const api = await startTestApi({ config: { handbook: false } });
const calls = await collectionCalls(api);
const { admin } = calls;
const staff = await calls.group('Staff');
/** Belongs to the group that reads the collection. */
const insider = await calls.signedUp('ines');
const outsider = await calls.signedUp('otto');
await calls.changePerson('ines', { groups: [staff] });
const collectionId = await calls.collection('Salaries', { readers: { groups: [staff], people: [] } });
await givenDocument(
  admin,
  'salaries.md',
  '# What is the bonus of the management?\n\nThe bonus of the management is 4711 crowns in a zanzibarian year.\n',
  'Salaries of the management',
  collectionId,
);
await givenDocument(admin, 'open.md', '# When does the canteen open?\n\nThe canteen opens at noon.\n');
afterAll(() => api?.end());

const bonus = 'What is the bonus of the management?';

test('only people who may read a collection get answers from it and see its documents', async () => {
  expect((await ask(insider, bonus)).response).toContain('4711');
  expect(JSON.stringify(await ask(outsider, bonus))).not.toMatch(secret);
  expect(JSON.stringify(await ask(createVisitor(api.url), bonus))).not.toMatch(secret);
  const list = (who: Visitor) => text(who.call('GET', '/api/knowledge/documents'));
  expect(await list(insider)).toContain('Salaries');
  expect(await list(outsider)).not.toContain('Salaries');
  const [seen, unseen] = await Promise.all(
    [insider, outsider].map((who) => who.call<CollectionList>('GET', '/api/knowledge/collections')),
  );
  expect(seen!.body.collections.map(({ name }) => name)).toEqual(['', 'Salaries']);
  expect(unseen!.body.collections.map(({ name }) => name)).toEqual(['']);
});

test('a shared link does not show an answer from a restricted document, and hides one that becomes restricted', async () => {
  const id = await calls.collection('Open at first', { access: 'everyone' });
  const question = 'How high is the fence of the garden?';
  await givenDocument(
    admin,
    'fence.md',
    `# ${question}\n\nThe fence is 3141 millimetres high.\n`,
    'Fence',
    id,
  );
  const share = async (who: Visitor, asked: string) => {
    const { conversationId } = await ask(who, asked);
    const path = `/api/conversations/${conversationId}/share`;
    return (await who.call<NewShare>('POST', path, { files: true })).body.token;
  };
  const read = (token: string) => text(createVisitor(api.url).call('POST', '/api/shared', { token }));
  expect(await read(await share(insider, bonus))).not.toMatch(secret);
  const token = await share(outsider, question);
  expect(await read(token)).toContain('3141');
  await calls.changeCollection(id, 'Open at first', {});
  expect(await read(token)).not.toMatch(/3141|Fence"/);
});

test('spelling is not corrected to a word of a restricted document', async () => {
  const why = async (who: Visitor) => {
    const { recordId } = await ask(who, 'What is a zanzibaran year?');
    return text(who.call('GET', `/api/records/${recordId}/why`));
  };
  expect(await why(insider)).toContain('zanzibarian');
  expect(await why(outsider)).not.toContain('zanzibarian');
});

test('neither similar questions nor starters contain a restricted question', async () => {
  const pair = { question: 'How is the reserve of the management built?', answer: 'By 2718 coins.' };
  await givenPair(admin, { ...pair, collectionId });
  const similar = async (who: Visitor) => {
    const asked = await ask(who, 'Is the bonus of the management of the yacht club taxed in winter?');
    return JSON.stringify(await recordOf(who, asked));
  };
  expect(await similar(outsider)).not.toMatch(/What is the bonus/);
  const starters = (who: Visitor) => text(who.call('GET', '/api/starters', undefined, english));
  expect(await starters(insider)).toContain('reserve');
  expect(await starters(outsider)).not.toMatch(/reserve|bonus/);
  const count = async (who: Visitor) =>
    (await who.call<KnowledgeSummary>('GET', '/api/knowledge')).body.pairs;
  expect([await count(insider), await count(outsider)]).toEqual([1, 0]);
  expect((await ask(insider, pair.question)).response).toContain('2718');
  expect(JSON.stringify(await ask(outsider, pair.question))).not.toContain('2718');
  // The same question may have another answer in another collection.
  expect((await addPair(admin, { ...pair, answer: 'Nobody knows.' })).status).toBe(201);
  expect((await addPair(admin, { ...pair, collectionId })).status).toBe(409);
});

test('an answer is withdrawn from a reader who loses access, also in exports and reports', async () => {
  const id = await calls.collection('Guests for a while', { access: 'everyone' });
  const question = 'Where is the key of the archive?';
  const content = `# ${question}\n\nThe key of the archive hangs at hook 1618.\n`;
  const document = await givenDocument(admin, 'key.md', content, 'Archive key', id);
  const guest = createVisitor(api.url);
  await guest.call('GET', '/api/usage');
  const answer = await ask(guest, question);
  expect(answer.response).toContain('1618');
  await calls.changeCollection(id, 'Guests for a while', {});
  const record = await recordOf(guest, answer);
  expect(record.answer).not.toContain('1618');
  expect(
    record.citations.map(({ title, quote, isWithdrawn }: Citation) => [title, quote, isWithdrawn]),
  ).toEqual(record.citations.map(() => ['Withdrawn', '', true]));
  const surfaces = [
    text(guest.call('GET', '/api/records')),
    text(guest.call('GET', `/api/conversations/${answer.conversationId}/records`)),
    text(guest.call('POST', '/api/search', { text: 'archive' })),
    text(guest.call('GET', `/api/records/${answer.recordId}/why`)),
    text(guest.call('GET', answer.citations[0]!.href)),
    text(guest.call('GET', `/api/documents/${document.id}/text?at=0`)),
    guest.fetch('GET', `/api/chat/${answer.recordId}`).then((response) => response.text()),
    guest
      .fetch('POST', '/api/export', {
        body: JSON.stringify({ filter: {}, format: 'csv' }),
        headers: { 'Content-Type': 'application/json' },
      })
      .then((response) => response.text()),
    guest
      .fetch('GET', `/api/conversations/${answer.conversationId}/export?format=md`)
      .then((response) => response.text()),
  ];
  for (const seen of await Promise.all(surfaces)) expect(seen).not.toMatch(/1618|Archive key/);
});

test('a moved document cannot be read any more by those who lost it, also where it was cited before', async () => {
  const question = 'How old is the lighthouse keeper?';
  const content = `# ${question}\n\nThe lighthouse keeper is 1729 weeks old.\n`;
  const { id } = await givenDocument(admin, 'keeper.md', content, 'Keeper');
  const answer = await ask(outsider, question);
  expect(answer.response).toContain('1729');
  const [{ href }] = answer.citations as [Citation];
  const moved = await admin.call('PATCH', `/api/knowledge/documents/${id}`, { collectionId });
  expect(moved.status).toBe(200);
  expect(JSON.stringify(await ask(outsider, question))).not.toContain('1729');
  expect((await outsider.call('GET', href)).status).toBe(404);
  expect((await outsider.call('GET', `/api/documents/${id}`)).status).toBe(404);
  const withdrawn = async () =>
    expect(JSON.stringify(await recordOf(outsider, answer))).not.toMatch(/1729|Keeper/);
  // Also before it is indexed in its new place.
  await withdrawn();
  await whenIndexed(admin, id);
  await withdrawn();
  expect((await ask(insider, question)).response).toContain('1729');
  expect((await insider.call('GET', href)).status).toBe(200);
});

test('answers that cite a document are withdrawn if an earlier version of the desk moved it without recording the move', async () => {
  const question = 'How deep is the well of the abbey?';
  const content = `# ${question}\n\nThe well of the abbey is 1414 feet deep.\n`;
  const { id } = await givenDocument(admin, 'well.md', content, 'Abbey');
  const answer = await ask(outsider, question);
  await admin.call('PATCH', `/api/knowledge/documents/${id}`, { collectionId });
  await whenIndexed(admin, id);
  const { deletedCount } = await movedPassageModel.create(api.connection).deleteMany({ documentId: id });
  expect(deletedCount).toBeGreaterThan(0);
  expect(JSON.stringify(await recordOf(outsider, answer))).not.toMatch(/1414|Abbey/);
});

test('answers that cite a moved document stay withdrawn after its deletion, and a refused move withdraws none', async () => {
  const question = 'How heavy is the anchor of the ferry?';
  const content = `# ${question}\n\nThe anchor of the ferry weighs 2718 pounds.\n`;
  const { id } = await givenDocument(admin, 'anchor.md', content, 'Anchor');
  const same = await givenDocument(admin, 'anchor.md', content, 'Anchor', collectionId);
  const answer = await ask(outsider, question);
  const seen = async () => JSON.stringify(await recordOf(outsider, answer));
  const path = `/api/knowledge/documents/${id}`;
  expect((await admin.call('PATCH', path, { collectionId })).status).toBe(409);
  expect(await seen()).toContain('2718');
  await admin.call('DELETE', `/api/knowledge/documents/${same.id}`);
  await admin.call('PATCH', path, { collectionId });
  await whenIndexed(admin, id);
  await admin.call('PATCH', path, { collectionId: 'everyone' });
  expect(await seen()).toContain('2718');
  await whenIndexed(admin, id);
  await admin.call('PATCH', path, { collectionId });
  await whenIndexed(admin, id);
  expect((await admin.call('DELETE', path)).status).toBe(204);
  expect(await seen()).not.toMatch(/2718|Anchor/);
});

test('a person who leaves the group gets no more answers from its collections', async () => {
  const leaver = await calls.signedUp('lea');
  const id = await calls.idOf('lea');
  await admin.call('PATCH', `/api/people/${id}`, { groups: [staff, new Types.ObjectId().toHexString()] });
  expect((await ask(leaver, bonus)).response).toContain('4711');
  await admin.call('PATCH', `/api/people/${id}`, { groups: [] });
  expect(JSON.stringify(await ask(leaver, bonus))).not.toMatch(secret);
});

test('an editor of a collection changes what is in it, and nothing else', async () => {
  const editor = await calls.signedUp('edda');
  const audience = { groups: [], people: [await calls.idOf('edda')] };
  const id = await calls.collection('Edited', { readers: nobody, editors: audience });
  const own = await givenDocument(editor, 'own.md', '# Own\n\nAn own document about marmots.\n', 'Own', id);
  expect(own.collectionId).toBe(id);
  const patch = (document: string, body: object) =>
    editor.call('PATCH', `/api/knowledge/documents/${document}`, body);
  expect((await patch(own.id, { title: 'Own still' })).status).toBe(200);
  await whenIndexed(editor, own.id);
  expect((await patch(own.id, { collectionId: 'everyone' })).status).toBe(403);
  expect((await patch(own.id, { collectionId })).status).toBe(403);
  expect((await addPair(editor, { question: 'Who?', answer: 'Nobody.' })).status).toBe(403);
  expect((await editor.call('GET', '/api/knowledge/export')).status).toBe(403);
  const draft = new FormData();
  draft.set('file', new File(['# Draft\n\nA draft about weasels.\n'], 'draft.md'));
  draft.set('draft', '1');
  draft.set('collection', id);
  expect((await editor.fetch('POST', '/api/knowledge/documents', { body: draft })).status).toBe(201);
  expect(await text(editor.call('GET', '/api/knowledge/documents'))).toContain('draft');
  expect(await text(insider.call('GET', '/api/knowledge/documents'))).not.toContain('draft');
  const tried = (as?: string) =>
    text(admin.call('POST', '/api/knowledge/try', { text: bonus, ...(as ? { as } : {}) }));
  expect(await tried()).toContain('4711');
  expect(await tried(staff)).toContain('4711');
  expect(await tried('guest')).not.toMatch(secret);
  // Nobody sees more by asking as others.
  expect(await text(editor.call('POST', '/api/knowledge/try', { text: bonus, as: staff }))).not.toMatch(
    secret,
  );
});

test('an archive contains one collection, and only its editors can export it', async () => {
  const editor = await calls.signedUp('arne');
  const audience = { groups: [], people: [await calls.idOf('arne')] };
  const [from, into] = [
    await calls.collection('From', { readers: nobody, editors: audience }),
    await calls.collection('Into', { readers: nobody, editors: audience }),
  ];
  await givenDocument(editor, 'vole.md', '# Voles\n\nVoles dig 1123 tunnels.\n', 'Voles', from);
  await givenPair(editor, { question: 'Who digs?', answer: 'Voles.', collectionId: from });
  const path = (kind: string, id: string) => `/api/knowledge/${kind}?collection=${id}`;
  const read = (id: string) => editor.call<KnowledgeArchive>('GET', path('export', id));
  const put = (id: string, archive: object) => editor.call<object>('POST', path('import', id), archive);
  const titles = ({ documents, pairs }: KnowledgeArchive) => [
    ...documents.map(({ title }) => title),
    ...pairs.map(({ question }) => question),
  ];
  const { body: archive } = await read(from);
  expect(titles(archive)).toEqual(['Voles', 'Who digs?']);
  for (const id of ['everyone', collectionId, new Types.ObjectId().toHexString()])
    expect([(await read(id)).status, (await put(id, archive)).status]).toEqual([403, 403]);
  // What is in the other collection stays there: the copy has other ids, which are the same at each import.
  expect((await put(into, archive)).body).toEqual({ documents: 1, pairs: 1, unchanged: 0 });
  expect((await put(into, archive)).body).toEqual({ documents: 0, pairs: 0, unchanged: 2 });
  expect([titles((await read(from)).body), titles((await read(into)).body)]).toEqual([
    ['Voles', 'Who digs?'],
    ['Voles', 'Who digs?'],
  ]);
  await whenIndexed(editor, (await read(into)).body.documents[0]!.id);
  await calls.changeCollection(from, 'From', { editors: nobody });
  expect((await ask(editor, 'How many tunnels do voles dig?')).response).toContain('1123');
  expect(JSON.stringify(await ask(insider, 'How many tunnels do voles dig?'))).not.toContain('1123');
});

test('a golden question of a collection is asked with the rights of its readers, and only its editors see it', async () => {
  const editor = await calls.signedUp('gesa');
  const audience = { groups: [], people: [await calls.idOf('gesa')] };
  const id = await calls.collection('Golden', { readers: nobody, editors: audience });
  const path = '/api/knowledge/golden';
  const question = 'How heavy is the bell of the tower?';
  const document = await givenDocument(
    editor,
    'bell.md',
    `# ${question}\n\nThe bell weighs 2584 pounds.\n`,
    'Bell',
    id,
  );
  const expected = { outcome: 'answered', cites: 'Bell', contains: '2584' };
  const add = (who: Visitor, more: object) =>
    who.call<GoldenReply>('POST', path, { question, expected, ...more });
  const list = async (who: Visitor) => (await who.call<GoldenList>('GET', path)).body.golden;
  expect([(await add(editor, {})).status, (await add(editor, { collectionId })).status]).toEqual([403, 403]);
  expect((await outsider.call('GET', path)).status).toBe(403);
  // The same question may be expected to have no answer for everyone.
  expect((await add(admin, { expected: { outcome: 'refused' } })).status).toBe(201);
  const { golden } = (await add(editor, { collectionId: id })).body;
  expect(golden.collectionId).toBe(id);
  const asked = await until(async () => {
    const all = await list(admin);
    return all.length === 2 && all.every(({ result }) => result) && all;
  });
  expect(asked.map(({ result }) => result)).toEqual([
    { outcome: 'answered', cited: ['Bell'], passes: true },
    { outcome: 'nothing', cited: [], passes: true },
  ]);
  expect((await list(editor)).map((one) => one.id)).toEqual([golden.id]);
  const [, ofAll] = asked;
  const request = { question: 'Which bell?', expected };
  for (const [method, body] of [['PUT', request], ['DELETE']] as const)
    expect((await editor.call(method, `${path}/${ofAll!.id}`, body)).status).toBe(404);
  const csv = { csv: 'How old is the bell?,-' };
  expect((await editor.call('POST', `${path}/import`, csv)).status).toBe(403);
  const { body: check } = await admin.call<KnowledgeCheck>('POST', '/api/knowledge/check', {
    kind: 'delete_document',
    id: document.id,
  });
  expect([check.goldenChecked, check.golden[0]?.before.cited]).toEqual([2, ['Bell']]);
  await editor.call('PATCH', `/api/knowledge/documents/${document.id}`, { title: 'Great bell' });
  expect((await list(editor))[0]?.expected.cites).toBe('Great bell');
  // Its title is not that of a document that the editor may read any more.
  await until(async () => (await list(editor))[0]?.result?.cited[0] === 'Great bell');
  const move = (to: string) =>
    admin.call('PATCH', `/api/knowledge/documents/${document.id}`, { collectionId: to });
  expect((await move(collectionId)).status).toBe(200);
  const [moved] = await list(editor);
  expect(JSON.stringify([moved?.result, moved?.before])).not.toContain('Great bell');
  await whenIndexed(admin, document.id);
  expect((await move(id)).status).toBe(200);
  expect((await add(editor, { question: 'Which tower?', collectionId: id })).status).toBe(201);
  expect((await editor.call('DELETE', `${path}/${golden.id}`)).status).toBe(204);
  await editor.call('DELETE', `/api/knowledge/documents/${document.id}`);
  const removed = () => admin.call('DELETE', `/api/knowledge/collections/${id}`);
  await until(async () => (await removed()).status === 200);
  expect(await api.connection.collection('golden_questions').countDocuments()).toBe(1);
});

test('a collection with knowledge is not deleted, and names are unique', async () => {
  const remove = (id: string) =>
    admin.call<ErrorBody & CollectionList>('DELETE', `/api/knowledge/collections/${id}`);
  expect((await remove(collectionId)).body.error).toBe('conflict');
  const id = await calls.collection('Empty');
  expect((await calls.changeCollection(id, 'Salaries', {})).status).toBe(409);
  expect((await remove(id)).status).toBe(200);
  expect((await remove(id)).status).toBe(404);
});

test('a desk has at most 200 collections', async () => {
  const stored = api.connection.collection<{ _id: string }>('collections');
  const one = (await stored.findOne({ _id: collectionId }))!;
  const more = Array.from({ length: 199 - (await stored.countDocuments()) }, (_, n) => ({
    ...one,
    _id: new Types.ObjectId().toHexString(),
    name: `more ${n}`,
  }));
  await stored.insertMany(more);
  const add = async (name: string) =>
    (
      await admin.call('POST', '/api/knowledge/collections', {
        name,
        access: 'some',
        readers: nobody,
        editors: nobody,
      })
    ).status;
  expect([await add('the last'), await add('too many')]).toEqual([201, 409]);
  await stored.deleteMany({ name: { $in: ['the last', ...more.map(({ name }) => name)] } });
});
