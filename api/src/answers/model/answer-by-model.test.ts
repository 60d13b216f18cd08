import { afterAll, afterEach, expect, test } from '@jest/globals';
import { behaviours, textOf } from '../../testing/model-behaviours.ts';
import { key, openModelBench, passage, put } from '../../testing/model-bench.ts';
import { beginStream, endStream, type ModelReply, says, sendDelta } from '../../testing/model-stand-in.ts';
import type { Question } from '../answerer.ts';
import { nothingFound } from '../extract/answer-by-extraction.ts';
import { refusalMark } from './refusal-mark.ts';

const bench = await openModelBench();
afterEach(() => bench.reset());
afterAll(() => bench.end());

test("streams the model's text and cites the supporting sentence", async () => {
  const { text, final, isAll } = await bench.ask([
    says('打开菜单，选「删除」', '[1]。', '联系人的也行【2】。', '好的[1]。'),
  ]);
  expect(text).toBe('打开菜单，选「删除」[1]。联系人的也行[2]。好的[1]。');
  expect(isAll).toBe(true);
  expect(final).toMatchObject({ source: 'model', model: 'stand-in' });
  expect(final!.citations).toEqual([
    {
      title: '会话',
      quote: '打开会话的菜单，选择「删除」。',
      start: 1000,
      end: 1015,
      href: '/api/passages/p1',
      isPrivate: false,
      place: '删除',
    },
    expect.objectContaining({ href: '/api/passages/p2' }),
  ]);
});

