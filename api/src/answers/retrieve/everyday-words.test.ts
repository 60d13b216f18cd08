import { afterAll, expect, test } from '@jest/globals';
import type { Language } from '../../contract/language.ts';
import { createLog } from '../../http/create-log.ts';
import { openKnowledgeStore } from '../../testing/knowledge-store.ts';
import type { AnswerPiece } from '../answerer.ts';
import { openAnswers } from '../open-answers.ts';
import { analyseQuestion } from './analyse-question.ts';

const store = await openKnowledgeStore();
const { db } = store.models.documents;
const desk = await openAnswers(db, { handbook: true, embeddings: null }, createLog('silent'));
await put(
  'pottery',
  'zh',
  '陶艺课规则',
  '# 陶艺课规则\n\n## 退课\n\n开课前三十天退课，退还全部学费。\n\n## 烧窑\n\n烧窑温度不超过 1200 度，釉料由老师调配。\n\n## 年休假\n\n教员的年休假为 12 天，年休假可以分两次休。\n\n## 补贴\n\n教员调课补贴的标准是每次 120 元。\n\n## 展览\n\n展览在东门窗口购票。\n',
);
await put(
  'kilns',
  'zh',
  '窑炉价目',
  '# 窑炉价目\n\n| 型号 | 价格 | 重量 |\n| --- | --- | --- |\n| KL-208 | 8600 元 | 95 公斤 |\n| KL-310 | 12400 元 | 140 公斤 |\n',
);
await put(
  'glaze',
  'en',
  'Glaze manual',
  '# Glaze manual\n\n## Storage\n\nGlaze keeps for eighteen months in a closed bucket.\n\n## Refunds\n\nThe refund of the membership fee is paid to your bank account within two weeks.\n\n## Yard\n\nBicycles belong behind the shed.\n',
);
afterAll(() => store.end());

async function put(id: string, language: Language, title: string, text: string) {
  const document = { _id: id, owner: '', title, language, text };
  await desk.models.documents.create({
    ...document,
    source: 'upload',
    type: 'markdown',
    status: 'ready',
    createdAt: new Date(),
  });
  await desk.index.put(document);
}

async function ask(text: string, language: Language = 'zh') {
  let said = '';
  const question = { text, language, owner: 'guest:1', history: [] };
  for await (const piece of desk.answerer.answer(question, new AbortController().signal)) {
    if (piece.kind === 'text') said += piece.text;
    if (piece.kind === 'final') return { ...(piece as Extract<AnswerPiece, { kind: 'final' }>), said };
  }
  throw new Error(`an answer must end with a final piece, got none for ${text}`);
}

test.each([
  ['开课前30天退课，学费退吗？', '三十天'],
  ['烧窑温度能到一千二百度吗？', '1200 度'],
])('a number is found however it is written: %s', async (text, quoted) => {
  const { source, said } = await ask(text);
  expect(source).toBe('document');
  expect(said).toContain(quoted);
});

test('a number in words is found in digits, and as it is written', () => {
  const [unit] = analyseQuestion('三十天', 'zh').units;
  expect(unit?.groups.map(({ terms }) => terms)).toEqual([['30'], ['三十']]);
});

test('an English number in words is found in digits, and the reverse', async () => {
  expect((await ask('Does glaze keep for 18 months in a bucket?', 'en')).said).toContain('eighteen months');
});

test('an abbreviation is found by the word that has its characters in order', async () => {
  expect((await ask('教调标准')).said).toContain('120 元');
});

test.each([
  ['去哪儿买票', 'zh', '东门窗口'],
  ['Where does my bike go?', 'en', 'behind the shed'],
] as const)(
  '%s: a word that no document says is found by one that means nearly the same',
  async (text, language, quoted) => {
    const { outcome, said } = await ask(text, language);
    expect(outcome).toBe('related');
    expect(said).toContain(quoted);
  },
);

test('misspelt words that sound alike are understood', async () => {
  expect((await ask('右料由谁调配？')).said).toContain('釉料由老师调配');
});

test('an identifier is found in the table of another language, with a note', async () => {
  const { said, citations } = await ask('What is the price of KL-208?', 'en');
  expect(citations[0]).toMatchObject({ title: '窑炉价目' });
  expect(said).toContain('8600');
  expect(said).toContain('quoted from documents in Chinese');
});

test('a question finds a passage of the other language by words that mean the same, with a note', async () => {
  const { said, citations } = await ask('会员费退款多久支付到银行账户？');
  expect(citations[0]).toMatchObject({ title: 'Glaze manual' });
  expect(said).toContain('以下引自英语资料');
});

test('a document asked for by name is summed up', async () => {
  const { source, said, citations } = await ask('总结一下陶艺课规则');
  expect(source).toBe('document');
  expect(said).toContain('退课');
  expect(new Set(citations.map(({ title }) => title))).toEqual(new Set(['陶艺课规则']));
});
