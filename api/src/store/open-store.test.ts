import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import type { ErrorBody } from '../contract/error-body.ts';
import type { DeskRecord, RecordPage } from '../contract/records.ts';
import { toApiError } from '../http/error-body.ts';
import { openTestStore } from '../testing/open-test-models.ts';
import { createPipe, createScriptedAnswerer, echo } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';
import { openStore } from './open-store.ts';
import { isOutage } from './store-failure.ts';

let line: Server;
/**
 * Below the range of automatically assigned ports, so that no other program takes it during an interruption.
 */
const port = 20_000 + Math.floor(Math.random() * 12_000);
const sockets = new Set<Socket>();
/** Connections are accepted, but no data is forwarded. */
let isStalled = false;
const answerer = createScriptedAnswerer();

// A store behind a proxy whose connections can be interrupted.
const dataDir = await temporaryFolder('desk-outage');
const store = await openTestDatabase(join(dataDir, 'store'));
await restoreConnections();
const config = { mongodbUri: throughLine(store.uri) };
const api = await startTestApi({ answerer, config, dataDir });
afterAll(async () => {
  await api.end();
  await cut();
  await store.close();
  await removeTestData(join(dataDir, 'store'));
  await rm(dataDir, { recursive: true, force: true });
});

async function restoreConnections(): Promise<void> {
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
    if (!isStalled) socket.pipe(end).pipe(socket);
  });
  line.listen(port, '127.0.0.1');
  await once(line, 'listening');
}

/** Address of the store: the socket of the embedded one, or the first host of a MongoDB. */
function targetOf(uri: string): NetConnectOpts {
  const [host = '', hostPort = '27017'] = hostsOf(uri).split(',')[0]?.split(':') ?? [];
  return host.includes('%2F') ? { path: decodeURIComponent(host) } : { host, port: Number(hostPort) };
}

/** The connection string of the same database, with the proxy as its only host. */
function throughLine(uri: string): string {
  const [address = '', query = ''] = uri.replace(hostsOf(uri), `127.0.0.1:${port}`).split('?');
  const options = new URLSearchParams(query);
  options.delete('replicaSet');
  options.set('directConnection', 'true');
  return `${address}?${options}`;
}

function hostsOf(uri: string): string {
  return /^mongodb:\/\/(?:[^@/]*@)?([^/?]+)/.exec(uri)?.[1] ?? '';
}

async function cut(): Promise<void> {
  line.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  if (line.listening) await once(line, 'close');
}

test('an unavailable store is reported as 503 in time, and the server recovers together with it', async () => {
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

  await restoreConnections();

  const { status } = await until(async () => {
    const reply = await visitor.call('POST', '/api/chat', { text: 'after' });
    return reply.status !== 503 && reply;
  });
  expect(status).toBe(200);
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  // The driver's default limit for a store that does not answer is 30 s.
});

/** Asks, and returns once the answer is in progress. */
async function ask(accept: string) {
  const visitor = createVisitor(api.url);
  await visitor.call('GET', '/api/conversations');
  const pipe = createPipe();
  const begun = new Promise<void>((resolve) => {
    answerer.script = (question, signal) => {
      resolve();
      return pipe.script(question, signal);
    };
  });
  const reply = visitor.fetch('POST', '/api/chat', {
    headers: { 'Content-Type': 'application/json', Accept: accept },
    body: JSON.stringify({ text: 'q' }),
  });
  await begun;
  return { visitor, pipe, reply };
}

async function readRecord(visitor: Visitor): Promise<DeskRecord | undefined> {
  const { body } = await visitor.call<RecordPage>('GET', '/api/records');
  return body.records?.[0];
}

test.each(['application/json', 'text/event-stream'])(
  'an answer that cannot be saved fails for its reader, and is saved once the store is available again (%s)',
  async (accept) => {
    const { visitor, pipe, reply } = await ask(accept);
    pipe.say('all of it');
    await cut();
    pipe.close();
    const response = await reply;
    const text = await response.text();
    if (accept === 'application/json') {
      expect(response.status).toBe(503);
      expect(JSON.parse(text)).toMatchObject({ error: 'unavailable', response: 'all of it' });
    } else {
      expect(text).toMatch(/event: error\ndata: .*"error":"unavailable"/);
      expect(text).not.toContain('event: done');
    }

    await restoreConnections();
    const record = await until(async () => {
      const read = await readRecord(visitor);
      return read?.status === 'done' && read;
    });
    expect(record.answer).toBe('all of it');
    answerer.script = echo;
  },
);

test('an answer that another process has ended during an outage is not reported as successful to its reader', async () => {
  const { pipe, reply } = await ask('application/json');
  const direct = await openTestStore({ mongodbUri: store.uri, dataDir });
  const lease = { process: 'another', host: 'elsewhere', pid: 1, until: new Date(Date.now() + 60_000) };
  await direct.models.records.updateOne({ status: 'answering' }, { $set: { lease } });
  await direct.close();
  pipe.say('not saved');
  pipe.close();
  expect((await reply).status).toBe(502);
  answerer.script = echo;
});

