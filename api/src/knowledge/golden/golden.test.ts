import { afterAll, expect, test } from '@jest/globals';
import type { ChatAnswer, PredictAnswer } from '../../contract/chat.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import type {
  GoldenImportReply,
  GoldenList,
  GoldenQuestion,
  GoldenReply,
  RatedQuestions,
} from '../../contract/golden.ts';
import type { KnowledgeCheck } from '../../contract/knowledge.ts';
import { givenDocument, givenPair } from '../../testing/knowledge-calls.ts';
import { createScriptedAnswerer, echo } from '../../testing/scripted-answerer.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { until } from '../../testing/until.ts';
import { signedUp, type Visitor } from '../../testing/visitor.ts';

const manual = `# 青鸟净水器手册

## 更换滤芯

青鸟净水器的滤芯每六个月更换一次。更换前先关闭进水阀。
`;

const api = await startTestApi({});
const editor = await signedUp(api.url, 'first', 'password-1');
afterAll(() => api.end());

const list = async () => (await editor.call<GoldenList>('GET', '/api/knowledge/golden')).body;

async function add(question: string, expected: object): Promise<GoldenQuestion> {
  const body = { question, expected };
  const reply = await editor.call<GoldenReply>('POST', '/api/knowledge/golden', body);
  if (reply.status !== 201) throw new Error(`expected a golden question, got ${reply.status}`);
  return reply.body.golden;
}

/** Polls until a question is as `fits` says, and nothing runs. */
const whenAsked = (id: string, fits: (golden: GoldenQuestion) => boolean = () => true) =>
  until(async () => {
    const { golden, isRunning } = await list();
    const one = golden.find((other) => other.id === id);
    return one?.result && !isRunning && fits(one) && one;
  });

/** Asks all questions again, and waits for the end. Without another change of what answers depend on, no further run begins. */
async function askAll(): Promise<void> {
  const { ranAt } = await list();
  expect((await editor.call('POST', '/api/knowledge/golden/run')).status).toBe(202);
  await until(async () => {
    const now = await list();
    return now.ranAt !== ranAt && !now.isRunning;
  });
}

const filter = '青鸟净水器的滤芯多久更换一次？';

test('a new question is asked; after a change of documents, all are asked again and compared with the run before', async () => {
  const document = await givenDocument(editor, '手册.md', manual, '净水器手册');
  const { id } = await add(filter, { outcome: 'answered', cites: '净水器手册', contains: '六个月' });
  const passing = { outcome: 'answered', cited: ['净水器手册'], passes: true };
  expect(await whenAsked(id)).toMatchObject({ result: passing });

  await editor.call('DELETE', `/api/knowledge/documents/${document.id}`);
  expect(await whenAsked(id, ({ result }) => !result?.passes)).toMatchObject({
    before: passing,
    result: { passes: false, cited: [] },
  });

  await givenDocument(editor, '手册.md', manual, '净水器手册');
  expect(await whenAsked(id, ({ result }) => result!.passes)).toMatchObject({
    before: { passes: false },
    result: passing,
  });
});

test('the answer is compared with the expectation: a citation, a text, a pair, or none', async () => {
  await givenPair(editor, { question: '门店几点开门', variants: ['几点营业'], answer: '每天 **9 点**。' });
  const expectations = [
    [filter, { outcome: 'answered' }, true],
    ['滤芯几个月更换一次？', { outcome: 'answered', contains: '两年' }, false],
    ['青鸟净水器的滤芯每几个月更换？', { outcome: 'refused' }, false],
    ['门店几点开门？', { outcome: 'answered', cites: '几点营业', contains: '每天9点' }, true],
    ['几点营业？', { outcome: 'answered', cites: '净水器手册' }, false],
    ['独角兽的鬃毛怎样编辫子？', { outcome: 'refused', contains: 'is dropped' }, true],
  ] as const;
  for (const [question, expected, passes] of expectations) {
    const known = (await list()).golden.find((one) => one.question === question);
    if (known) await editor.call('DELETE', `/api/knowledge/golden/${known.id}`);
    const { id } = await add(question, expected);
    expect([question, (await whenAsked(id)).result?.passes]).toEqual([question, passes]);
  }
});

test('a question can be changed, deleted and asked again on demand, and exists once', async () => {
  const { id } = await add('停车怎么收费？', { outcome: 'refused' });
  // Also for what the tests before have changed.
  await askAll();
  const same = { question: '停车怎么收费', expected: { outcome: 'answered' } };
  expect((await editor.call<ErrorBody>('POST', '/api/knowledge/golden', same)).status).toBe(409);

  const changed = await editor.call<GoldenReply>('PUT', `/api/knowledge/golden/${id}`, same);
  expect(changed.body.golden).toMatchObject({ ...same, before: null });
  expect(await whenAsked(id)).toMatchObject({ result: { passes: false }, before: null });

  await askAll();
  expect(await whenAsked(id)).toMatchObject({ before: { passes: false }, result: { passes: false } });

  expect((await editor.call('DELETE', `/api/knowledge/golden/${id}`)).status).toBe(204);
  for (const method of ['PUT', 'DELETE'])
    expect((await editor.call(method, `/api/knowledge/golden/${id}`, same)).status).toBe(404);
});

