import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { behaviours } from '../../testing/model-behaviours.ts';
import { key, type ModelBench, openModelBench, put } from '../../testing/model-bench.ts';
import {
  beginStream,
  fails,
  type ModelReply,
  says,
  sendDelta,
  sendWhole,
} from '../../testing/model-stand-in.ts';

jest.setTimeout(60_000);

let bench: ModelBench;

beforeAll(async () => {
  bench = await openModelBench();
});
afterEach(() => bench.reset());
afterAll(() => bench.end());

test('a busy or failing endpoint is tried again before the first word', async () => {
  const { text } = await bench.ask([fails(429, { 'retry-after': '0.01' }), fails(500), says('好了。')]);
  expect(text).toBe('好了。');
  expect(bench.model.requests).toHaveLength(3);
});

test('a Retry-After that is too long is not waited for', async () => {
  bench.expectFallback(await bench.ask([fails(429, { 'retry-after': '3600' }), says('好了。')]));
  expect(bench.model.requests).toHaveLength(1);
});

test.each<[string, number, ModelReply]>([
  ['keeps failing', 3, fails(500)],
  ['breaks every connection', 3, (response) => void response.destroy()],
  ['refuses', 1, fails(401)],
  ['never answers', 1, behaviours['!hang']!.reply],
  ['begins and falls silent', 1, beginStream],
  ['says nothing', 1, says('', ' ')],
  ['sends a page', 1, behaviours['!html']!.reply],
  ['redirects', 1, behaviours['!redirect']!.reply],
  [
    'sends malformed chunks',
    1,
    (response) => {
      beginStream(response);
      response.end('data: {"choices": [\n\n');
    },
  ],
  ['sends one endless line', 1, behaviours['!huge']!.reply],
  [
    'sends nothing but chunks without words',
    1,
    (response) => {
      beginStream(response);
      const timer = setInterval(() => sendDelta(response, { role: 'assistant', content: '' }), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
  ['thinks and then falls silent', 1, half({ reasoning_content: '想…' })],
])(
  'an endpoint that %s before the first word leaves the answer to the knowledge base',
  async (_name, requests, reply) => {
    bench.expectFallback(await bench.ask([reply]));
    expect(bench.model.requests).toHaveLength(requests);
  },
);

/** One delta, then silence. */
function half(delta: object): ModelReply {
  return (response) => {
    beginStream(response);
    sendDelta(response, delta);
  };
}

test.each<[string, ModelReply]>([
  ['the connection is cut', behaviours['!cut']!.reply],
  ['the stream ends without a finish_reason', behaviours['!end']!.reply],
  ['a chunk is malformed', behaviours['!malformed']!.reply],
  ['it falls silent', behaviours['!pause']!.reply],
  [
    'an error comes as a chunk',
    (response) => {
      beginStream(response);
      sendDelta(response, { content: '先说一半，' });
      response.end(`data: {"error": {"message": "${key}"}}\n\n`);
    },
  ],
])('what was said stands and nothing is retried when %s', async (_case, reply) => {
  const asked = await bench.ask([reply]);
  expect(asked.text).toBe('先说一半，');
  expect(asked.failure).toMatchObject({ status: 502, error: 'model_failed' });
  expect(asked.final).toBeNull();
  expect(bench.model.requests).toHaveLength(1);
  expect(bench.logged).toContain('a model failed');
  expect(bench.logged).not.toContain(key);
});

test('an endpoint that sends all in one piece, or [DONE] alone at the end, is understood', async () => {
  const whole: ModelReply = (response) => sendWhole(response, '一整段[1]。', { reasoning: '想过' });
  const done: ModelReply = (response) => {
    beginStream(response);
    sendDelta(response, { content: '好[1]。' });
    response.end('data: [DONE]\r\n\r\n');
  };
  const desk = await bench.open([whole, done]);
  expect(await put(desk)).toMatchObject({ text: '一整段[1]。', thought: '想过', isAll: true });
  expect(await put(desk)).toMatchObject({ text: '好[1]。', isAll: true });
});

test('an answer is over with its finish_reason, though the connection stays, and may come packed', async () => {
  const stays: ModelReply = (response) => {
    beginStream(response);
    sendDelta(response, { content: '好[1]。' }, 'stop');
  };
  const packed: ModelReply = (response) => {
    const choices = [{ index: 0, delta: { content: '包好了。' }, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    response.end(gzipSync(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`));
  };
  const desk = await bench.open([stays, packed]);
  expect(await put(desk)).toMatchObject({ text: '好[1]。', isAll: true });
  expect(await put(desk)).toMatchObject({ text: '包好了。', isAll: true });
});

test('a server that does not know every field gets the plain request, from then on', async () => {
  const strict: ModelReply = (response, request, asked) =>
    asked.stream_options || asked.temperature !== undefined
      ? fails(400)(response, request, asked)
      : says('好。')(response, request, asked);
  const desk = await bench.open([strict]);
  expect((await put(desk)).text).toBe('好。');
  expect((await put(desk)).text).toBe('好。');
  expect(bench.model.requests).toHaveLength(3);
});

test('after failures in a row the model is not asked for a while, then tried with one question', async () => {
  const desk = await bench.open([fails(401), fails(401), says('好了。')], {
    patience: { failuresToOpen: 2, openMs: 100 },
  });
  bench.expectFallback(await put(desk));
  expect(desk.list().models[0]!.isAvailable).toBe(true);
  bench.expectFallback(await put(desk));
  expect(desk.list().models[0]!.isAvailable).toBe(false);
  bench.expectFallback(await put(desk));
  expect(bench.model.requests).toHaveLength(2);
  while (!desk.list().models[0]!.isAvailable) await new Promise((resolve) => setTimeout(resolve, 10));
  expect((await put(desk)).text).toBe('好了。');
  expect(desk.list().models[0]!.isAvailable).toBe(true);
});

const filtered: ModelReply = (response) => {
  beginStream(response);
  sendDelta(response, {}, 'content_filter');
  response.end('data: [DONE]\n\n');
};

test.each([
  ['refuses', fails(400)],
  ['filters', filtered],
])('a question that the endpoint %s for its own sake says nothing of the model', async (_how, reply) => {
  const desk = await bench.open([reply], { patience: { failuresToOpen: 1 } });
  bench.expectFallback(await put(desk));
  expect(desk.list().models[0]!.isAvailable).toBe(true);
});
