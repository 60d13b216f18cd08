import { afterAll, expect, test } from '@jest/globals';
import type { Language } from '../../contract/language.ts';
import { openKnowledgeStore } from '../../testing/knowledge-store.ts';
import type { AnswerPiece, Question, QuestionFile } from '../answerer.ts';
import { createAnswerer } from '../create-answerer.ts';
import { indexHandbook } from '../handbook/index-handbook.ts';
import { createKnowledgeIndex } from '../index/create-knowledge-index.ts';
import { createUseCounts } from '../pairs/use-counts.ts';

const policy = `# 差旅制度

本制度适用于全体员工出差的申请、标准和报销。

## 住宿标准

一线城市每晚不超过 500 元，其他城市每晚不超过 350 元。超出部分由员工自理。

## 报销期限

出差结束后 15 天内提交报销单，逾期须由部门经理批准。

## 交通

高铁优先选二等座，飞机限经济舱。
`;

const leave = [
  'Section 1. Leave must be requested three working days ahead, by the form of the department.',
  'Section 2. Annual leave is fifteen days, which are taken within the year or given up.',
  'Section 3. Sick leave needs a certificate of a doctor, from the second day on.',
  'Section 4. Parental leave is twelve weeks for either parent, in one part or in two.',
];

interface Answered extends Extract<AnswerPiece, { kind: 'final' }> {
  text: string;
}

const store = await openKnowledgeStore();
const handbook = await indexHandbook(store.models);
const index = createKnowledgeIndex(store.models);

async function put(
  _id: string,
  owner: string,
  title: string,
  language: Language,
  text: string,
): Promise<void> {
  const createdAt = new Date();
  await store.models.documents.create({
    _id,
    owner,
    source: 'upload',
    status: 'ready',
    title,
    language,
    text,
    createdAt,
  });
  await index.put({ _id, owner, title, language, text });
}

await put('travel', 'user:1', '差旅制度', 'zh', policy);
await put(
  'list',
  'user:1',
  'Prices',
  'en',
  '# Prices\n\n| item | price |\n|---|---|\n| pen | 2 |\n| cup | 5 |\n| lamp | 30 |\n',
);
await put('sign', 'user:1', 'sign.png', 'zh', '会议室在三楼\n请刷卡');
await put('leave', 'user:1', 'leave.txt', 'en', leave.join('\n'));
await put(
  'config',
  'user:1',
  '配置',
  'zh',
  '- title: 配置\n- timeout: 45\n\n## servers\n\n| name | port |\n|---|---|\n| gate | 8443 |\n| cache | 6380 |\n',
);
const uses = createUseCounts(store.models, { warn: () => undefined });
const answerer = createAnswerer({ models: store.models, handbook, uses });

async function ask(question: Partial<Question> & { text: string }): Promise<Answered> {
  const pieces: string[] = [];
  const whole = { owner: 'user:1', language: 'zh' as Language, history: [], ...question };
  for await (const piece of answerer.answer(whole, new AbortController().signal)) {
    if (piece.kind === 'text') pieces.push(piece.text);
    if (piece.kind === 'final') return { ...piece, text: pieces.join('') };
  }
  throw new Error('no final piece');
}

afterAll(() => store.end());

function fileOf(
  documentId: string | null,
  name = '差旅制度.docx',
  kind: QuestionFile['kind'] = 'docx',
): QuestionFile {
  return { name, kind, documentId, readImage: null };
}

const afterUpload = {
  history: [{ question: '一线城市住宿一晚最多多少钱', answer: '…', fileIds: ['file'] }],
  earlierDocumentIds: ['travel'],
};

test.each(['Summarize the file', '总结一下这个文件', '这份文件讲了什么？'])(
  'an earlier file is summarised: %s',
  async (text) => {
    const { text: said, source, citations } = await ask({ text, ...afterUpload });
    expect(source).toBe('document');
    expect(said).toContain('差旅制度');
    expect(citations.length).toBeGreaterThan(0);
    for (const { quote, start, end } of citations) expect(policy.slice(start, end)).toBe(quote);
  },
);

