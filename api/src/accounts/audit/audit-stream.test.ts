import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import pino from 'pino';
import type { AuditPage } from '../../contract/audit.ts';
import { createScriptedAnswerer } from '../../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../../testing/test-database.ts';
import { until } from '../../testing/until.ts';
import { createVisitor, signedUp } from '../../testing/visitor.ts';
import { createUserModel } from '../account-models.ts';
import { createAuditLog, createAuditModel } from './audit-log.ts';
import { createAuditStream, createAuditStreamModel } from './audit-stream.ts';

const key = Buffer.alloc(32, 7);
const metricsToken = 'token of the scraper';
const quiet = pino({ enabled: false });
const signal = new AbortController().signal;

let receiver: Server;
/** Requests that the receiver has accepted. */
let accepted: { headers: IncomingHttpHeaders; body: string }[];
/** Decides about each request. */
let answer: (attempt: number) => number | Promise<number>;
let attempts: number;
let config: {
  auditWebhookUrl: string;
  auditWebhookAuthorization: string;
  auditWebhookSecret: string;
  metricsToken: string;
};
let opened: TestApi[];

/** A desk without a receiver, for streams that are run by hand. */
const idle = await startTestApi({ answerer: createScriptedAnswerer() });
afterAll(() => idle?.end());
beforeEach(async () => {
  for (const name of ['audit', 'audit_streams']) await idle.connection.collection(name).deleteMany({});
  accepted = [];
  attempts = 0;
  answer = () => 204;
  opened = [];
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      attempts += 1;
      const status = await answer(attempts);
      if (status < 300)
        accepted.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(status, { Location: '/elsewhere' }).end('the receiver says something');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  config = {
    auditWebhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in?key=secret`,
    auditWebhookAuthorization: 'Splunk a-token',
    auditWebhookSecret: `whsec_${key.toString('base64')}`,
    metricsToken,
  };
});
afterEach(async () => {
  await Promise.all(opened.map((api) => api.end()));
  receiver.closeAllConnections();
  receiver.close();
});

async function start(options: Partial<Parameters<typeof startTestApi>[0]> = {}): Promise<TestApi> {
  const api = await startTestApi({
    answerer: createScriptedAnswerer(),
    ...options,
    config: { ...config, ...options.config },
  });
  opened.push(api);
  return api;
}
async function signUp(api: TestApi, name: string) {
  const visitor = await signedUp(api.url, name, 'correct horse');
  return visitor;
}
const entries = () =>
  accepted.flatMap(({ body }) =>
    body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { _id: number; event: string; hash: string }),
  );
const numbers = () => entries().map(({ _id }) => _id);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const state = async (api: TestApi, token: string) => {
  const visitor = createVisitor(api.url);
  visitor.token = token;
  return (await visitor.call<AuditPage>('POST', '/api/audit/search', {})).body.stream;
};
async function add(api: TestApi, count: number) {
  const models = { audit: createAuditModel(api.connection), users: createUserModel(api.connection) };
  const log = createAuditLog(models, { auditFile: '', auditDays: 365 }, quiet);
  for (let at = 0; at < count; at += 1)
    await log.add({ event: 'sign_in', call: null, by: null, subject: null, ip: `192.0.2.${at % 250}` });
}

/** The stream of another process, which is run by hand. */
function streamOf() {
  const audit = createAuditModel(idle.connection);
  const auditStreams = createAuditStreamModel(idle.connection);
  return createAuditStream({ audit, auditStreams }, config, quiet)!;
}

test('entries are sent in order as lines of JSON, signed, without names', async () => {
  const api = await start();
  const admin = await signUp(api, 'the-boss');
  await admin.call('POST', '/api/knowledge/pairs', { question: 'a-telling-pair', answer: 'telling' });
  await signUp(api, 'somebody');
  await until(() => numbers().length === 4);
  expect(entries().map(({ _id, event }) => [_id, event])).toEqual([
    [1, 'sign_up'],
    [2, 'permission_changed'],
    [3, 'knowledge_changed'],
    [4, 'sign_up'],
  ]);
  const { body: shown } = await admin.call<AuditPage>('POST', '/api/audit/search', {});
  expect(
    entries()
      .map(({ hash }) => hash)
      .reverse(),
  ).toEqual(shown.entries.map(({ hash }) => hash));
  for (const { headers, body } of accepted) {
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      authorization: 'Splunk a-token',
    });
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const expected = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(body).not.toMatch(/telling|the-boss|somebody/);
  }
  await until(async () => (await state(api, admin.token))?.waiting === 0);
  expect(await state(api, admin.token)).toMatchObject({
    sentAt: expect.stringMatching(/Z$/),
    waitingSince: null,
    failure: null,
  });
});

test('without an address nothing is sent, and no position is stored', async () => {
  const api = await start({ config: { auditWebhookUrl: null } });
  const admin = await signUp(api, 'the-boss');
  expect(await state(api, admin.token)).toBeNull();
  expect(attempts).toBe(0);
});

test('a receiver that is down delays no request; when it is back it gets everything in order', async () => {
  answer = () => 503;
  const api = await start();
  const admin = await signUp(api, 'the-boss');
  const failed = await until(async () => {
    const now = await state(api, admin.token);
    return now?.failure && now;
  });
  expect(failed).toMatchObject({ sentAt: null, waiting: 2, failure: 'answered with status 503' });
  const headers = { Authorization: `Bearer ${metricsToken}` };
  const metrics = await (await fetch(`${api.url}/metrics`, { headers })).text();
  expect(metrics).toMatch(/^desk_audit_unsent_seconds [\d.e-]+$/m);
  await add(api, 4);
  expect((await state(api, admin.token))?.waiting).toBe(6);
  answer = () => 200;
  await until(() => numbers().length >= 6);
  expect(numbers()).toEqual(upTo(6));
  await until(async () => (await state(api, admin.token))?.failure === null);
});

test('a receiver that does not answer delays no request', async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  answer = () => promise;
  const api = await start();
  await signUp(api, 'the-boss');
  await until(() => attempts === 1);
  for (const name of ['one-more', 'and-another']) expect((await signUp(api, name)).token).not.toBe('');
  expect(accepted).toEqual([]);
  resolve(204);
  await until(() => numbers().length === 4);
  expect(numbers()).toEqual(upTo(4));
});

test.each([302, 401, 410, 500])('status %i is a failure, and nothing is skipped', async (status) => {
  await add(idle, 3);
  const stream = streamOf();
  answer = (attempt) => (attempt <= 3 ? status : 204);
  const waits = [];
  for (let at = 0; at < 3; at += 1) waits.push(await stream.send(signal));
  expect(waits).toEqual([1000, 2000, 4000]);
  expect(await stream.isDue()).toBe(false);
  expect(await stream.read()).toMatchObject({ waiting: 3, failure: `answered with status ${status}` });
  expect(await stream.send(signal)).toBeUndefined();
  expect(numbers()).toEqual(upTo(3));
  expect(await stream.read()).toMatchObject({ waiting: 0, waitingSince: null, failure: null });
});

test('the pause between attempts grows to 5 minutes', async () => {
  await add(idle, 1);
  answer = () => 500;
  let waitMs: number | undefined;
  for (let at = 0; at < 12; at += 1) waitMs = await streamOf().send(signal);
  expect(waitMs).toBe(300_000);
});

test('a restart in the middle continues after the last batch that was accepted', async () => {
  const folder = await temporaryFolder('desk-audit');
  try {
    const first = await start({ dataDir: folder, config: { auditWebhookUrl: null } });
    await add(first, 450);
    await first.end();
    const isHeld = Promise.withResolvers<void>();
    answer = async (attempt) => {
      if (attempt !== 2) return 204;
      isHeld.resolve();
      return new Promise<number>(() => undefined);
    };
    const second = await start({ dataDir: folder });
    await isHeld.promise;
    await second.end();
    expect(numbers()).toEqual(upTo(200));
    opened = [await start({ dataDir: folder })];
    await until(() => numbers().length >= 450);
    expect(numbers()).toEqual(upTo(450));
  } finally {
    await opened.pop()?.end();
    opened = [];
    await removeTestData(folder);
  }
});

test('two processes send each entry once and in order, including entries of a process that has ended', async () => {
  const folder = await temporaryFolder('desk-audit');
  const database = await openTestDatabase(join(folder, 'store'));
  try {
    const startOne = (name: string) =>
      start({
        dataDir: join(folder, name),
        config: { mongodbUri: database.uri, dataDir: join(folder, name) },
      });
    const apis = [await startOne('one'), await startOne('two')];
    await Promise.all(apis.map((api) => add(api, 50)));
    await until(() => numbers().length >= 100);
    expect(numbers()).toEqual(upTo(100));
    await apis[0]!.end();
    await add(apis[1]!, 5);
    await until(() => numbers().length >= 105);
    expect(numbers()).toEqual(upTo(105));
  } finally {
    await opened[1]?.end();
    opened = [];
    await database.close();
    await removeTestData(join(folder, 'store'));
  }
});

test('two processes that send at the same moment lose nothing', async () => {
  await add(idle, 250);
  await Promise.all([streamOf().send(signal), streamOf().send(signal)]);
  await streamOf().send(signal);
  expect([...new Set(numbers())]).toEqual(upTo(250));
});

test('an interrupted request leaves the position as it was', async () => {
  await add(idle, 2);
  const leave = new AbortController();
  answer = () => {
    leave.abort();
    return 204;
  };
  await streamOf().send(leave.signal);
  expect(await streamOf().read()).toMatchObject({ waiting: 2, failure: null });
});
