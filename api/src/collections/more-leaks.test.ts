import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { getDocumentProxy } from 'unpdf';
import type { Citation } from '../contract/answers.ts';
import type { ChatAnswer } from '../contract/chat.ts';
import type { KnowledgeCheck, KnowledgeDocumentInfo } from '../contract/knowledge.ts';
import type { DeskRecord } from '../contract/records.ts';
import type { NewShare } from '../contract/sharing.ts';
import { archiveOf, archiveRecord, importArchive } from '../testing/archives.ts';
import { collectionCalls } from '../testing/collection-calls.ts';
import { askForPerson } from '../testing/handover-desk.ts';
import { addPair, givenDocument, givenPair, whenIndexed } from '../testing/knowledge-calls.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { until } from '../testing/until.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

const english = { 'Accept-Language': 'en' };
const question = 'What is the bonus of the management?';
/** Four digits may be part of an id, which is hexadecimal. */
const secret = /(?<![\da-f])4711(?![\da-f])|zanzibarian|Salaries/;
let document: KnowledgeDocumentInfo;
let citation: Citation;

const ask = async (who: Visitor, text: string, more: object = {}) =>
  (await who.call<ChatAnswer>('POST', '/api/chat', { text, ...more }, english)).body;
const seen = async (reply: Promise<{ body: unknown }>) => JSON.stringify((await reply).body);
const read = async (who: Visitor, method: string, path: string, body?: object) =>
  (
    await who.fetch(method, path, {
      ...(body && {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...english },
      }),
    })
  ).text();
const leaves = () => calls.changePerson('ines', { groups: [] });
const returns = () => calls.changePerson('ines', { groups: [staff] });

const api = await startTestApi({ config: { handbook: false } });
const calls = await collectionCalls(api);
const { admin } = calls;
const staff = await calls.group('Staff');
const insider = await calls.signedUp('ines');
const outsider = await calls.signedUp('otto');
/** Edits another restricted collection. */
const editor = await calls.signedUp('edda');
await returns();
const readers = { groups: [staff], people: [] };
const salaries = await calls.collection('Salaries', { readers });
const own = await calls.collection('Own', { editors: await calls.people('edda') });
await givenDocument(admin, 'open.md', '# When does the canteen open?\n\nThe canteen opens at noon.\n');
afterAll(() => api?.end());

/** What someone sees who may not read the collection, without ids and times. */
async function view(who: Visitor): Promise<string[]> {
  const asked = [
    question,
    'What is the bonos of the managment?',
    'Summarise “Salaries of the management”',
    'List all salaries',
    'zanzibarian',
    'Is 4711 the number of crowns?',
    '管理层的奖金是多少？',
    'What is in salaries.md?',
    'How is the year of the canteen counted?',
    'Compare the bonus of the management with the opening of the canteen',
  ];
  const all: string[] = [];
  for (const text of asked) {
    const answer = await ask(who, text);
    const record = await seen(who.call('GET', `/api/records/${answer.recordId}`));
    all.push(
      JSON.stringify(answer),
      record,
      await seen(who.call('GET', `/api/records/${answer.recordId}/why`)),
    );
  }
  for (const path of ['', '/collections', '/documents?limit=100', '/pairs?limit=100', '/documents?q=Salar'])
    all.push(await seen(who.call('GET', `/api/knowledge${path}`)));
  for (const q of ['4711', 'Salaries', 'salaries.md'])
    all.push(await seen(who.call('POST', '/api/knowledge/documents/search', { q })));
  all.push(await seen(who.call('GET', '/api/starters', undefined, english)));
  return all.map((text) =>
    text.replace(/[0-9a-f]{24}|\d{4}-\d\d-\d\dT[\d:.]+Z|"(hits|cited|took\w*|ms)":\d+/g, '…'),
  );
}

/** What someone sees once the vectors of new passages are calculated in the background. */
async function settledView(who: Visitor): Promise<string[]> {
  let last = '';
  return until(async () => {
    const now = await view(who);
    const isSame = JSON.stringify(now) === last;
    last = JSON.stringify(now);
    return isSame && now;
  });
}

