import { afterAll, expect, test } from '@jest/globals';
import { createLog } from '../http/create-log.ts';
import { openKnowledgeStore } from '../testing/knowledge-store.ts';
import type { AnswerPiece } from './answerer.ts';
import { openAnswers } from './open-answers.ts';

const store = await openKnowledgeStore();
const desk = await openAnswers(
  store.models.documents.db,
  { handbook: true, embeddings: null },
  createLog('silent'),
);
afterAll(() => store.end());

async function ask(text: string, ...before: string[]) {
  const history = before.map((question) => ({ question, answer: '…' }));
  const question = { text, language: 'zh' as const, owner: 'guest:1', history };
  for await (const piece of desk.answerer.answer(question, new AbortController().signal))
    if (piece.kind === 'final') return piece as Extract<AnswerPiece, { kind: 'final' }>;
  throw new Error(`an answer must end with a final piece, got none for ${text}`);
}

async function put(id: string, title: string, text: string) {
  const document = { _id: id, owner: '', title, language: 'zh' as const, text };
  await desk.models.documents.create({
    ...document,
    source: 'upload',
    type: 'markdown',
    status: 'ready',
    createdAt: new Date(),
  });
  await desk.index.put(document);
}

test.each(['青花瓷碗摔碎了能换吗？', '保洁公司的电话是多少？', '蛋糕可以提前几天订？'])(
  'the handbook neither answers nor relates to %s, on a desk without documents',
  async (text) => {
    expect(await ask(text)).toMatchObject({ source: 'none', citations: [], suggestions: [] });
  },
);

test("documents about a shop: outcomes, and the handbook's own questions", async () => {
  await put(
    'service',
    '茶具售后',
    '# 茶具售后\n\n## 破损换货\n\n收到的茶壶有破损，签收后 7 天内可以免费换货。换货请附照片和运单号。\n\n## 联系客服\n\n客服在会话里回复，每天 9:00–18:00 在线。删除订单请联系客服。\n',
  );
  const answered = await ask('茶壶破损，签收后几天内可以换货？');
  expect(answered).toMatchObject({ source: 'document', citations: [{ title: '茶具售后' }] });
  expect(answered.unsupported).toBeUndefined();
  expect(answered.understoodAs).toBeUndefined();

  const partly = await ask('茶壶破损换货，需要寄回原来的木箱和保险吗？');
  expect(partly.citations[0]).toMatchObject({ title: '茶具售后' });
  expect(partly.unsupported).toContain('保险');

  // The handbook tells how to delete a conversation; of orders it knows nothing.
  const order = await ask('怎样删除订单？');
  expect(order.citations.map(({ title }) => title)).not.toContain('会话');
  expect(await ask('怎样删除会话？')).toMatchObject({
    source: 'document',
    citations: [expect.objectContaining({ title: '会话' })],
  });
});

test.each(['怎么重启机器', '电话打不通怎么办'])(
  'the handbook does not answer %s, of which it says only some words, on a desk with documents of its own',
  async (text) => {
    const { citations } = await ask(text);
    expect(citations.filter(({ title }) => title !== '茶具售后')).toEqual([]);
  },
);

test('a question that asks for two things is answered from two passages, and says which part is not', async () => {
  await put(
    'market',
    '手作市集',
    '# 手作市集\n\n## 摊位\n\n摊位每天租金 60 元，可以租两张长桌。\n\n## 布展\n\n布展从早上七点开始，九点以前把货车开走。\n',
  );
  const quotesOf = ({ citations }: Awaited<ReturnType<typeof ask>>) =>
    citations.map(({ quote }) => quote).join();
  const both = await ask('摊位每天租金多少元，布展从几点开始？');
  expect(both).toMatchObject({ source: 'document' });
  expect(both.unsupported).toBeUndefined();
  expect(quotesOf(both)).toContain('60 元');
  expect(quotesOf(both)).toContain('早上七点');

  const partly = await ask('摊位每天租金多少元，雨棚向谁借？');
  expect(partly).toMatchObject({ source: 'document', unsupported: ['雨棚向谁借？'] });
  expect(quotesOf(partly)).toContain('60 元');

  // The second part may depend on the first one.
  expect(await ask('雨棚向谁借，货车几点以前开走？')).toMatchObject({ source: 'none', outcome: 'related' });
});

test('a follow-up says how it was understood, a complete question does not', async () => {
  await put(
    'delivery',
    '茶具配送',
    '# 茶具配送\n\n## 运费\n\n寄到上海运费 12 元，寄到新疆运费 30 元。\n\n## 包装\n\n茶壶用木箱包装。\n',
  );
  const before = '寄到上海的运费是多少元？';
  expect(await ask('那新疆呢？', before)).toMatchObject({
    source: 'document',
    understoodAs: `${before}，那新疆呢？`,
  });
  expect((await ask(before, '茶壶用什么包装？')).understoodAs).toBeUndefined();
});

test('a short question that is not answered alone also quotes what answers in its conversation', async () => {
  await put(
    'classes',
    '陶艺课',
    '# 陶艺课\n\n## 拉坯课\n\n拉坯课每周六上午开，成人每次 80 元。\n\n## 体验日\n\n学生上交作品以前要拍照。\n',
  );
  const { source, outcome, citations } = await ask('要上交押金吗', '拉坯课什么时候开？');
  expect({ source, outcome }).toEqual({ source: 'none', outcome: 'related' });
  expect(citations.map(({ quote }) => quote).join()).toContain('成人每次 80 元');
});

test('headings that are no questions are no starters', async () => {
  const starters = await desk.starters('zh', '');
  expect(starters.length).toBeGreaterThan(0);
  for (const starter of starters) expect(starter).toMatch(/[?？]$/);
});

test('the handbook does not answer a short question that continues one about documents', async () => {
  await put(
    'kiln',
    '窑炉手册',
    '# 窑炉手册\n\n## 开窑前\n\n每天开窑前先做空烧测试。\n\n## 存档\n\n空烧测试表在窑房存三年。\n',
  );
  expect(await ask('记录要留几年', '每天开窑前先做什么测试？')).toMatchObject({
    source: 'none',
    citations: [],
  });
  expect(await ask('怎样删除会话？', '每天开窑前先做什么测试？')).toMatchObject({
    source: 'document',
    citations: [expect.objectContaining({ title: '会话' })],
  });
});
