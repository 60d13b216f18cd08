import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { createLog } from '../../http/create-log.ts';
import type { DeskMiddleware, DeskState } from '../../http/desk-state.ts';
import { writeErrors } from '../../http/error-body.ts';
import { until } from '../../testing/until.ts';
import { createArchiveRoutes } from '../record-routes.ts';
import type { Exporting } from './exporting.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Serves only the archive routes over HTTP, with `pieces` as content. */
async function serve(pieces: () => AsyncIterable<string>): Promise<string> {
  const identify: DeskMiddleware = (ctx, next) => {
    ctx.state.owner = 'user:1';
    ctx.state.signedIn = { user: { _id: 'user' } } as unknown as NonNullable<DeskState['signedIn']>;
    ctx.state.language = 'zh';
    return next();
  };
  const exporting: Exporting = {
    records: async () => ({ name: '记录.json', type: 'application/json', pieces: pieces() }),
    account: async () => ({ name: '账号.json', type: 'application/json', pieces: pieces() }),
  };
  const importing = { take: () => Promise.reject(new Error('not asked for here')) };
  const free = () => Promise.resolve();
  const quotas = { meter: () => ({ expect: free, take: free, finish: free, giveBack: free }) };
  const app = new Koa<DeskState>();
  app.on('error', () => undefined);
  app.use(writeErrors(createLog('silent')));
  app.use(identify);
  app.use(createArchiveRoutes({ exporting, importing }, quotas).routes());
  server = createServer(app.callback());
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function exportFrom(url: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/api/export`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ filter: {}, format: 'json' }),
    ...(signal ? { signal } : {}),
  });
}

test('an error in the middle closes the connection, so that a partial file is not mistaken for a complete one', async () => {
  async function* failing() {
    yield '{"records":[';
    yield '1';
    throw new Error('the store went away');
  }
  const response = await exportFrom(await serve(failing));

  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test('content is produced only as fast as it is read, and not at all after the client has disconnected', async () => {
  let made = 0;
  let isOver = false;
  async function* endless() {
    try {
      for (;;) {
        made += 1;
        yield 'x'.repeat(100_000);
      }
    } finally {
      isOver = true;
    }
  }
  const url = await serve(endless);
  const leaving = new AbortController();
  const response = await exportFrom(url, leaving.signal);
  const reader = response.body!.getReader();
  await reader.read();
  // The socket buffers are filled first; nothing more is produced afterwards.
  for (let turns = 0; turns < 5000; turns += 1) await setImmediate();
  expect(made).toBeLessThan(300);

  leaving.abort();
  await reader.closed.catch(() => undefined);
  await until(() => isOver);
});

test('an owner can run two exports at a time; a slot is free again when one has ended or was cancelled', async () => {
  let goOn: () => void = () => undefined;
  async function* waiting() {
    yield '[';
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    yield ']';
  }
  const url = await serve(waiting);
  const leaving = new AbortController();
  const first = await exportFrom(url, leaving.signal);
  const second = await exportFrom(url);
  expect((await exportFrom(url)).status).toBe(429);

  goOn();
  expect(await second.text()).toBe('[]');
  leaving.abort();
  await first.text().catch(() => undefined);
  const again = await until(async () => {
    const response = await exportFrom(url);
    return response.status !== 429 && response;
  });
  expect(again.status).toBe(200);
});

test('an account export counts towards the limit', async () => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  async function* waiting() {
    yield '[';
    await ended;
    yield ']';
  }
  const url = await serve(waiting);
  const account = () => fetch(`${url}/admin/export`);
  const both = [await account(), await exportFrom(url)];
  const third = await account();
  expect([third.status, ((await third.json()) as { error: string }).error]).toEqual([429, 'rate_limited']);
  end();
  expect(await Promise.all(both.map((response) => response.text()))).toEqual(['[]', '[]']);
});