test('responses to people without access are identical with and without restricted knowledge', async () => {
  const before = await settledView(outsider);
  const content = `# ${question}\n\nThe bonus of the management is 4711 crowns in a zanzibarian year.\n`;
  document = await givenDocument(admin, 'salaries.md', content, 'Salaries of the management', salaries);
  await givenPair(admin, {
    question: 'How is the reserve of the management built?',
    answer: 'By 4711 coins.',
    collectionId: salaries,
  });
  expect(await settledView(outsider)).toEqual(before);
  expect(JSON.stringify(await view(admin))).toContain('4711 crowns');
  const answer = await ask(insider, question);
  expect(answer.response).toContain('4711');
  [citation] = answer.citations as [Citation];
});

test('an imported archive that cites a restricted passage shows nothing of it, also by a shared link', async () => {
  const crafted = archiveRecord(7, {
    citations: [{ ...citation, title: 'Mine', quote: 'mine', place: '' }],
    answer: 'Mine [1]',
  });
  expect((await importArchive(outsider, archiveOf([crafted]))).status).toBe(200);
  const { records } = (await outsider.call<{ records: DeskRecord[] }>('GET', '/api/records?limit=100')).body;
  const mine = records.find(({ question: text }) => text === crafted.question)!;
  const share = await outsider.call<NewShare>('POST', `/api/conversations/${mine.conversationId}/share`, {
    files: true,
  });
  const surfaces = await Promise.all([
    read(outsider, 'GET', `/api/records/${mine.id}`),
    read(outsider, 'GET', citation.href),
    read(outsider, 'GET', `/api/conversations/${mine.conversationId}/export?format=markdown`),
    read(createVisitor(api.url), 'POST', '/api/shared', { token: share.body.token }),
    read(createVisitor(api.url), 'POST', '/api/shared/file', {
      token: share.body.token,
      id: document.id,
    }),
  ]);
  for (const text of surfaces) expect(text).not.toMatch(secret);
});

test.each<[string, string, string, object?]>([
  ['the document', 'GET', '/api/knowledge/documents/:document'],
  ['its parts', 'GET', '/api/knowledge/documents/:document/passages'],
  ['a new title', 'PATCH', '/api/knowledge/documents/:document', { title: 'Mine' }],
  ['a move to an own collection', 'PATCH', '/api/knowledge/documents/:document', { collectionId: ':own' }],
  ['publishing', 'POST', '/api/knowledge/documents/:document/publish'],
  ['indexing', 'POST', '/api/knowledge/documents/:document/reindex'],
  ['deletion', 'DELETE', '/api/knowledge/documents/:document'],
  [
    'the effect of its deletion',
    'POST',
    '/api/knowledge/check',
    { kind: 'delete_document', id: ':document' },
  ],
  ['the effect of its draft', 'POST', '/api/knowledge/check', { kind: 'publish_document', id: ':document' }],
  ['a question to its draft', 'POST', '/api/knowledge/try', { text: question, draftId: ':document' }],
  ['the source', 'GET', '/api/documents/:document'],
  ['the text', 'GET', '/api/documents/:document/text?at=0'],
])(
  'an editor of another collection is told that there is no such document: %s',
  async (_, method, path, body) => {
    const named = (text: string) => text.replace(':document', document.id).replace(':own', own);
    const sent = body && (JSON.parse(named(JSON.stringify(body))) as object);
    const unknown = JSON.parse(
      JSON.stringify([path, body ?? null])
        .replaceAll(':document', new Types.ObjectId().toHexString())
        .replace(':own', own),
    ) as [string, object | null];
    const [there, nowhere] = await Promise.all([
      editor.call<{ error: string }>(method as 'GET', named(path), sent),
      editor.call<{ error: string }>(method as 'GET', unknown[0], unknown[1] ?? undefined),
    ]);
    expect([there.status, there.body.error]).toEqual([404, 'not_found']);
    expect([nowhere.status, nowhere.body.error]).toEqual([there.status, there.body.error]);
  },
);

