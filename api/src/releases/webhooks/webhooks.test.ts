import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type {
  CreatedWebhook,
  WebhookDelivery,
  WebhookInfo,
  WebhookMessage,
} from '../../contract/webhooks.ts';
import { startCanaryServer } from '../../testing/canary-server.ts';
import { until } from '../../testing/until.ts';
import { createVisitor } from '../../testing/visitor.ts';
import { createCompositionStore } from '../data/composition-store.ts';
import { enqueueMessages } from './enqueue-messages.ts';
import { sendDeliveries } from './open-webhooks.ts';
import { createWebhookModels } from './webhook.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  message: WebhookMessage & { data: Record<string, unknown> };
}

let received: Received[] = [];
let status = 204;

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    received.push({ headers: request.headers, body, message: JSON.parse(body) });
    response.writeHead(status, status === 302 ? { Location: `${origin}/elsewhere` } : {}).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
const desk = await startCanaryServer({ webhookOrigins: [origin] });
afterAll(async () => {
  await desk?.end();
  receiver?.close();
});
beforeEach(() => {
  received = [];
  status = 204;
});
afterEach(async () => {
  const { webhooks } = (await desk.ops<{ webhooks: WebhookInfo[] }>('GET', 'webhooks')).body;
  for (const { id } of webhooks) await call('POST', `webhooks/${id}/remove`);
  await desk.ops('POST', 'canary/abort', {});
  await desk.ops('POST', 'pointer', { releases: ['mfe-chat@1.0.0'] });
});

const call = <T = { error: string; field?: string; msg: string }>(
  method: string,
  path: string,
  body?: object,
) =>
  createVisitor(desk.url()).call<T>(method, `/ops/${path}`, body, {
    Authorization: 'Bearer the-token-of-operations',
  });
const add = async (fields: object = {}) =>
  (await call<CreatedWebhook>('POST', 'webhooks', { url: `${origin}/desk?key=1`, ...fields })).body;
const deliveries = async (path = 'webhooks/deliveries') =>
  (await call<{ deliveries: WebhookDelivery[] }>('GET', path)).body.deliveries;
const set = (version: string) =>
  desk.ops('POST', 'pointer', { releases: [`mfe-chat@${version}`], reason: 'try' });

/** A process of its own, on a clock that tests advance. */
function otherProcess() {
  let at = Date.now();
  const store = createCompositionStore(desk.connection());
  const models = createWebhookModels(desk.connection());
  const now = () => new Date(at);
  const log = pino({ level: 'silent' });
  return {
    now,
    wait: (ms: number) => {
      at += ms;
    },
    enqueue: () => enqueueMessages({ store, models, now }),
    models,
    send: (key = Buffer.alloc(32), webhookOrigins = [origin], signal = new AbortController().signal) =>
      sendDeliveries({ models, environment: 'production', key, webhookOrigins, log, now }, signal),
  };
}

test('a change is sent with a signature that the secret verifies, and the secret is stored nowhere', async () => {
  const { id, secret } = await add();
  const { body: after } = await set('1.1.0');
  const [{ headers, body, message }] = (await until(() => received.length > 0 && received)) as [Received];

  expect(message).toMatchObject({
    type: 'composition.set',
    data: {
      environment: 'production',
      revision: after.revision,
      author: 'li',
      reason: 'try',
      composition: after.composition.id,
      changes: [{ name: 'mfe-chat', from: '1.0.0', to: '1.1.0' }],
    },
  });
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(30);
  expect(headers['webhook-id']).toBe(`move_production_${after.revision}`);

  const stored = await desk.connection().collection('webhooks').find().toArray();
  expect(JSON.stringify(stored)).not.toContain(secret.slice(6));
  expect((await call('GET', 'webhooks')).body).not.toHaveProperty('webhooks.0.secret');
  expect(
    await until(async () => (await deliveries()).find(({ state }) => state === 'delivered')),
  ).toMatchObject({
    webhook: id,
    attempts: 1,
    status: 204,
    nextAt: null,
  });
});

