import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { AnswerPiece } from '../answers/answerer.ts';
import { readConfig } from '../config/config.ts';
import type { AnswerReason } from '../contract/answers.ts';
import type { ChatAnswer } from '../contract/chat.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { ModelList, ModelUsage } from '../contract/models.ts';
import type { DeskRecord } from '../contract/records.ts';
import { createPipe, createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, type SeenEvent, type Visitor } from '../testing/visitor.ts';

let visitor: Visitor;
const answerer = createScriptedAnswerer();

const why: AnswerReason = {
  verdict: 'answered',
  rewritten: null,
  pair: null,
  terms: [{ word: '删除', weight: 1.5, passages: 4 }],
  total: 190,
  candidates: 12,
  ranked: [],
};
const final: AnswerPiece = {
  kind: 'final',
  source: 'model',
  citations: [],
  suggestions: [],
  model: 'qwen3',
  why,
};

const { models } = readConfig({
  OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  OPENAI_MODEL: 'qwen3,llava',
  OPENAI_VISION: 'on',
});
const api = await startTestApi({ answerer, config: { models, limitModelTokens: 5000 } });
afterAll(() => api.end());
beforeEach(async () => {
  visitor = createVisitor(api.url);
  await visitor.call('GET', '/api/conversations');
});

async function collect(events: AsyncIterable<SeenEvent>): Promise<SeenEvent[]> {
  const seen: SeenEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

async function* thinking(): AsyncIterable<AnswerPiece> {
  yield { kind: 'reasoning', text: '先想\ud83e' };
  yield { kind: 'reasoning', text: '\udd8a一想。' };
  yield { kind: 'text', text: '可以。' };
  yield final;
}

test('lists the available models', async () => {
  const { body } = await visitor.call<ModelList>('GET', '/api/models');
  expect(body).toEqual({
    models: [
      { name: 'qwen3', vision: true, isAvailable: true },
      { name: 'llava', vision: true, isAvailable: true },
    ],
    default: 'qwen3',
  });
});

test('a question uses the chosen model, and an unknown model is refused', async () => {
  answerer.script = thinking;
  for (const model of ['llava', 'none']) {
    const { status } = await visitor.call('POST', '/api/chat', { text: '选一个', model });
    expect(status).toBe(200);
    expect(answerer.asked.at(-1)).toMatchObject({ model });
  }
  expect(await visitor.call('POST', '/api/chat', { text: '选一个', model: 'gpt-0' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', field: 'model' },
  });
  const form = new FormData();
  form.append('file', new Blob(['文字']), 'a.txt');
  form.append('model', 'gpt-0');
  const refused = await visitor.fetch('POST', '/api/predict', { body: form });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: 'invalid_request', field: 'model' });
});

test("returns the caller's usage of today", async () => {
  const { body } = await visitor.call<ModelUsage>('GET', '/api/usage');
  expect(body).toEqual({ day: new Date().toISOString().slice(0, 10), questions: 0, tokens: 0, limit: 5000 });
});

test('reasoning is sent as events that do not count units, and is stored with the record', async () => {
  answerer.script = thinking;
  const seen = await collect(visitor.events('POST', '/api/chat', { text: '可以吗？' }));
  const reasoning = seen.filter(({ event }) => event === 'reasoning');
  expect(reasoning.map(({ id }) => id)).toEqual(reasoning.map(() => 0));
  expect(reasoning.map(({ data }) => (data as { text: string }).text).join('')).toBe('先想🦊一想。');
  const last = seen.at(-1)!;
  expect(last).toMatchObject({ event: 'done', id: 3, data: { response: '可以。', model: 'qwen3' } });
  const { recordId } = last.data as { recordId: string };
  const { body } = await visitor.call<DeskRecord>('GET', `/api/records/${recordId}`);
  expect(body).toMatchObject({ model: 'qwen3', reasoning: '先想🦊一想。', answer: '可以。' });

  const resumed = await collect(
    visitor.events('GET', `/api/chat/${recordId}`, undefined, { 'Last-Event-ID': '2' }),
  );
  expect(resumed.map(({ event, id, data }) => [event, id, (data as { text?: string }).text])).toEqual([
    ['record', 2, undefined],
    ['reasoning', 2, '先想🦊一想。'],
    ['delta', 3, '。'],
    ['done', 3, undefined],
  ]);
});