test('checks, new pairs and trials do not reveal restricted pairs to the editor of another collection', async () => {
  const pair = { question: 'How is the reserve of the management built?', answer: 'Nobody knows.' };
  const check = await editor.call<KnowledgeCheck>('POST', '/api/knowledge/check', {
    kind: 'put_pair',
    pair: { ...pair, collectionId: own },
  });
  expect(check.status).toBe(200);
  expect(JSON.stringify(check.body)).not.toMatch(secret);
  expect((await addPair(editor, { ...pair, collectionId: own })).status).toBe(201);
  for (const as of ['guest', staff, undefined])
    expect(
      await seen(editor.call('POST', '/api/knowledge/try', { text: question, ...(as && { as }) }, english)),
    ).not.toMatch(secret);
  const synonyms = { kind: 'put_synonyms', groups: [['bonus', 'zanzibarian']] };
  expect((await editor.call('POST', '/api/knowledge/check', synonyms)).status).toBe(403);
});

test('after a reader has lost access, a repeated request and a retry do not return the old answer', async () => {
  const clientId = 'leak-client-1';
  const first = await ask(insider, question, { clientId });
  expect(first.response).toContain('4711');
  await leaves();
  const again = await read(insider, 'POST', '/api/chat', { text: question, clientId });
  expect(again).not.toMatch(secret);
  const path = `/api/chat/${first.recordId}`;
  expect(await read(insider, 'POST', `${path}/retry`, {})).not.toMatch(secret);
  expect(await read(insider, 'POST', `${path}/stop`)).not.toMatch(secret);
  const version = { text: `${question} Now?`, versionOf: first.recordId };
  expect(await read(insider, 'POST', '/api/chat', version)).not.toMatch(secret);
  const followed = { text: 'And in the year after?', conversationId: first.conversationId };
  expect(await read(insider, 'POST', '/api/chat', followed)).not.toMatch(secret);
  await returns();
});

test('suggestions, ratings, statistics, search and reports omit answers that a former reader may no longer see', async () => {
  const near = await ask(insider, 'Is the bonus of the management of the yacht club taxed in winter?');
  const answer = await ask(insider, question);
  await insider.call('POST', '/api/feedback', { recordId: answer.recordId, rating: 1 });
  const filter = {};
  const surfaces = async () => {
    const all = await Promise.all([
      read(insider, 'GET', `/api/records/${near.recordId}`),
      read(insider, 'GET', `/api/records/${near.recordId}/why`),
      read(insider, 'GET', '/api/stats'),
      read(insider, 'POST', '/api/search', { text: 'bonus', limit: 50 }),
      read(insider, 'GET', '/api/conversations'),
      read(insider, 'POST', '/api/export', { filter, format: 'json' }),
      read(insider, 'POST', '/api/export', { filter, format: 'csv' }),
      read(insider, 'GET', `/api/conversations/${answer.conversationId}/export?format=markdown`),
    ]);
    return all.filter((text) => secret.test(text)).length;
  };
  expect(await surfaces()).toBeGreaterThan(3);
  await leaves();
  expect(await surfaces()).toBe(0);
  for (const [path, body] of [
    ['/api/generate_pdf', { filter }],
    ['/api/preview_pdf', { ids: [answer.recordId] }],
    ['/api/generate_pdf', { ids: [answer.recordId] }],
  ] as const)
    expect(await textOfPdf('POST', path, body)).not.toMatch(secret);
  const exported = `/api/conversations/${answer.conversationId}/export?format=pdf`;
  expect(await textOfPdf('GET', exported)).not.toMatch(secret);
  await returns();
  expect(await textOfPdf('GET', exported)).toMatch(secret);
});

async function textOfPdf(method: string, path: string, body?: object): Promise<string> {
  const response = await insider.fetch(method, path, {
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...english } }),
  });
  expect([path, response.status]).toEqual([path, 200]);
  const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
  const pages = Array.from({ length: pdf.numPages }, async (_, index) => {
    const { items } = await (await pdf.getPage(index + 1)).getTextContent();
    return items.map((item) => ('str' in item ? item.str : '')).join('');
  });
  return (await Promise.all(pages)).join('\n');
}