test('canary steps, rollbacks and releases are sent, and each webhook gets only the events that it subscribed to', async () => {
  const canaries = await add({ events: ['canary.start', 'canary.abort'] });
  await desk.canary();
  await desk.ops('POST', 'canary/abort', {});
  await set('1.1.0');
  await desk.ops('POST', 'pointer/rollback', {});
  await until(() => received.length >= 2);
  const all = await add();
  await desk
    .connection()
    .collection('releases')
    .updateOne({ _id: 'mfe-chat@1.2.0' as never }, { $set: { announce: true, publishedAt: new Date() } });
  await until(() => received.find(({ message }) => message.type === 'release.publish'));

  const types = received.map(({ message }) => message.type).sort();
  expect(types).toEqual(['canary.abort', 'canary.start', 'release.publish']);
  const release = received.find(({ message }) => message.type === 'release.publish')!;
  expect(release.message.data).toMatchObject({
    release: 'mfe-chat@1.2.0',
    name: 'mfe-chat',
    version: '1.2.0',
  });
  const found = await deliveries(`webhooks/deliveries?webhook=${all.id}`);
  expect(found.map(({ type }) => type)).toEqual(['release.publish']);
  expect(canaries.events).toEqual(['canary.abort', 'canary.start']);
});

test('a message is sent although the process was killed after the change, and two processes send it once', async () => {
  const path = `webhooks/deliveries?webhook=${(await add()).id}`;
  await desk.restart();
  const change = set('1.1.0');
  const others = [otherProcess(), otherProcess(), otherProcess()];
  await change;
  await Promise.all(others.map(({ enqueue }) => enqueue()));
  await Promise.all(others.map(({ send }) => send()));
  await until(async () => (await deliveries(path))[0]?.state === 'delivered');
  // Nothing is left to send, for any of them.
  await Promise.all(others.map(({ enqueue }) => enqueue()));
  await Promise.all(others.map(({ send }) => send()));
  expect(await deliveries(path)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  expect(received.map(({ message }) => message.type)).toEqual(['composition.set']);
});

test('failures are retried with growing delays, and can be sent again by hand', async () => {
  status = 500;
  const path = `webhooks/deliveries?webhook=${(await add()).id}`;
  await set('1.1.0');
  const pending = await until(async () => (await deliveries(path)).find(({ status }) => status !== null));
  expect(pending).toMatchObject({
    state: 'pending',
    attempts: 1,
    status: 500,
    error: 'answered with status 500',
  });
  expect(Date.parse(pending.nextAt!) - Date.parse(pending.createdAt)).toBeGreaterThanOrEqual(5000);

  const other = otherProcess();
  const minutes = [0, 0, 5, 30, 120, 300, 600, 840, 1200, 1440];
  for (const hours of [1, 1, 1, 3, 6, 11, 15, 21, 25]) {
    other.wait(hours * 3_600_000);
    await other.send();
    const [{ nextAt, attempts }] = (await deliveries(path)) as [WebhookDelivery];
    if (nextAt)
      expect(Math.round((Date.parse(nextAt) - other.now().getTime()) / 60_000)).toBe(minutes[attempts]);
  }
  const [failed] = await deliveries(path);
  expect(failed).toMatchObject({ id: pending.id, state: 'failed', attempts: 10, nextAt: null });
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);

  status = 200;
  await call('POST', `webhooks/deliveries/${pending.id}/retry`);
  await until(async () => (await deliveries(path)).find(({ state }) => state === 'delivered'));
});

test('a receiver that answers 410 gets nothing more, and a redirect is not followed', async () => {
  status = 302;
  const { id } = await add();
  await call('POST', `webhooks/${id}/test`);
  await until(async () => (await deliveries()).find(({ status }) => status === 302));
  expect(received.map(({ headers }) => headers['webhook-id'])).toHaveLength(1);
  expect(received[0]?.message).toMatchObject({ type: 'webhook.test', data: {} });

  status = 410;
  await call('POST', `webhooks/${id}/test`);
  await until(async () => {
    const { webhooks } = (await call<{ webhooks: WebhookInfo[] }>('GET', 'webhooks')).body;
    return webhooks[0]?.endedAt;
  });
});

