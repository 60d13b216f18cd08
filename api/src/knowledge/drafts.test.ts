import { afterAll, expect, test } from '@jest/globals';
import type { GoldenList } from '../contract/golden.ts';
import type {
  KnowledgeCheck,
  KnowledgeDocumentPage,
  KnowledgeDocumentReply,
  TriedQuestion,
} from '../contract/knowledge.ts';
import { givenDocument, whenIndexed } from '../testing/knowledge-calls.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { until } from '../testing/until.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

const api = await startTestApi({});
const [editor, reader] = [createVisitor(api.url), createVisitor(api.url)];
await editor.signUp('first', 'password-1');
await reader.signUp('reader', 'password-2');
afterAll(() => api.end());

const manual = '# 行政规定\n\n## 储物柜\n\n储物柜在前台登记借用，每人一个。\n';
const question = '储物柜在哪里登记借用？';

async function addDraft(content = manual): Promise<string> {
  const form = new FormData();
  form.set('file', new File([content], '行政规定.md'));
  form.set('draft', '1');
  const reply = await editor.fetch('POST', '/api/knowledge/documents', { body: form });
  const { document } = (await reply.json()) as KnowledgeDocumentReply;
  expect(document.isDraft).toBe(true);
  expect((await whenIndexed(editor, document.id)).status).toBe('ready');
  return document.id;
}

const ask = async (who: Visitor) => await who.ask(question);
const titlesFor = async (who: Visitor) =>
  (await who.call<KnowledgeDocumentPage>('GET', '/api/knowledge/documents')).body.documents
    .filter(({ isHandbook }) => !isHandbook)
    .map(({ title }) => title);

test('only editors see a draft and only trial questions use it; once published, it is used for everyone', async () => {
  const expected = { outcome: 'answered', cites: '行政规定.md' };
  await editor.call('POST', '/api/knowledge/golden', { question, expected });
  await until(
    async () => (await editor.call<GoldenList>('GET', '/api/knowledge/golden')).body.golden[0]?.result,
  );
  const id = await addDraft();

  expect(await titlesFor(editor)).toHaveLength(1);
  expect(await titlesFor(reader)).toEqual([]);
  for (const path of [`/api/knowledge/documents/${id}`, `/api/knowledge/documents/${id}/passages`]) {
    expect((await reader.call('GET', path)).status).toBe(404);
    expect((await editor.call('GET', path)).status).toBe(200);
  }
  for (const who of [reader, editor]) expect((await ask(who)).outcome).not.toBe('answered');

  const tryIt = async (draftId?: string) =>
    (await editor.call<TriedQuestion>('POST', '/api/knowledge/try', { text: question, draftId })).body;
  expect((await tryIt()).outcome).not.toBe('answered');
  expect(await tryIt(id)).toMatchObject({ outcome: 'answered', source: 'document' });
  const check = { kind: 'publish_document', id };
  const { golden } = (await editor.call<KnowledgeCheck>('POST', '/api/knowledge/check', check)).body;
  expect(golden).toMatchObject([{ question, before: { passes: false }, after: { outcome: 'answered' } }]);

  expect((await editor.call('POST', `/api/knowledge/documents/${id}/publish`)).status).toBe(202);
  expect((await whenIndexed(editor, id)).isDraft).toBeUndefined();
  expect(await ask(reader)).toMatchObject({ outcome: 'answered', source: 'document' });
  expect(await titlesFor(reader)).toHaveLength(1);
  expect((await editor.call('POST', `/api/knowledge/documents/${id}/publish`)).status).toBe(404);
});

test('counts of shared words are exact after a draft is published, and it can be deleted like any document', async () => {
  const shared = await givenDocument(editor, 'other.md', '# 班车\n\n## 时刻\n\n班车每天八点发车。\n');
  const id = await addDraft('# 访客\n\n## 登记\n\n访客每天八点以后登记。\n');
  const countOf = async () => {
    const rows = await api.connection.collection('term_counts').find().toArray();
    const totals = rows.filter(({ _id }) => /^shared-\d+ $/.test(String(_id)));
    return totals.reduce((sum, { passages }) => sum + passages, 0);
  };
  const before = await countOf();
  await editor.call('POST', `/api/knowledge/documents/${id}/publish`);
  const { passages } = await whenIndexed(editor, id);
  expect(await countOf()).toBe(before + passages);
  for (const one of [id, shared.id])
    expect((await editor.call('DELETE', `/api/knowledge/documents/${one}`)).status).toBe(204);
  expect(await until(async () => (await countOf()) === before - shared.passages)).toBe(true);

  const draft = await addDraft('# 雨伞\n\n雨伞在前台。\n');
  expect((await editor.call('DELETE', `/api/knowledge/documents/${draft}`)).status).toBe(204);
  expect(await api.connection.collection('passages').countDocuments({ documentId: draft })).toBe(0);
});