test("a former reader gets no 304 for a file in the browser's cache", async () => {
  const path = `/api/documents/${document.id}/file`;
  const kept = await insider.fetch('GET', path);
  expect(kept.status).toBe(200);
  await kept.arrayBuffer();
  const etag = kept.headers.get('ETag') ?? '';
  expect(kept.headers.get('Cache-Control')).toMatch(/private|no-cache|no-store/);
  await leaves();
  for (const headers of [{ 'If-None-Match': etag }, { 'If-None-Match': '*' }, { Range: 'bytes=0-20' }])
    for (const method of ['GET', 'HEAD'])
      expect((await insider.fetch(method, path, { headers })).status).toBe(404);
  await returns();
});

test('an agent in the inbox sees only sources that the agent may read', async () => {
  await calls.signedUp('agnes');
  await calls.changePerson('agnes', { roles: ['agent'] });
  const agent = createVisitor(api.url);
  await agent.signIn('agnes', 'a long password');
  const { conversationId } = await ask(insider, question);
  const handover = await askForPerson(insider, { question: 'Is that so?', conversationId });
  const events = await agent.fetch('GET', '/api/inbox/events', { headers: { Accept: 'text/event-stream' } });
  const reader = events.body!.getReader();
  const [first] = [await reader.read()];
  await reader.cancel();
  const surfaces = await Promise.all([
    read(agent, 'GET', '/api/inbox?limit=100'),
    read(agent, 'GET', `/api/inbox/${handover.id}`),
    read(agent, 'POST', `/api/inbox/${handover.id}/take`),
    read(agent, 'GET', `/api/conversations/${conversationId}/records`),
    read(agent, 'GET', `/api/records/${(await ask(insider, question)).recordId}`),
  ]);
  for (const text of [...surfaces, new TextDecoder().decode(first.value)]) expect(text).not.toMatch(secret);
  await calls.changePerson('agnes', { groups: [staff] });
  expect(await read(agent, 'GET', `/api/inbox/${handover.id}`)).toMatch(secret);
});

test('a shared link made while everyone could read a passage hides it once it is restricted', async () => {
  const id = await calls.collection('Passing', { access: 'everyone' });
  const asked = 'Where does the ferryman keep the compass?';
  const file = `# ${asked}\n\nThe ferryman keeps the compass in locker 2207.\n`;
  const { id: moved } = await givenDocument(admin, 'compass.md', file, 'Compass', id);
  const { conversationId, response } = await ask(outsider, asked);
  expect(response).toContain('2207');
  const path = `/api/conversations/${conversationId}/share`;
  const { token } = (await outsider.call<NewShare>('POST', path, { files: true })).body;
  const guest = createVisitor(api.url);
  expect(await read(guest, 'POST', '/api/shared', { token })).toContain('2207');
  // Signed in is not enough for a link, which anyone can open.
  await calls.changeCollection(id, 'Passing', { access: 'signed_in' });
  expect(await read(guest, 'POST', '/api/shared', { token })).not.toContain('2207');
  expect(await read(outsider, 'POST', '/api/shared', { token })).not.toContain('2207');
  expect((await ask(outsider, asked)).response).toContain('2207');
  await calls.changeCollection(id, 'Passing', { access: 'everyone' });
  expect(await read(guest, 'POST', '/api/shared', { token })).toContain('2207');
  await admin.call('DELETE', `/api/knowledge/documents/${moved}`);
  expect(JSON.stringify(await ask(outsider, asked))).not.toContain('2207');
});

test('an editor cannot find out about golden questions and archives of other collections', async () => {
  const golden = { question, expected: { outcome: 'answered', contains: '4711' }, collectionId: salaries };
  expect((await admin.call('POST', '/api/knowledge/golden', golden)).status).toBe(201);
  expect(await read(editor, 'GET', '/api/knowledge/golden')).not.toMatch(secret);
  expect(await read(editor, 'POST', '/api/knowledge/golden/run')).not.toMatch(secret);
  const mine = { ...golden, expected: { outcome: 'answered' }, collectionId: own };
  const added = await editor.call('POST', '/api/knowledge/golden', mine);
  expect([added.status, JSON.stringify(added.body)]).not.toEqual([409, expect.anything()]);
  expect(await read(editor, 'GET', `/api/knowledge/export?collection=${own}`)).not.toMatch(secret);
  // An archive that names the document of another collection changes only the own one.
  const archive = JSON.parse(
    await read(admin, 'GET', `/api/knowledge/export?collection=${salaries}`),
  ) as object;
  const changed = JSON.parse(JSON.stringify(archive).replaceAll('4711', '1')) as object;
  await editor.call('POST', `/api/knowledge/import?collection=${own}`, changed);
  expect((await ask(insider, question)).response).toContain('4711');
});

