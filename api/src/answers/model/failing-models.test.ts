import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { type ModelFailureKind, modelFailures } from '../../errors/model-failures.ts';
import { behaviours } from '../../testing/model-behaviours.ts';
import { key, openModelBench, passage, put, shortLimits } from '../../testing/model-bench.ts';
import {
  beginStream,
  fails,
  type ModelReply,
  says,
  sendDelta,
  sendWhole,
} from '../../testing/model-stand-in.ts';
import { until } from '../../testing/until.ts';

const bench = await openModelBench();
afterEach(() => bench.reset());
afterAll(() => bench.end());

test('a busy or failing endpoint is retried before the first token', async () => {
  const { text } = await bench.ask([fails(429, { 'retry-after': '0.01' }), fails(500), says('好了。')]);
  expect(text).toBe('好了。');
  expect(bench.model.requests).toHaveLength(3);
});

test('a long Retry-After is not waited for', async () => {
  bench.expectFallback(await bench.ask([fails(429, { 'retry-after': '3600' }), says('好了。')]));
  expect(bench.model.requests).toHaveLength(1);
});

const patienceFor = (kind: ModelFailureKind) => (kind === 'timeout' ? { patience: shortLimits } : {});

/** Refuses with a status and an error in the body. */
const refuses =
  (status: number, error: object = {}): ModelReply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `${key} is wrong`, ...error } }));
  };