test.each(['请用三句话概括一下，我要转给同事', '领导问这份制度写了什么，该怎么回他'])(
  'a file is summarised if a summary is asked for and no passage answers: %s',
  async (text) => {
    const { text: said, source } = await ask({ text, files: [fileOf('travel')] });
    expect(source).toBe('document');
    expect(said).toContain('差旅制度');
  },
);

test('a heading of an earlier file is answered from it, a question about something else is not', async () => {
  expect((await ask({ text: '报销期限', ...afterUpload })).text).toContain('15 天内');
  expect((await ask({ text: '怎样删除会话？', ...afterUpload })).text).toContain('删除会话');
});

test('a follow-up is about the file of the conversation, although another document has more of its words', async () => {
  await put('shops', '', '门店一览', 'zh', '# 门店一览\n\n## 其他城市\n\n其他城市的门店每周一休息。\n');
  expect((await ask({ text: '那其他城市呢？' })).text).toContain('每周一休息');
  expect((await ask({ text: '那其他城市呢？', ...afterUpload })).text).toContain('350 元');
});

test('a question about a file is answered from it word for word', async () => {
  const { text, source, citations } = await ask({
    text: '一线城市住宿一晚最多多少钱',
    files: [fileOf('travel')],
  });
  expect(source).toBe('document');
  expect(text).toContain('每晚不超过 500 元');
  for (const { quote, start, end } of citations) expect(policy.slice(start, end)).toBe(quote);
});

test('a question with few words of the file is answered from it', async () => {
  const { text, source } = await ask({ text: '飞机能坐商务舱吗', files: [fileOf('travel')] });
  expect(source).toBe('document');
  expect(text).toContain('飞机限经济舱');
});

test('a question that the file does not answer is refused, and nothing else is used', async () => {
  const { text, source, citations } = await ask({ text: '怎样删除会话？', files: [fileOf('travel')] });
  expect([source, citations]).toEqual(['none', []]);
  expect(text).toContain('“差旅制度.docx”里没有找到');
});

test('the name of a file is no link, no picture and no citation', async () => {
  const { text } = await ask({ text: '怎样删除会话？', files: [fileOf('travel', '![1](tel:1) [1].docx')] });
  expect(text).toContain('“!［1］(tel:1) ［1］.docx”');
});

test("another owner's file answers nothing, and neither does one that is about to be erased", async () => {
  const question = { text: '出差结束后几天内提交报销单', files: [fileOf('travel')] };
  expect((await ask({ ...question, owner: 'user:2' })).source).toBe('none');
  expect((await ask({ text: question.text, owner: 'user:2' })).text).not.toContain('15 天');
  await store.models.documents.updateOne({ _id: 'travel' }, { $set: { hidden: true } });
  expect((await ask(question)).source).toBe('none');
  expect(
    (await ask({ text: '差旅制度.docx', isSummary: true, files: [fileOf('travel')] })).citations,
  ).toEqual([]);
  await store.models.documents.updateOne({ _id: 'travel' }, { $set: { hidden: false } });
  expect((await ask(question)).text).toContain('15 天');
});

test("the summary of another owner's file says nothing of it, not even its title", async () => {
  const { text, source } = await ask({
    text: '',
    owner: 'user:2',
    isSummary: true,
    files: [fileOf('travel', 'a.docx')],
  });
  expect(text).not.toContain('差旅制度');
  expect(source).toBe('document');
});

test('a file that was changed is summarised in its new order', async () => {
  const section = (name: string) => `# ${name}\n\n${name}的要求写在这一节里，请所有部门遵守。`;
  const sections = ['甲项', '乙项', '丙项'].map(section);
  await put('order', 'user:1', '规定', 'zh', sections.slice(1).join('\n\n'));
  await createKnowledgeIndex(store.models).put({
    _id: 'order',
    owner: 'user:1',
    title: '规定',
    language: 'zh',
    text: sections.join('\n\n'),
  });
  const { text } = await ask({ text: '', isSummary: true, files: [fileOf('order', '规定.md', 'markdown')] });
  const named = [...text.matchAll(/[甲乙丙](?=项)/g)].map(([one]) => one);
  expect([...new Set(named)]).toEqual(['甲', '乙', '丙']);
});