test('a question that is changed while it is asked gets no result of its earlier text', async () => {
  const answerer = createScriptedAnswerer();
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  answerer.script = async function* (asking) {
    if (asking.text === 'Old?') {
      asked.resolve();
      await held.promise;
    }
    yield* echo(asking);
  };
  const desk = await startTestApi({ answerer });
  try {
    const writer = await signedUp(desk.url, 'first', 'password-1');
    const asks = (question: string, contains: string) => ({
      question,
      expected: { outcome: 'answered', cites: '', contains },
    });
    const { golden } = (
      await writer.call<GoldenReply>('POST', '/api/knowledge/golden', asks('Old?', 'never'))
    ).body;
    await asked.promise;
    await writer.call('PUT', `/api/knowledge/golden/${golden.id}`, asks('New?', 'new'));
    held.resolve();
    const done = await until(async () => {
      const { body } = await writer.call<GoldenList>('GET', '/api/knowledge/golden');
      return !body.isRunning && body.golden[0];
    });
    expect(done).toMatchObject({ question: 'New?', result: { passes: true }, before: null });
  } finally {
    await desk.end();
  }
});

test('a table is imported: known questions are changed, and rows that are not valid are reported', async () => {
  await add('茶水间在哪里？', { outcome: 'refused' });
  const csv = [
    'question;cites;contains',
    '茶水间在哪里;净水器手册;"a;b"',
    '会议室怎么预订？;-',
    ';净水器手册',
    `问${'长'.repeat(8001)};-`,
  ].join('\n');

  const { body } = await editor.call<GoldenImportReply>('POST', '/api/knowledge/golden/import', { csv });

  expect(body).toEqual({ added: 1, changed: 1, refused: [4, 5] });
  const { golden } = await list();
  expect(golden.find(({ question }) => question === '茶水间在哪里')?.expected).toEqual({
    outcome: 'answered',
    cites: '净水器手册',
    contains: 'a;b',
  });
  expect(golden.find(({ question }) => question === '会议室怎么预订？')?.expected.outcome).toBe('refused');
});

test('questions rated as helpful are offered without contact data, and stay the editors’ own text after the record is deleted', async () => {
  const contact = '13800138000';
  const asked = await editor.call<ChatAnswer>('POST', '/api/chat', {
    text: `13800138000 问：门店几点开门`,
    contact,
  });
  const other = await signedUp(api.url, 'reader', 'password-2');
  const theirs = await other.call<ChatAnswer>('POST', '/api/chat', { text: '几点营业' });
  const form = new FormData();
  form.append('text', '几点营业');
  form.append('file', new Blob(['# 门店\n\n门店几点营业：九点。\n']), 'hours.md');
  const response = await editor.fetch('POST', '/api/predict', { body: form });
  const ofFile = (await response.json()) as PredictAnswer;
  expect(ofFile.source).not.toBe('none');
  await editor.call('POST', '/api/feedback', { recordId: ofFile.recordId, rating: 1 });
  const questions = async () =>
    (await editor.call<RatedQuestions>('GET', '/api/knowledge/golden/rated')).body.rated.map(
      ({ question }) => question,
    );
  for (const { id, question } of (await list()).golden)
    if (question.startsWith('几点')) await editor.call('DELETE', `/api/knowledge/golden/${id}`);
  expect(await questions()).not.toContain('几点营业');
  const plain = await editor.call<ChatAnswer>('POST', '/api/chat', { text: '几点营业', contact });
  const ratings: [Visitor, ChatAnswer][] = [
    [editor, asked.body],
    [other, theirs.body],
    [editor, plain.body],
  ];
  for (const [who, { recordId }] of ratings)
    expect((await who.call('POST', '/api/feedback', { recordId, rating: 1 })).status).toBe(200);

  const { rated } = (await editor.call<RatedQuestions>('GET', '/api/knowledge/golden/rated')).body;

  expect(JSON.stringify(rated)).not.toContain(contact);
  const offered = rated.find(({ question }) => question === '几点营业')!;
  expect(offered.expected).toEqual({ outcome: 'answered', cites: '门店几点开门', contains: '' });
  const { id } = await add(offered.question, offered.expected);
  const again = (await editor.call<RatedQuestions>('GET', '/api/knowledge/golden/rated')).body;
  expect(again.rated.some(({ question }) => question === '几点营业')).toBe(false);

  await editor.call('POST', '/api/delete_by_contact', { contact });
  const kept = (await list()).golden.find((one) => one.id === id);
  expect(kept).toMatchObject({ question: '几点营业' });
  expect(JSON.stringify(kept)).not.toContain(plain.body.recordId);
});

test('the check of a change says which golden questions would get better or worse', async () => {
  const question = '储物柜怎么借？';
  const { id } = await add(question, { outcome: 'answered', contains: '前台' });
  const { result: before } = await whenAsked(id);
  expect(before?.passes).toBe(false);
  const after = { outcome: 'answered', cited: [question], passes: true };
  const pair = { question, answer: '在前台登记。' };

  const check = (change: object) => editor.call<KnowledgeCheck>('POST', '/api/knowledge/check', change);

  expect((await check({ kind: 'put_pair', pair })).body.golden).toEqual([{ question, before, after }]);
  const stored = await givenPair(editor, pair);
  expect(await whenAsked(id, ({ result }) => result!.passes)).toMatchObject({ result: after });
  expect((await check({ kind: 'delete_pair', id: stored.id })).body.golden).toEqual([
    { question, before: after, after: before },
  ]);
});