test.each<[string, ModelFailureKind, number, ModelReply]>([
  ['keeps failing', 'server_error', 3, fails(500)],
  ['breaks every connection', 'unreachable', 3, (response) => void response.destroy()],
  ['refuses the key', 'invalid_key', 1, fails(401)],
  ['forbids', 'invalid_key', 1, refuses(403)],
  ['does not know the model', 'unknown_model', 1, fails(404)],
  ['does not know the model, as 400', 'unknown_model', 2, refuses(400, { message: 'Model Not Exist' })],
  ['asks to be paid', 'no_credit', 1, fails(402)],
  ['has no quota left', 'no_credit', 1, refuses(429, { code: 'insufficient_quota' })],
  ['is busy for long', 'rate_limited', 1, fails(429, { 'retry-after': '3600' })],
  ['is busy all the time', 'rate_limited', 3, fails(429)],
  ['filters the question', 'content_filter', 2, refuses(400, { code: 'content_filter' })],
  ['rejects the question', 'rejected', 2, fails(400)],
  ['never answers', 'timeout', 1, behaviours['!hang']!.reply],
  ['begins and falls silent', 'timeout', 1, beginStream],
  ['says nothing', 'empty', 1, says('', ' ')],
  ['sends a page', 'wrong_address', 1, behaviours['!html']!.reply],
  ['redirects', 'wrong_address', 1, behaviours['!redirect']!.reply],
  ['filters the answer', 'content_filter', 1, ends('content_filter')],
  ['reaches its limit', 'length', 1, ends('length')],
  [
    'calls a tool',
    'tool_call',
    1,
    ends('tool_calls', { tool_calls: [{ index: 0, function: { name: 'f' } }] }),
  ],
  [
    'calls a tool in text form',
    'tool_call',
    1,
    says('<tool_', 'call>{"name": "search", ', '"arguments": {}}</tool_call>'),
  ],
  [
    'sends malformed chunks',
    'malformed',
    1,
    (response) => {
      beginStream(response);
      response.end('data: {"choices": [\n\n');
    },
  ],
  ['sends one endless line', 'malformed', 1, behaviours['!huge']!.reply],
  [
    'sends nothing but chunks without words',
    'timeout',
    1,
    (response) => {
      beginStream(response);
      const timer = setInterval(() => sendDelta(response, { role: 'assistant', content: '' }), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
  ['thinks and then falls silent', 'timeout', 1, half({ reasoning_content: '想…' })],
])(
  'an endpoint that %s before the first word leaves the answer to the knowledge base, as %s',
  async (_name, kind, requests, reply) => {
    const desk = await bench.open([reply], patienceFor(kind));
    bench.expectFallback(await put(desk), kind);
    expect(bench.model.requests).toHaveLength(requests);
    expect(desk.status()).toEqual([
      expect.objectContaining({
        answered: 0,
        failures: { [kind]: 1 },
        last: expect.objectContaining({ kind, message: modelFailures[kind].operators }),
      }),
    ]);
    expect(JSON.stringify(desk.status())).not.toContain(key);
    expect(bench.logged).toContain(`"kind":"${kind}"`);
  },
);

function ends(finish: string, delta: object = {}): ModelReply {
  return (response) => {
    beginStream(response);
    sendDelta(response, delta, finish);
    response.end('data: [DONE]\n\n');
  };
}

test('without a key, a refusal asks for one', async () => {
  const desk = await bench.open([fails(401)], { apiKey: '' });
  bench.expectFallback(await put(desk), 'missing_key');
});

test('later questions honour a Retry-After too, and get the same message', async () => {
  const desk = await bench.open([fails(429, { 'retry-after': '60' }), says('好了。')]);
  bench.expectFallback(await put(desk), 'rate_limited');
  expect(desk.list().models[0]!.isAvailable).toBe(false);
  bench.expectFallback(await put(desk), 'rate_limited');
  expect(bench.model.requests).toHaveLength(1);
});

test('an endpoint with a smaller context than configured gets shorter prompts from then on', async () => {
  const long = [passage(1, '很长的一段话。'.repeat(500)), passage(2, '第二段。')];
  const strict: ModelReply = (response, request, asked) =>
    JSON.stringify(asked.messages).length > 3000
      ? refuses(400, { code: 'context_length_exceeded' })(response, request, asked)
      : says('好[1]。')(response, request, asked);
  const desk = await bench.open([strict]);
  expect(await put(desk, { passages: long })).toMatchObject({ text: '好[1]。', isAll: true });
  const requests = bench.model.requests.length;
  expect(await put(desk, { passages: long })).toMatchObject({ text: '好[1]。', isAll: true });
  expect(bench.model.requests).toHaveLength(requests + 1);
  expect(desk.status()[0]!.contextTokens).toBeLessThan(8000);
});

/** One delta, then silence. */
function half(delta: object): ModelReply {
  return (response) => {
    beginStream(response);
    sendDelta(response, delta);
  };
}

test.each<[string, ModelFailureKind, ModelReply]>([
  ['the connection is cut', 'unreachable', behaviours['!cut']!.reply],
  ['the stream ends without a finish_reason', 'incomplete', behaviours['!end']!.reply],
  ['a chunk is malformed', 'malformed', behaviours['!malformed']!.reply],
  ['it falls silent', 'timeout', behaviours['!pause']!.reply],
  [
    'its content filter stops it',
    'content_filter',
    (response) => {
      beginStream(response);
      sendDelta(response, { content: '先说一半，' });
      sendDelta(response, {}, 'content_filter');
      response.end('data: [DONE]\n\n');
    },
  ],
  [
    'it calls a tool in text form',
    'tool_call',
    says('先说一半，', '<tool_call>\n{"name": "search", ', '"arguments": {}}\n</tool_call>'),
  ],
  [
    'an error comes as a chunk',
    'server_error',
    (response) => {
      beginStream(response);
      sendDelta(response, { content: '先说一半，' });
      response.end(`data: {"error": {"message": "${key}"}}\n\n`);
    },
  ],
])('the text so far remains and nothing is retried if %s: %s', async (_case, kind, reply) => {
  const asked = await put(await bench.open([reply], patienceFor(kind)));
  expect(asked.text).toBe('先说一半，');
  expect(asked.failure).toMatchObject({ status: 502, error: 'model_failed', key: `model_${kind}` });
  expect(asked.final).toBeNull();
  expect(bench.model.requests).toHaveLength(1);
  expect(bench.logged).toContain('a model failed');
  expect(bench.logged).not.toContain(key);
});

test('an answer that is not streamed, or ends with [DONE] only, is accepted', async () => {
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

test('an answer ends with its finish_reason although the connection stays open, and may be compressed', async () => {
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

test('a server that rejects optional parameters gets requests without them from then on', async () => {
  const strict: ModelReply = (response, request, asked) =>
    asked.stream_options || asked.temperature !== undefined
      ? fails(400)(response, request, asked)
      : says('好。')(response, request, asked);
  const desk = await bench.open([strict]);
  expect((await put(desk)).text).toBe('好。');
  expect((await put(desk)).text).toBe('好。');
  expect(bench.model.requests).toHaveLength(3);
});

test('after several failures the model is not asked for a while, then retried with one question', async () => {
  const desk = await bench.open([fails(401), fails(401), says('好了。')], {
    patience: { failuresToOpen: 2, openMs: 100 },
  });
  bench.expectFallback(await put(desk));
  expect(desk.list().models[0]!.isAvailable).toBe(true);
  bench.expectFallback(await put(desk));
  expect(desk.list().models[0]!.isAvailable).toBe(false);
  bench.expectFallback(await put(desk));
  expect(bench.model.requests).toHaveLength(2);
  await until(() => desk.list().models[0]!.isAvailable);
  expect((await put(desk)).text).toBe('好了。');
  expect(desk.list().models[0]!.isAvailable).toBe(true);
});

test.each([
  ['refuses', fails(400)],
  ['filters', ends('content_filter')],
])(
  'a question that the endpoint %s because of its content is no failure of the model',
  async (_how, reply) => {
    const desk = await bench.open([reply], { patience: { failuresToOpen: 1 } });
    bench.expectFallback(await put(desk));
    expect(desk.list().models[0]!.isAvailable).toBe(true);
  },
);