test('what both the file of the conversation and another document answer is answered from the file', async () => {
  const other =
    '# 费用规定\n\n## 报销单的期限\n\n出差结束后应当在 60 天内提交报销单。\n\n## 住宿费用\n\n一线城市住宿每晚不超过 900 元。\n';
  await put('rules', '', '费用规定', 'zh', other);
  for (const [text, elsewhere, own] of [
    ['出差结束后几天内提交报销单？', '60 天', '15 天'],
    ['出差住宿费用', '900 元', '500 元'],
  ] as const) {
    expect((await ask({ text, owner: 'user:3' })).text).toContain(elsewhere);
    expect((await ask({ text, ...afterUpload })).text).toContain(own);
  }
  await createKnowledgeIndex(store.models).remove('rules');
});

test("an owner's passages are found even if others have very many with the same words", async () => {
  const many = Array.from({ length: 230 }, (_, at) => `## ${at}\n\n玄武岩的编号是 ${at}。`);
  await put('many', 'user:8', '石头', 'zh', `# 石头\n\n${many.join('\n\n')}`);
  await put('few', 'user:9', '样品', 'zh', '# 样品\n\n玄武岩放在二楼的木柜里。\n');
  const { text } = await ask({ text: '玄武岩放在哪里？', owner: 'user:9' });
  expect(text).toContain('木柜');
});

test('a follow-up without the file finds it by its owner', async () => {
  const history = [{ question: '出差的报销期限是多久', answer: '15 天内' }];
  expect((await ask({ text: '那逾期呢？', history })).text).toContain('部门经理批准');
  const { text, why } = await ask({ text: '最晚是什么时候？', history });
  expect(why?.rewritten).toContain('出差的报销期限是多久');
  expect(why?.context).toEqual(['出差的报销期限是多久']);
  expect(text).toContain('部门经理批准');
});

test('without a question the file is summarised, with citations', async () => {
  const { text, source, citations } = await ask({
    text: '差旅制度.docx',
    isSummary: true,
    files: [fileOf('travel')],
  });
  expect(source).toBe('document');
  expect(text).toContain('- 住宿标准');
  expect(citations.length).toBeGreaterThan(0);
  for (const { quote, start, end } of citations) expect(policy.slice(start, end)).toBe(quote);
});

test('the summary of a table has its columns, the number of rows and the first rows', async () => {
  const { text, citations } = await ask({
    text: 'What is this about?',
    language: 'en',
    files: [fileOf('list', 'prices.csv', 'csv')],
  });
  const rows = '| item | price |\n|---|---|\n| pen | 2 |\n| cup | 5 |\n| lamp | 30 |';
  expect(text).toContain(`A table of 3 rows and 2 columns: item, price.[1]\n\n${rows}`);
  expect(citations.map(({ quote }) => quote)).toEqual([rows]);
});

test('a table after a few other lines is shown', async () => {
  const { text } = await ask({ text: '', isSummary: true, files: [fileOf('config', 'config.json', 'json')] });
  expect(text).toContain('表格，2 行，2 列：name、port。[1]\n\n| name | port |\n|---|---|\n| gate | 8443 |');
});

test('a short text is its own summary', async () => {
  const { text, citations } = await ask({
    text: '',
    isSummary: true,
    files: [fileOf('sign', 'sign.png', 'image')],
  });
  expect(text).toContain('会议室在三楼\n请刷卡[1]');
  expect(citations.map(({ quote }) => quote)).toEqual(['会议室在三楼\n请刷卡']);
});

test('a section number is no sentence of a summary', async () => {
  const { text } = await ask({
    text: '',
    language: 'en',
    isSummary: true,
    files: [fileOf('leave', 'leave.txt')],
  });
  const points = text.split('\n').filter((line) => line.startsWith('- '));
  expect(points).toEqual(leave.map((line, index) => `- ${line}[${index + 1}]`));
});

test('a picture without readable text is reported', async () => {
  const { text, source } = await ask({ text: '图里写了什么？', files: [fileOf(null, '照片.png', 'image')] });
  expect(source).toBe('none');
  expect(text).toBe('图片“照片.png”里没有读出文字，也没有能看图的模型，所以无法说明图中的内容。');
});

test('citations of documents are counted', async () => {
  await uses.flush();
  expect((await store.models.documents.findById('travel').lean())!.cited).toBeGreaterThan(0);
});
