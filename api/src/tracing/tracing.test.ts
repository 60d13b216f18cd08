import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { ChatAnswer } from '../contract/chat.ts';
import type { PageReport } from '../contract/reports.ts';
import { startServer } from '../server.ts';
import { behave } from '../testing/model-behaviours.ts';
import { listenAsModel } from '../testing/model-stand-in.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { removeTestData, testStoreConfig } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { createVisitor } from '../testing/visitor.ts';
import { writeTestBuild } from '../testing/write-test-build.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  events: unknown[];
  status: { code: number; message?: string };
}

interface SentSpans {
  resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

const received: SentSpan[] = [];
let resource = '';

process.env.OTEL_BSP_SCHEDULE_DELAY = '100';
const collector = createServer(async (request, response) => {
  expect([request.method, request.url]).toEqual(['POST', '/v1/traces']);
  const { resourceSpans } = (await json(request)) as SentSpans;
  for (const one of resourceSpans) {
    resource = JSON.stringify(one.resource);
    received.push(...one.scopeSpans.flatMap(({ spans }) => spans));
  }
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
}).listen(0, '127.0.0.1');
await new Promise((resolve) => collector.once('listening', resolve));
const model = await listenAsModel(0, behave);
const dataDir = await temporaryFolder('desk-traced');
const { port: collectorPort } = collector.address() as AddressInfo;
const api = await startServer({
  builds: [
    await writeTestBuild(dataDir, { name: 'host' }),
    await writeTestBuild(dataDir, { name: 'mfe-chat' }),
  ],
  config: {
    ...readConfig({
      LIMIT_CHAT: '0',
      LOG_LEVEL: 'silent',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'plain',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
    }),
    ...testStoreConfig(dataDir),
    port: 0,
  },
});
afterAll(async () => {
  delete process.env.OTEL_BSP_SCHEDULE_DELAY;
  await api?.close();
  await model?.end();
  collector?.close();
  await removeTestData(dataDir);
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

test('a question is one trace, from the browser or proxy to the model and the store, without its words', async () => {
  const visitor = createVisitor(api.url);
  await visitor.call('GET', '/api/conversations');
  const { body } = await visitor.call<ChatAnswer>(
    'POST',
    '/api/chat',
    {
      text: '怎样删除会话？ How do I delete Marigold’s file?',
      contact: '13900139000',
      contactName: '马丽黄',
    },
    { traceparent: `00-${traceId}-${parentId}-01` },
  );
  expect(body.source).toBe('model');
  const spans = () => received.filter((span) => span.traceId === traceId);
  await until(() => spans().some(({ name }) => name === 'POST /api/chat'));
  await until(() => spans().some(({ name }) => name === 'answer'));

  const named = (name: string) => spans().find((span) => span.name === name);
  expect(named('POST /api/chat')?.parentSpanId).toBe(parentId);
  expect(named('answer')?.parentSpanId).toBe(named('POST /api/chat')?.spanId);
  expect(named('retrieve')?.parentSpanId).toBe(named('answer')?.spanId);
  expect(named('chat plain')?.parentSpanId).toBe(named('answer')?.spanId);
  const commands = spans().filter(({ attributes }) =>
    attributes.some(({ key }) => key === 'db.operation.name'),
  );
  const parents = new Set(commands.map(({ parentSpanId }) => parentSpanId));
  for (const name of ['POST /api/chat', 'answer', 'retrieve'])
    expect([name, parents.has(named(name)?.spanId)]).toEqual([name, true]);
  expect(model.headers.at(-1)?.traceparent).toBe(`00-${traceId}-${named('chat plain')?.spanId}-01`);

  const text = JSON.stringify([spans(), resource]);
  const { recordId, conversationId } = body;
  for (const word of [
    '删除',
    'delete',
    'Marigold',
    '13900139000',
    '马丽黄',
    '依据资料',
    'passage says',
    recordId,
    conversationId,
  ])
    expect(text).not.toContain(word);
  expect(resource).toContain('"consultation-desk"');
});

test('what a visitor types in addresses, queries and headers is no part of a span', async () => {
  const visitor = createVisitor(api.url);
  const typed = 'marigold13900139000';
  await visitor.call('GET', `/api/records/${typed}?q=${typed}`, undefined, { 'X-Typed': typed });
  await visitor.call('GET', `/${typed}`, undefined, { 'User-Agent': typed });
  await visitor.call('POST', '/api/search', { text: typed, contact: typed });
  await until(() =>
    ['GET /…', 'POST /api/search'].every((name) => received.some((span) => span.name === name)),
  );
  expect(JSON.stringify(received)).not.toContain(typed);
});

test('probes are no spans, and a failed request is marked', async () => {
  const visitor = createVisitor(api.url);
  await visitor.fetch('GET', '/readyz');
  const { status } = await visitor.call('POST', '/api/chat', { text: '!500' });
  expect(status).toBe(200);
  await until(() => received.some(({ name, status }) => name === 'chat plain' && status.code === 2));
  expect(received.filter(({ name }) => name.includes('readyz'))).toEqual([]);
  expect(received.every(({ status, events }) => status.message === undefined && events.length === 0)).toBe(
    true,
  );
});

test('how a page loaded is part of the trace of its request', async () => {
  const response = await fetch(`${api.url}/chatbot/index`);
  const [, parent = ''] =
    /^traceparent;desc="([^"]*)"$/.exec(response.headers.get('server-timing') ?? '') ?? [];
  const [, ofPage, requestId] = parent.split('-');
  const { composition } = (await (await fetch(`${api.url}/ops/live`)).json()) as { composition: string };
  const release = { remote: 'mfe-chat', version: '1.0.0' };
  const began = Date.now() - 1000;
  const report = {
    page: 'a-random-id-of-a-page',
    composition,
    events: [],
    trace: {
      parent,
      age: 1000,
      spans: [
        { remote: 'host', version: '1.0.0', what: 'page', at: 0, ms: 80 },
        { ...release, what: 'entry', at: 100, ms: 20 },
        { ...release, version: '6.6.6', what: 'chunk', at: 120, ms: 5 },
      ],
    },
  } satisfies PageReport;
  const sent = await fetch(`${api.url}/ops/reports`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(report),
  });
  expect(sent.status).toBe(204);
  const spans = () =>
    received.filter(({ traceId, parentSpanId }) => traceId === ofPage && parentSpanId === requestId);
  await until(() => spans().some(({ name }) => name === 'entry mfe-chat'));
  await until(() => received.some(({ spanId, name }) => spanId === requestId && name === 'GET screen'));
  const measured = spans().filter(({ name }) => /^(page|entry|chunk) /.test(name));
  expect(measured.map(({ name }) => name)).toEqual(['page host', 'entry mfe-chat']);
  const entry = measured[1]!;
  expect(Number(entry.endTimeUnixNano) - Number(entry.startTimeUnixNano)).toBeCloseTo(20e6, -6);
  expect(Math.abs(Number(entry.startTimeUnixNano) / 1e6 - (began + 100))).toBeLessThan(30_000);
});
