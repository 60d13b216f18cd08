import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { until } from '../testing/until.ts';
import type { DeskContext } from './desk-state.ts';
import { sendEventStream } from './send-event-stream.ts';

let server: Server;
const failures: unknown[] = [];
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A response with these events, and a comment after `commentMs` without any. */
async function open(read: (signal: AbortSignal) => AsyncGenerator<string>, commentMs?: number) {
  const app = new Koa();
  app.on('error', (cause) => failures.push(cause));
  app.use(async (ctx, next) => {
    await next();
    ctx.set('X-Late', 'yes');
  });
  app.use((ctx) => sendEventStream(ctx as unknown as DeskContext, read, commentMs));
  server = createServer(app.callback()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const leave = new AbortController();
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}`, { signal: leave.signal });
  return { response, leave: () => leave.abort() };
}

test('sends events as they come, comments in the pauses, and the headers that other middleware sets', async () => {
  const gate = Promise.withResolvers<void>();
  const { response } = await open(async function* () {
    yield 'one\n\n';
    await gate.promise;
    yield 'two\n\n';
  }, 5);
  expect(response.headers.get('x-late')).toBe('yes');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    // A proxy must neither keep nor collect nor compress events.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  let seen = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    seen += chunk;
    if (seen.split(': still here').length > 2) gate.resolve();
  }
  expect(seen.replaceAll(': still here\n\n', '')).toBe('one\n\ntwo\n\n');
});

test('a client that leaves aborts the signal, and a slow one is waited for', async () => {
  let made = 0;
  let hasEnded = false;
  const { response, leave } = await open(async function* (signal) {
    const piece = `${'x'.repeat(100_000)}\n\n`;
    try {
      for (; !signal.aborted; made += 1) yield piece;
    } finally {
      hasEnded = true;
    }
  });
  const reader = response.body!.getReader();
  await reader.read();
  let before = -1;
  await until(async () => {
    const isStill = before === made;
    before = made;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return isStill && made > 0;
  });
  expect(made).toBeLessThan(1000);
  leave();
  await until(() => hasEnded);
  failures.length = 0;
});

test('an error ends the connection and is reported', async () => {
  const gate = Promise.withResolvers<void>();
  const { response } = await open(async function* () {
    yield 'one\n\n';
    await gate.promise;
    throw new Error('the events failed');
  });
  gate.resolve();
  await expect(response.text()).rejects.toThrow();
  expect(failures).toContainEqual(new Error('the events failed'));
});