test('passages are sent numbered within random tags, with the latest turns', async () => {
  const history = [
    { question: '没有回答的', answer: '' },
    { question: '你能做什么？', answer: '回答问题[1]。' },
  ];
  const desk = await bench.open([says('好。')]);
  await put(desk, { history });
  await put(desk, { history });
  const [first, second] = bench.model.requests.map(({ messages }) => messages);
  expect(first!.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(first![2]!.content).toBe('回答问题。');
  const content = textOf(first!.at(-1)!);
  const [, frame] = /^<(passages-[0-9a-f]{12})>\n<passage number="1" source="会话 · 删除">\n/.exec(content)!;
  expect(content.endsWith(`</passage>\n</${frame}>\n\n怎样删除会话？`)).toBe(true);
  expect(textOf(first![0]!)).toContain(`<${frame}>`);
  expect(textOf(second!.at(-1)!)).not.toContain(frame!);
  expect(bench.model.headers[0]!.authorization).toBe(`Bearer ${key}`);
});

test('history and passages are cut to the budget of tokens, latest and best first', async () => {
  const history = Array.from({ length: 40 }, (_, index) => ({
    question: `问题 ${index}`,
    answer: '很长的回答。'.repeat(60),
  }));
  const many = Array.from({ length: 8 }, (_, index) => passage(index + 1, `第 ${index} 段。`.repeat(100)));
  const desk = await bench.open([says('好[1]。')], { contextTokens: 4000 });
  await put(desk, { history, passages: many });
  const { messages } = bench.model.requests[0]!;
  const units = messages.map(textOf).join('').length;
  // Of these texts a token is about a character.
  expect(units).toBeGreaterThan(2000);
  expect(units).toBeLessThan(4000);
  expect(messages.at(-3)!.content).toBe('问题 39');
  expect(textOf(messages.at(-1)!)).toContain('第 0 段');
  expect(textOf(messages.at(-1)!)).not.toContain('第 7 段');
});

test('a passage that is too long alone is cut', async () => {
  const desk = await bench.open([says('好[1]。')], { contextTokens: 2000 });
  const { final } = await put(desk, { passages: [passage(1, '很长的一段话。'.repeat(2000))] });
  expect(textOf(bench.model.requests[0]!.messages.at(-1)!).length).toBeLessThan(2000);
  expect(final!.citations).toHaveLength(1);
});

test('what nothing supports is found once the answer is complete', async () => {
  const { text, final } = await bench.ask([says('打开菜单，选「删除」[1]。', '天气晴朗', '[1]。')]);
  const doubts = final!.doubts!.map(({ kind, start, end }) => [kind, text.slice(start, end)]);
  expect(doubts).toEqual([
    ['sentence', '天气晴朗'],
    ['citation', '[1]'],
  ]);
});

test('a refusal is not searched for numbers', async () => {
  const { final } = await bench.ask([says(`${refusalMark}\n没有 99 的依据。`)]);
  expect(final).toMatchObject({ source: 'none' });
  expect(final!.doubts).toBeUndefined();
});

test('invented citations are left out in any notation', async () => {
  const { text, final } = await bench.ask([behaviours['!made-up']!.reply]);
  expect(text).toBe('甲乙[1]丙丁 戊 己 庚辛[1].');
  expect(final!.citations).toHaveLength(1);
});

test.each<[string, ModelReply]>([
  ['a field', behaviours['!reason']!.reply],
  ['marks', says('<thi', 'nk>第 1 步，想一想。', '第 20 步</think>\n\n', '依据资料[1]。')],
  [
    'parts',
    (response) => {
      beginStream(response);
      const thinking = [{ type: 'text', text: '第 1 步，想一想。第 20 步' }];
      sendDelta(response, { content: [{ type: 'thinking', thinking }] });
      sendDelta(response, { content: [{ type: 'text', text: '依据资料[1]。' }] });
      endStream(response);
    },
  ],
])('reasoning is separate from the answer: %s', async (_name, reply) => {
  const { text, thought, final } = await bench.ask([reply]);
  expect(thought).toMatch(/^第 1 步，想一想。[\s\S]*第 20 步/);
  expect(text).toMatch(/^依据资料/);
  expect(final).toMatchObject({ source: 'model' });
});

test('reasoning opened by the template is detected from the second answer on, until one has none', async () => {
  const thinks = says('想一想。', '\n</think>\n\n', '答案。');
  const desk = await bench.open([thinks, thinks, says('没想，', '就说。'), says('又', '说。')]);
  await put(desk);
  expect(await put(desk)).toMatchObject({ thought: '想一想。\n', text: '答案。' });
  expect(await put(desk)).toMatchObject({ text: '没想，就说。' });
  expect(await put(desk)).toMatchObject({ thought: '', pieces: ['又', '说。'] });
});

test("an answer that reached the model's maximum length says so", async () => {
  const { text, final } = await bench.ask([
    (response) => {
      beginStream(response);
      sendDelta(response, { content: '第一点[1]。第二' });
      sendDelta(response, {}, 'length');
      response.end('data: [DONE]\n\n');
    },
  ]);
  expect(text).toBe('第一点[1]。第二\n\n（模型的回答达到了长度上限，后面的没有写完。）');
  expect(final).toMatchObject({ source: 'model' });
});

test.each([
  ['zh', ['NOT_IN_', 'PASSAGES\n', '资料里没有保修期[1]。'], '资料里没有保修期[1]。'],
  ['en', ['NOT_IN_PASSAGES'], nothingFound('en')],
] as const)('a model that says that it cannot answer is no answer: %s', async (language, pieces, said) => {
  const asked = await bench.ask([says(...pieces)], { language });
  expect(asked.text).toBe(said);
  expect(asked.final).toMatchObject({
    source: 'none',
    model: 'stand-in',
    suggestions: ['还能问什么？'],
  });
  const [system] = bench.model.requests[0]!.messages;
  expect(textOf(system!)).toContain('NOT_IN_PASSAGES');
});

test('text after a tool call is no answer', async () => {
  bench.expectFallback(
    await bench.ask([says('<tool_call>{"name": "f"}</tool_call>', '可以退款[1]。')]),
    'tool_call',
  );
});

test('an endless answer is cut at its limit', async () => {
  const asked = await bench.ask([behaviours['!endless']!.reply]);
  expect(asked.text).toHaveLength(400_000);
  expect(asked.failure).toMatchObject({ key: 'model_answer_too_long' });
  expect(bench.logged).toContain('"kind":"answer_too_long"');
});

test('a refusal is shown as the answer', async () => {
  const { text } = await bench.ask([
    (response) => {
      beginStream(response);
      sendDelta(response, { refusal: '这个我不能回答。' });
      endStream(response);
    },
  ]);
  expect(text).toBe('这个我不能回答。');
});

test('of several choices only the first is the answer, in any order', async () => {
  const { text } = await bench.ask([
    (response) => {
      beginStream(response);
      for (const choices of [
        [
          { index: 1, delta: { content: '乙' } },
          { index: 0, delta: { content: '甲' } },
        ],
        [{ index: 1, delta: { content: '乙' }, finish_reason: 'stop' }],
        [],
        [{ delta: { content: '。' } }],
      ])
        response.write(`data: ${JSON.stringify({ choices })}\n\n`);
      endStream(response);
    },
  ]);
  expect(text).toBe('甲。');
});

test('without passages the prompt says so, and citations are left out', async () => {
  const { text, final } = await bench.ask([says('知识库里没有足够的依据[1]。')], { passages: [] });
  expect(text).toBe('知识库里没有足够的依据。');
  expect(final).toMatchObject({ source: 'model', citations: [], suggestions: ['还能问什么？'] });
  expect(textOf(bench.model.requests[0]!.messages.at(-1)!)).toContain('知识库里没有与这个问题有关的资料');
});

test('stopping ends without an error and aborts the request', async () => {
  const controller = new AbortController();
  const reply: ModelReply = (response) => {
    beginStream(response);
    sendDelta(response, { content: '第一句。' });
    setImmediate(() => controller.abort());
  };
  const asked = await bench.ask([reply], { signal: controller.signal });
  expect(asked).toMatchObject({ failure: null, final: null, isAll: true });
  await bench.model.leftEarly;
});

test('the chosen model answers; none is extraction', async () => {
  const desk = await bench.open([says('好。')]);
  const question: Question = { text: '', owner: 'guest:1', language: 'zh', history: [] };
  expect(desk.takes(question)).toBe(true);
  expect(desk.takes({ ...question, model: 'none' })).toBe(false);
  expect(desk.takes({ ...question, model: 'gone since' })).toBe(true);
  expect(() => desk.check('gone since')).toThrow(
    expect.objectContaining({ error: 'invalid_request', details: { field: 'model' } }),
  );
  for (const name of [undefined, '', 'none', 'stand-in']) desk.check(name);
  expect(desk.list()).toEqual({
    models: [{ name: 'stand-in', vision: false, isAvailable: true }],
    default: 'stand-in',
  });
});
