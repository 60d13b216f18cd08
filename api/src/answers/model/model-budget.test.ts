import { afterAll, afterEach, expect, test } from '@jest/globals';
import { openModelBench, put } from '../../testing/model-bench.ts';
import {
  beginStream,
  fails,
  type ModelReply,
  says,
  sendDelta,
  sendUsage,
} from '../../testing/model-stand-in.ts';

const bench = await openModelBench();
afterEach(() => bench.reset());
afterAll(() => bench.end());

test('the tokens of a question are counted as reported by the endpoint, else estimated', async () => {
  const counted: ModelReply = (response) => {
    beginStream(response);
    sendDelta(response, { content: '好。' }, 'stop');
    sendUsage(response, 300, 21);
    response.end('data: [DONE]\n\n');
  };
  const desk = await bench.open([counted, says('好。'), fails(401)]);
  await put(desk);
  expect(await desk.usage('guest:1')).toMatchObject({ questions: 1, tokens: 321, limit: 0 });
  await put(desk);
  const { questions, tokens } = await desk.usage('guest:1');
  expect(questions).toBe(2);
  expect(tokens).toBeGreaterThan(321 + 200);
  bench.expectFallback(await put(desk));
  expect(await desk.usage('guest:1')).toMatchObject({ questions: 2, tokens });
  expect(await desk.usage('guest:2')).toMatchObject({ questions: 0, tokens: 0 });
});

test("beyond the day's limit the knowledge base answers, and twenty concurrent questions do not exceed it by much", async () => {
  const desk = await bench.open([says('好[1]。')], { limit: 5000 });
  const asked = await Promise.all(Array.from({ length: 20 }, () => put(desk)));
  const answered = asked.filter(({ isAll }) => isAll);
  // Each sets some 1,300 tokens aside before it begins.
  expect(answered.length).toBeGreaterThan(1);
  expect(answered.length).toBeLessThan(8);
  expect(bench.model.requests).toHaveLength(answered.length);
  const refused = asked.find(({ isAll }) => !isAll)!;
  expect(refused.text).toMatch(
    /^今天可用的模型额度已经用完，UTC 零点（约 \d+ 小时后）恢复；现在改由知识库回答。\n\n$/,
  );
  expect((await desk.usage('guest:1')).questions).toBe(answered.length);
});
