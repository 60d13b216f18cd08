import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { ApiError } from '../../errors/errors.ts';
import { writeErrors } from '../../http/error-body.ts';
import { createViolationRoutes } from './report-routes.ts';

let logged: object[] = [];
let isFull = false;

const app = new Koa();
const log = { warn: (fields: object) => logged.push(fields) };
const take = async () => {
  if (isFull) throw new ApiError('rate_limited', { retryAfter: 60 });
};
app.use(writeErrors({ error: () => undefined } as never));
app.use(createViolationRoutes({ log: log as never, limits: { reports: { take } } as never }).routes());
const server = createServer(app.callback()).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
afterAll(() => void server.close());
beforeEach(() => {
  logged = [];
  isFull = false;
});

const deliver = (body: unknown, type = 'application/reports+json') =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ops/violations`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: JSON.stringify(body),
  });

const violation = {
  type: 'csp-violation',
  age: 10,
  url: 'https://desk.example/chatbot/index?c=secret',
  user_agent: 'any',
  body: {
    documentURL: 'https://desk.example/chatbot/index?c=secret',
    blockedURL: 'https://evil.example/e.js?who=me',
    effectiveDirective: 'script-src-elem',
    sourceFile: null,
    disposition: 'enforce',
  },
};

test('violations reported by browsers are logged, without queries', async () => {
  const integrity = {
    type: 'integrity-violation',
    body: {
      documentURL: 'https://desk.example/chatbot/',
      blockedURL: 'https://desk.example/x.js',
      destination: 'script',
      reportOnly: false,
    },
  };
  expect((await deliver([violation, integrity])).status).toBe(204);
  expect(logged).toEqual([
    {
      type: 'csp-violation',
      page: 'https://desk.example/chatbot/index',
      blocked: 'https://evil.example/e.js',
      directive: 'script-src-elem',
    },
    {
      type: 'integrity-violation',
      page: 'https://desk.example/chatbot/',
      blocked: 'https://desk.example/x.js',
      directive: 'script',
    },
  ]);
});

test('violations caused by browser extensions are not logged', async () => {
  const body = { ...violation.body, sourceFile: 'chrome-extension://abc/content.js' };
  expect((await deliver([{ ...violation, body }])).status).toBe(204);
  expect(logged).toEqual([]);
});

test('refuses invalid, too large and too frequent reports', async () => {
  expect((await deliver([violation], 'application/json')).status).toBe(415);
  expect((await deliver({})).status).toBe(400);
  expect((await deliver(Array(21).fill(violation))).status).toBe(400);
  expect((await deliver(['x'.repeat(70_000)])).status).toBe(413);
  isFull = true;
  expect((await deliver([violation])).status).toBe(429);
  expect(logged).toEqual([]);
});

test('any number of reports writes a limited number of log lines', async () => {
  for (let count = 0; count < 5; count += 1)
    expect((await deliver(Array(20).fill(violation))).status).toBe(204);
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.length).toBeLessThanOrEqual(60);
});