describe('a delivery that is due', () => {
  /** One to `url` that no other process sends, an hour ahead of the clock of the desk. */
  async function given(url = `${origin}/desk`) {
    const { id } = await add();
    const process = otherProcess();
    process.wait(3_600_000);
    const { webhooks, deliveries: stored } = process.models;
    await webhooks.updateOne({ _id: id }, { $set: { url } });
    const _id = `${id}.test`;
    await stored.create({
      _id,
      environment: 'production',
      webhook: id,
      messageId: 'test',
      type: 'webhook.test',
      body: '{"type":"webhook.test"}',
      state: 'pending',
      attempts: 0,
      dueAt: new Date(process.now().getTime() - 1),
      createdAt: new Date(),
    });
    return { process, id, read: async () => (await stored.findById(_id).lean())! };
  }

  test('a message is not sent to an origin that is no longer allowed', async () => {
    const { process, read } = await given();
    await process.send(undefined, []);
    expect(await read()).toMatchObject({ state: 'pending', attempts: 1, status: null });
    expect((await read()).error).toContain('WEBHOOK_ORIGINS');
    expect(received).toEqual([]);
  });

  test('a message is not sent to a webhook that has ended or was removed', async () => {
    const ended = await given();
    await ended.process.models.webhooks.updateOne({ _id: ended.id }, { $set: { endedAt: new Date() } });
    await ended.process.send();
    expect(await ended.read()).toMatchObject({ state: 'failed', attempts: 1 });
    const removed = await given();
    await removed.process.models.webhooks.deleteOne({ _id: removed.id });
    await removed.process.send();
    expect(await removed.read()).toMatchObject({ state: 'failed', attempts: 1 });
    expect(received).toEqual([]);
  });

  test('a message is sent again by another process if the first one is stopped', async () => {
    const hanging = createServer();
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const stopping = new AbortController();
    hanging.on('request', () => stopping.abort());
    const { process, id, read } = await given(`${elsewhere}/desk`);
    await process.send(undefined, [elsewhere], stopping.signal);
    expect(await read()).toMatchObject({ state: 'pending', attempts: 1 });
    expect((await read()).error ?? null).toBeNull();
    hanging.closeAllConnections();
    hanging.close();

    await process.models.webhooks.updateOne({ _id: id }, { $set: { url: `${origin}/desk` } });
    // Until the lease of the first attempt has ended.
    process.wait(59_000);
    await process.send();
    expect(received).toEqual([]);
    process.wait(1001);
    await process.send();
    expect(await read()).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(received).toHaveLength(1);
  });
});

test('only origins of WEBHOOK_ORIGINS are accepted, and only from operators', async () => {
  const { port } = new URL(origin);
  for (const url of [
    'http://169.254.169.254/latest',
    `http://localhost:${port}/`,
    `http://127.0.0.1.nip.io:${port}/`,
    `https://127.0.0.1:${port}/`,
    `http://user:secret@127.0.0.1:${port}/`,
    `${origin}@evil.example/`,
    `${origin}/#part`,
    'file:///etc/passwd',
    'desk',
  ]) {
    const { status, body } = await call('POST', 'webhooks', { url });
    expect([url, status, body.field]).toEqual([url, 400, 'url']);
  }
  expect((await call('POST', 'webhooks', { url: origin, events: ['all'] })).status).toBe(400);
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/deliveries'],
    ['POST', '/x/test'],
  ] as const)
    expect((await createVisitor(desk.url()).call(method, `/ops/webhooks${path}`)).status).toBe(401);
  for (const path of ['x/test', 'x/remove', 'deliveries/x/retry'])
    expect((await call('POST', `webhooks/${path}`)).status).toBe(404);
});

test('an environment has at most 20 webhooks, listed oldest first', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 20; count += 1) ids.push((await add()).id);
  const { status, body } = await call('POST', 'webhooks', { url: origin });
  expect([status, body.error]).toEqual([409, 'conflict']);
  const { webhooks } = (await call<{ webhooks: WebhookInfo[] }>('GET', 'webhooks')).body;
  expect([webhooks.length, webhooks[0]?.id, webhooks.at(-1)?.id]).toEqual([20, ids[0], ids.at(-1)]);
});