test('a collection that may not be read is like one that does not exist', async () => {
  const unknown = new Types.ObjectId().toHexString();
  const form = (collection: string) => {
    const fields = new FormData();
    fields.set('file', new File(['# A\n\nText.\n'], 'a.md'));
    fields.set('collection', collection);
    return fields;
  };
  const attempts = (id: string) =>
    Promise.all([
      read(editor, 'GET', `/api/knowledge/documents?collection=${id}`),
      read(editor, 'GET', `/api/knowledge/pairs?collection=${id}`),
      read(editor, 'POST', '/api/knowledge/documents/search', { q: 'a', collection: id }),
      read(editor, 'GET', `/api/knowledge/export?collection=${id}`),
      read(editor, 'POST', '/api/knowledge/pairs', { question: 'A?', answer: 'A.', collectionId: id }),
      read(editor, 'POST', '/api/knowledge/golden', {
        question: 'A?',
        expected: { outcome: 'answered' },
        collectionId: id,
      }),
      editor
        .fetch('POST', '/api/knowledge/documents', { body: form(id) })
        .then((response) => response.text()),
    ]);
  const withoutIds = (texts: string[]) => texts.map((text) => text.replace(/"requestId":"[^"]*"/, ''));
  expect(withoutIds(await attempts(salaries))).toEqual(withoutIds(await attempts(unknown)));
});

test('the roles of a group give the rights that they give to an account, and no others', async () => {
  const edit = (roles: string[]) =>
    admin.call('PUT', `/api/people/groups/${group}`, { name: 'Librarians', claim: '', roles });
  const group = await calls.group('Librarians');
  const member = await calls.signedUp('lisa');
  await calls.changePerson('lisa', { groups: [group] });
  const attempt = async () => [
    secret.test(JSON.stringify(await ask(member, question))),
    secret.test(await read(admin, 'POST', '/api/knowledge/try', { text: question, as: group })),
  ];
  expect(await attempt()).toEqual([false, false]);
  await edit(['agent', 'operator']);
  expect(await attempt()).toEqual([false, false]);
  await edit(['editor']);
  expect(await attempt()).toEqual([true, true]);
  await edit([]);
  expect(await attempt()).toEqual([false, false]);
});

test('a new account with the name of a deleted reader has no access', async () => {
  const reader = await calls.signedUp('rita');
  await calls.changeCollection(salaries, 'Salaries', { readers: await calls.people('rita') });
  expect((await ask(reader, question)).response).toContain('4711');
  expect((await reader.call('DELETE', '/admin/account', { password: 'a long password' })).status).toBe(200);
  const namesake = await calls.signedUp('rita');
  expect(JSON.stringify(await ask(namesake, question))).not.toMatch(secret);
  expect(JSON.stringify(await ask(insider, question))).not.toMatch(secret);
});

test('the same file in another collection is a document of its own, also if it was moved there as a draft', async () => {
  const upload = async (draft: string) => {
    const fields = new FormData();
    fields.set('file', new File(['# Plans\n\nThe plans of the swan.\n'], 'plans.md'));
    fields.set('collection', own);
    fields.set('draft', draft);
    const response = await editor.fetch('POST', '/api/knowledge/documents', { body: fields });
    const { document: added } = (await response.json()) as { document: KnowledgeDocumentInfo };
    return { status: response.status, id: added.id };
  };
  for (const draft of ['', '1']) {
    const first = await upload(draft);
    expect([first.status, (await upload(draft)).status]).toEqual([201, 200]);
    await whenIndexed(admin, first.id);
    const path = `/api/knowledge/documents/${first.id}`;
    expect((await admin.call('PATCH', path, { collectionId: salaries })).status).toBe(200);
    await whenIndexed(admin, first.id);
    expect((await admin.call('PATCH', path, { title: 'Salaries of swans' })).status).toBe(200);
    const second = await upload(draft);
    expect([second.status, second.id === first.id]).toEqual([201, false]);
  }
});
