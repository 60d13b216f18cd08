import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { mongo } from 'mongoose';
import type { ErrorBody } from '../contract.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { openTestDatabase, removeTestData, type TestDatabase } from '../testing/test-database.ts';
import { createVisitor } from '../testing/visitor.ts';
import { openStore } from './open-store.ts';
import { isOutage } from './store-failure.ts';

// A desk starts in about a second, on a machine that is busy with other things in many.
jest.setTimeout(30_000);

// A store behind a line that can be cut.
let dataDir: string;
let store: TestDatabase;
let line: Server;
let port = 0;
const sockets = new Set<Socket>();
let api: TestApi;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'desk-outage-'));
  store = await openTestDatabase(join(dataDir, 'store'));
  await mend();
  const config = { mongodbUri: throughLine(store.uri) };
  api = await startTestApi({ answerer: createScriptedAnswerer(), config, dataDir });
});
afterAll(async () => {
  await api.end();
  await cut();
  await store.close();
  await removeTestData(join(dataDir, 'store'));
  await rm(dataDir, { recursive: true, force: true });
});

async function mend(): Promise<void> {
  const target = targetOf(store.uri);
  line = createServer((socket) => {
    const end = connect(target);
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

/** Where the store listens: the socket of the embedded one, the first host of a MongoDB. */
function targetOf(uri: string): NetConnectOpts {
  const [host = '', hostPort = '27017'] = hostsOf(uri).split(',')[0]?.split(':') ?? [];
  return host.includes('%2F') ? { path: decodeURIComponent(host) } : { host, port: Number(hostPort) };
}

/** The connection string of the same database with the line as its only host. */
function throughLine(uri: string): string {
  const [address = '', query = ''] = uri.replace(hostsOf(uri), `127.0.0.1:${port}`).split('?');
  const options = new URLSearchParams(query);
  options.delete('replicaSet');
  options.set('directConnection', 'true');
  return `${address}?${options}`;
}

const hostsOf = (uri: string) => /^mongodb:\/\/(?:[^@/]*@)?([^/?]+)/.exec(uri)?.[1] ?? '';

async function cut(): Promise<void> {
  line.close();
  for (const socket of sockets) socket.destroy();
  if (line.listening) await once(line, 'close');
}

test('a store that goes away is told as 503 in time, and the desk recovers with it', async () => {
  const visitor = createVisitor(api.url);
  expect((await visitor.call('POST', '/api/chat', { text: 'before' })).status).toBe(200);

  await cut();

  const calls = [
    ['GET', '/api/conversations'],
    ['POST', '/api/chat', { text: 'x' }],
    ['POST', '/admin/login', { username: 'somebody', password: 'long enough' }],
    ['GET', '/readyz'],
  ] as const;
  const replies = await Promise.all(
    calls.map(([method, path, body]) => visitor.call<ErrorBody>(method, path, body)),
  );
  for (const [at, { status, headers, body }] of replies.entries()) {
    expect([calls[at]?.[1], status, body.error]).toEqual([calls[at]?.[1], 503, 'unavailable']);
    expect(headers.get('Retry-After')).toMatch(/^\d+$/);
  }
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);

  await mend();

  let status = 503;
  while (status === 503) status = (await visitor.call('POST', '/api/chat', { text: 'after' })).status;
  expect(status).toBe(200);
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  // The driver's own limit for a store that does not answer is 30 s.
}, 25_000);

test('a store that is not there ends the start in time', async () => {
  const opening = openStore({ mongodbUri: 'mongodb://127.0.0.1:9/desk', dataDir });
  await expect(opening).rejects.toThrow(/MONGODB_URI/);
  // Within the 2 s of the product; the driver's own limit is 30 s.
}, 20_000);

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
