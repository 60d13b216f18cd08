import { afterAll, expect, test } from '@jest/globals';
import { createLog } from '../../http/create-log.ts';
import { openKnowledgeStore } from '../../testing/knowledge-store.ts';
import type { AnswerPiece } from '../answerer.ts';
import { type Answers, openAnswers } from '../open-answers.ts';

const store = await openKnowledgeStore();
afterAll(() => store.end());

const open = (handbook: boolean) =>
  openAnswers(store.models.documents.db, { handbook, embeddings: null }, createLog('silent'));

async function ask({ answerer }: Answers, text: string) {
  const question = { text, language: 'zh' as const, owner: 'guest:1', history: [] };
  let final: Extract<AnswerPiece, { kind: 'final' }> | undefined;
  for await (const piece of answerer.answer(question, new AbortController().signal))
    if (piece.kind === 'final') final = piece;
  return final!;
}

const asked = '怎样删除会话？';

test('turned off, the handbook neither answers nor is offered, but its citations can be read; turned on again, it answers', async () => {
  const before = await open(true);
  const cited = await ask(before, asked);
  expect(cited.source).toBe('document');
  expect(await before.starters('zh', '')).toHaveLength(3);

  const off = await open(false);
  expect(await ask(off, asked)).toMatchObject({ source: 'none', citations: [], suggestions: [] });
  expect(await ask(off, '你好')).toMatchObject({ source: 'none' });
  expect(await off.starters('zh', '')).toEqual([]);
  expect(await off.models.documents.countDocuments()).toBe(0);
  const id = cited.citations[0]!.href.replace('/api/passages/', '');
  expect((await off.readPassage(id, 'guest:2')).text).toContain(cited.citations[0]!.quote);

  const again = await open(true);
  expect(await ask(again, asked)).toMatchObject({ source: 'document', citations: cited.citations });
});

test("starter questions come from the desk's own pairs and documents, editors' pairs first", async () => {
  const desk = await open(true);
  const text = '# 退换货\n\n## 范围\n\n本政策适用于网店。\n\n## 多久可以退货？\n\n十五天之内。\n';
  const document = { _id: 'returns', owner: '', title: '退换货', language: 'zh' as const, text };
  await desk.models.documents.create({
    ...document,
    source: 'upload',
    type: 'markdown',
    status: 'ready',
    createdAt: new Date(),
  });
  await desk.index.put(document);
  expect(await desk.starters('zh', '')).toEqual(['多久可以退货？']);
  await desk.models.pairs.create({
    _id: 'pair',
    source: 'editor',
    question: '门店几点开门？',
    answer: '九点。',
    language: 'zh',
    keys: ['门店几点开门'],
    createdAt: new Date(),
  });
  expect(await desk.starters('zh', '')).toEqual(['门店几点开门？', '多久可以退货？']);
  expect(await desk.starters('en', '')).toHaveLength(3);
});
