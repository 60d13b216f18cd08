import { afterAll, expect, test } from '@jest/globals';
import type { ChatAnswer, PredictAnswer } from '../contract/chat.ts';
import { makePdf } from '../testing/sample-files.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor } from '../testing/visitor.ts';

const api = await startTestApi({});
const visitor = createVisitor(api.url);
const pdf = await makePdf([
  '仓库在苏州工业园区星湖街 328 号。\n发货时间是每天 16:30。\n主机保修三年，电池保修一年。',
]);
const { conversationId } = await predict('仓库在哪里？');
afterAll(() => api.end());

async function predict(text: string): Promise<PredictAnswer> {
  const body = new FormData();
  body.append('text', text);
  body.append('file', new Blob([new Uint8Array(pdf)]), '合同.pdf');
  const response = await visitor.fetch('POST', '/api/predict', {
    body,
    headers: { 'Accept-Language': 'zh' },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as PredictAnswer;
}

test.each([
  ['什么时候发货？', '16:30'],
  ['每天的发货时间是几点？', '16:30'],
  ['几点发货？', '16:30'],
  ['电池保修多久？', '一年'],
])('%s is answered from the file of the question', async (question, expected) => {
  expect(await predict(question)).toMatchObject({
    source: 'document',
    response: expect.stringContaining(expected),
  });
});

test.each(['退货的运费谁出？', '老板叫什么名字？'])('%s is not in the file', async (question) => {
  expect((await predict(question)).source).toBe('none');
});

test('later questions of the conversation are answered from the file too', async () => {
  const ask = async (text: string) =>
    (
      await visitor.call<ChatAnswer>(
        'POST',
        '/api/chat',
        { text, conversationId },
        { 'Accept-Language': 'zh' },
      )
    ).body;

  expect((await ask('主机保修几年？')).response).toContain('三年');
  expect((await ask('几点发货？')).response).toContain('16:30');
  // The handbook still answers its own questions better.
  expect((await ask('怎样修改密码？')).response).not.toContain('保修');
});