test('a reader that reconnects during reasoning gets all of it again in one event', async () => {
  const pipe = createPipe();
  answerer.script = async function* (question, signal) {
    yield { kind: 'reasoning', text: '一。' };
    yield { kind: 'reasoning', text: '二。' };
    yield* pipe.script(question, signal);
  };
  const first = visitor.events('POST', '/api/chat', { text: '想吧' });
  const { recordId } = (await first.next()).value!.data as { recordId: string };
  let thought = '';
  while (thought !== '一。二。') thought += ((await first.next()).value!.data as { text: string }).text;
  const again = visitor.events('GET', `/api/chat/${recordId}`);
  await again.next();
  expect((await again.next()).value).toMatchObject({ event: 'reasoning', data: { text: '一。二。' } });
  pipe.say('好。');
  pipe.close();
  expect((await again.next()).value).toMatchObject({ event: 'delta', data: { text: '好。' } });
  await collect(first);
});

test('reasoning is limited in length', async () => {
  answerer.script = async function* () {
    for (let count = 0; count < 500; count += 1) yield { kind: 'reasoning', text: '想'.repeat(100) };
    yield { kind: 'text', text: '好' };
    yield final;
  };
  const { body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text: '想很久' });
  expect(body).toEqual({
    response: '好',
    recordId: body.recordId,
    conversationId: body.conversationId,
    citations: [],
    source: 'model',
    outcome: 'answered',
  });
  const record = await visitor.call<DeskRecord>('GET', `/api/records/${body.recordId}`);
  expect(record.body.reasoning).toHaveLength(20_000);
});

test('the explanation of an answer is returned to its owner only', async () => {
  answerer.script = thinking;
  const { body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text: '为什么？' });
  const path = `/api/records/${body.recordId}/why`;
  expect((await visitor.call<AnswerReason>('GET', path)).body).toEqual(why);
  expect(await createVisitor(api.url).call<ErrorBody>('GET', path)).toMatchObject({ status: 404 });
  const record = await visitor.call('GET', `/api/records/${body.recordId}`);
  expect(record.body).not.toHaveProperty('why');
});

test('an incomplete answer has no explanation', async () => {
  answerer.script = async function* () {
    yield { kind: 'text', text: '一半' };
  };
  const { body } = await visitor.call<ErrorBody>('POST', '/api/chat', { text: '断' });
  expect(body).toMatchObject({ error: 'model_failed', response: '一半' });
  expect(await visitor.call('GET', `/api/records/${body.recordId}/why`)).toMatchObject({
    status: 404,
    body: { error: 'not_found', msg: '没有留下这个回答的依据' },
  });
});

test('a retry replaces the reasoning once it begins, and keeps the old one if it never does', async () => {
  answerer.script = thinking;
  const { body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text: '再来' });
  const path = `/api/records/${body.recordId}`;
  answerer.script = async function* () {
    yield { kind: 'reasoning', text: '白想了' };
  };
  await visitor.call('POST', `/api/chat/${body.recordId}/retry`);
  expect((await visitor.call<DeskRecord>('GET', path)).body).toMatchObject({
    answer: '可以。',
    reasoning: '先想🦊一想。',
    model: 'qwen3',
  });
  answerer.script = async function* () {
    yield { kind: 'text', text: '新的' };
    yield { kind: 'final', source: 'document', citations: [], suggestions: [] };
  };
  await visitor.call('POST', `/api/chat/${body.recordId}/retry`);
  expect((await visitor.call<DeskRecord>('GET', path)).body).toMatchObject({
    answer: '新的',
    reasoning: '',
    model: '',
  });
  expect((await visitor.call('GET', `${path}/why`)).status).toBe(404);
});
