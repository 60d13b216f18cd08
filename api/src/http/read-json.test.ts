import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { ApiError } from '../errors/errors.ts';
import { jsonReader } from './read-json.ts';

const read = jsonReader({ withinMs: 2000 });
let server: Server;

beforeEach(async () => {
  const app = new Koa();
  app.use(async (ctx) => {
    ctx.body = await read(ctx).then(
      (value) => ({ value }),
      (cause) => (cause instanceof ApiError ? { status: cause.status, error: cause.error } : {}),
    );
  });
  server = createServer(app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The result of reading a body that is sent in `parts`, one after the other. */
async function readOf(parts: (string | Buffer)[], { ends = true } = {}): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, method: 'POST', headers: { 'Content-Type': 'application/json' } });
  sent.on('error', () => undefined);
  for (const part of parts) {
    await new Promise((resolve) => sent.write(part, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (ends) sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return json(response);
}

test('a stalled body is refused after the time limit', async () => {
  expect(await readOf(['{"text":'], { ends: false })).toEqual({ status: 408, error: 'invalid_request' });
});

test('a body that arrives in parts is read completely', async () => {
  expect(await readOf(['{"text":', '"x"}'])).toEqual({ value: { text: 'x' } });
});

test('a character may be split over two parts, and may be the replacement character', async () => {
  const body = Buffer.from('{"text":"中\ufffd"}');
  expect(await readOf([body.subarray(0, 10), body.subarray(10)])).toEqual({ value: { text: '中\ufffd' } });
});

test.each([
  ['32 levels', 32, { value: expect.anything() }],
  ['33 levels', 33, { status: 400, error: 'invalid_request' }],
])('%s', async (_what, levels, expected) => {
  expect(await readOf([`${'['.repeat(levels - 1)}[1]${']'.repeat(levels - 1)}`])).toEqual(expected);
});

test('white space counts as no body', async () => {
  expect(await readOf([' \n '])).toEqual({});
});