test('the server recovers although a heartbeat of the driver hangs', async () => {
  type Monitor = { connection: { socket: Socket } };
  const client = api.connection.getClient() as unknown as {
    topology: { s: { servers: Map<string, { monitor: Monitor; requestCheck(): void }> } };
  };
  const [server] = client.topology.s.servers.values();
  // Like a socket that was destroyed a moment before: it takes no byte and reports nothing.
  server!.monitor.connection.socket.write = () => false;
  server!.requestCheck();
  await once(api.connection.getClient(), 'serverHeartbeatStarted');
  await cut();
  await restoreConnections();

  await until(async () => (await fetch(`${api.url}/readyz`)).status === 200);
  expect((await createVisitor(api.url).call('POST', '/api/chat', { text: 'after' })).status).toBe(200);
});

test("a hanging store is reported as 503 before the driver's default would detect it", async () => {
  const visitor = createVisitor(api.url);
  expect((await visitor.call('POST', '/api/chat', { text: 'before' })).status).toBe(200);
  for (const socket of sockets) socket.unpipe().pause();
  isStalled = true;
  const { status } = await visitor.call('GET', '/api/records');
  expect(status).toBe(503);
  isStalled = false;
  await cut();
  await restoreConnections();
  // With its default options, the driver needs 20 s to interrupt calls to a hanging server.
});

test('writes are acknowledged by the journals of a majority, whatever the connection string says', async () => {
  for (const weaker of ['w=1&journal=false', 'w=0', 'wtimeoutMS=1']) {
    const uri = `${store.uri}${store.uri.includes('?') ? '&' : '?'}${weaker}`;
    const opened = await openStore({ mongodbUri: uri, dataDir });
    const { writeConcern } = opened.connection.getClient().options;
    await opened.close();
    expect(writeConcern).toMatchObject({ w: 'majority', j: true, wtimeout: 5000 });
  }
});

test.each(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])('the driver error %s is an outage', (code) => {
  expect(isOutage(Object.assign(new Error('write failed'), { code }))).toBe(true);
});

test('a network error of fetch is not attributed to the store', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(isOutage(new TypeError('fetch failed', { cause: refused }))).toBe(false);
});

test('every query has a time limit', async () => {
  const opened = await openTestStore({ mongodbUri: store.uri, dataDir });
  const limits: [string, unknown][] = [];
  opened.connection.set('debug', (_collection: string, method: string, ...given: unknown[]) => {
    const options = given.find((one) => typeof one === 'object' && one !== null && 'maxTimeMS' in one);
    limits.push([method, (options as { maxTimeMS?: number } | undefined)?.maxTimeMS]);
  });
  const { records } = opened.models;
  await records.find({ owner: 'x' }).lean();
  await records.findOne({ owner: 'x' }).lean();
  await records.exists({ owner: 'x' });
  await records.countDocuments({ owner: 'x' });
  await records.aggregate([{ $match: { owner: 'x' } }]);
  await records.findOneAndUpdate({ owner: 'x' }, { $set: { language: 'zh' } }).lean();
  await opened.close();
  expect(limits.map(([method]) => method)).toEqual(
    expect.arrayContaining(['find', 'findOne', 'countDocuments', 'aggregate', 'findOneAndUpdate']),
  );
  for (const limit of limits) expect(limit).toEqual([limit[0], 10_000]);
});

test('a query that exceeds its time limit is reported as 503 with a reason', async () => {
  const limited = new mongo.MongoServerError({ message: 'operation exceeded time limit', code: 50 });
  expect(toApiError(limited)).toMatchObject({ status: 503, error: 'unavailable', key: 'query_too_slow' });
});

test('the start fails in time if the store is unreachable', async () => {
  const opening = openStore({ mongodbUri: 'mongodb://127.0.0.1:9/desk', dataDir });
  await expect(opening).rejects.toThrow(/MONGODB_URI/);
  // Within our limit of 2 s; the driver's default is 30 s.
});

test('a DATA_DIR that is not a folder is reported with the reason', async () => {
  const file = join(dataDir, 'a-file');
  await writeFile(file, '');
  // If no folder can be created, Node's recursive mkdir would retry forever.
  const nowhere = process.platform === 'linux' ? ['/proc/none/below'] : [];
  for (const folder of [file, join(file, 'below'), ...nowhere]) {
    await expect(openStore({ mongodbUri: null, dataDir: folder })).rejects.toThrow(
      new RegExp(`^DATA_DIR must be a folder that can be written to, got "${folder}": E[A-Z]+: `),
    );
  }
});

test('a full disk is an outage: it ends once there is space again', () => {
  const full = new mongo.MongoServerError({ message: 'No space left for the data file', code: 14_031 });
  expect(isOutage(full)).toBe(true);
  expect(isOutage(new mongo.MongoServerError({ message: 'refused', code: 2 }))).toBe(false);
});
