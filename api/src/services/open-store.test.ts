import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { mongo } from 'mongoose';
import type { ErrorBody } from '../contract.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../embedded/open-embedded-store.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createVisitor } from '../testing/visitor.ts';
import { openStore } from './open-store.ts';
import { isOutage } from './store-failure.ts';

// A desk starts in about a second, on a machine that is busy with other things in many.
jest.setTimeout(30_000);

// A store behind a line that can be cut.
let dataDir: string;
let store: EmbeddedStore;
let line: Server;
let port = 0;
const sockets = new Set<Socket>();
let api: TestApi;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'desk-outage-'));
  store = await openEmbeddedStore({ dataDir: join(dataDir, 'store') });
  await mend();
  const config = { mongodbUri: `mongodb://127.0.0.1:${port}/desk?directConnection=true` };
  api = await startTestApi({ answerer: createScriptedAnswerer(), config, dataDir });
});
afterAll(async () => {
  await api.end();
  await cut();
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function mend(): Promise<void> {
  const path = decodeURIComponent(new URL(store.uri).host);
  line = createServer((socket) => {
    const end = connect(path);
    for (const one of [socket, end]) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        socket.destroy();
        end.destroy();
      });
    }
    socket.pipe(end).pipe(socket);
  });
  line.listen(port, '127.0.0.1');
  await once(line, 'listening');
  port = (line.address() as AddressInfo).port;
}

async function cut(): Promise<void> {
  line.close();
  for (const socket of sockets) socket.destroy();
  if (line.listening) await once(line, 'close');
}

test('a store that goes away is told as 503 in time, and the desk recovers with it', async () => {
  const visitor = createVisitor(api.url);
  expect((await visitor.call('POST', '/api/chat', { text: 'before' })).status).toBe(200);

  await cut();

  const start = performance.now();
  for (const [method, path, body] of [
    ['GET', '/api/conversations'],
    ['POST', '/api/chat', { text: 'x' }],
    ['POST', '/admin/login', { username: 'somebody', password: 'long enough' }],
    ['GET', '/readyz'],
  ] as const) {
    const reply = await visitor.call<ErrorBody>(method, path, body);
    expect([path, reply.status, reply.body.error]).toEqual([path, 503, 'unavailable']);
    expect(reply.headers.get('Retry-After')).toMatch(/^\d+$/);
  }
  expect(performance.now() - start).toBeLessThan(12_000);
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);

  await mend();

  let status = 503;
  for (const until = Date.now() + 10_000; status === 503 && Date.now() < until; ) {
    status = (await visitor.call('POST', '/api/chat', { text: 'after' })).status;
  }
  expect(status).toBe(200);
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
}, 40_000);

test('a store that is not there ends the start in time', async () => {
  const start = performance.now();
  const opening = openStore({ mongodbUri: 'mongodb://127.0.0.1:9/desk', dataDir });
  await expect(opening).rejects.toThrow(/MONGODB_URI/);
  expect(performance.now() - start).toBeLessThan(5000);
});

test('a DATA_DIR that is no folder is named, with the reason', async () => {
  const file = join(dataDir, 'a-file');
  await writeFile(file, '');
  // Where no folder can be made, Node's own recursive mkdir would try for ever.
  const nowhere = process.platform === 'linux' ? ['/proc/none/below'] : [];
  for (const folder of [file, join(file, 'below'), ...nowhere]) {
    await expect(openStore({ mongodbUri: null, dataDir: folder })).rejects.toThrow(
      new RegExp(`^DATA_DIR must be a folder that can be written to, got "${folder}": E[A-Z]+: `),
    );
  }
});

test('no space left is an outage: it ends by itself when there is some again', () => {
  const full = new mongo.MongoServerError({ message: 'No space left for the data file', code: 14_031 });
  expect(isOutage(full)).toBe(true);
  expect(isOutage(new mongo.MongoServerError({ message: 'refused', code: 2 }))).toBe(false);
});
