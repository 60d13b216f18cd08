import { createHash } from 'node:crypto';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { Config } from '../config/config.ts';
import type { PredictAnswer } from '../contract/chat.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { UploadRules } from '../contract/files.ts';
import { modelFailed } from '../errors/errors.ts';
import { archiveOf, archiveRecord } from '../testing/archives.ts';
import { createScriptedAnswerer, echo } from '../testing/scripted-answerer.ts';
import { smallPng } from '../testing/small-png.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';
import { createQuotas } from './quotas.ts';

const megabyte = 1024 * 1024;
const answerer = createScriptedAnswerer();
const start = (config: Partial<Config>) => startTestApi({ answerer, config: { trustProxy: 1, ...config } });

// It limits the guests of an address; each test uses addresses of its own.
const shared = await start({ limitGuestMb: 2 });
afterAll(() => shared.end());
const guest = () => createVisitor(shared.url);

let other: TestApi | undefined;
afterEach(async () => {
  answerer.script = echo;
  await other?.end();
  other = undefined;
});

async function upload(
  visitor: Visitor,
  bytes: number | Buffer<ArrayBuffer>,
  address: string,
  name = 'a.txt',
) {
  const content = typeof bytes === 'number' ? Buffer.from('word'.padEnd(bytes)) : bytes;
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  const response = await visitor.fetch('POST', '/api/predict', {
    body: form,
    headers: { 'X-Forwarded-For': address },
  });
  const body = (await response.json()) as PredictAnswer & ErrorBody;
  return { status: response.status, body, retryAfter: response.headers.get('Retry-After') };
}

async function account(api: TestApi, name: string): Promise<Visitor> {
  const visitor = await signedUp(api.url, name, 'a long password');
  return visitor;
}

test('LIMIT_GUEST_MB limits the daily uploads of all guests of an address, and the error says what is left', async () => {
  expect((await upload(guest(), megabyte, '10.1.0.1')).status).toBe(200);
  const refused = await upload(guest(), megabyte, '10.1.0.1');
  expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited']);
  expect(refused.body.remaining).toBeGreaterThan(0);
  expect(refused.body.remaining).toBeLessThan(megabyte);
  expect(Number(refused.retryAfter)).toBeGreaterThan(60);
  expect((await upload(guest(), megabyte, '10.1.0.2')).status).toBe(200);
  expect((await upload(await account(shared, 'Somebody'), megabyte, '10.1.0.1')).status).toBe(200);
});

test('LIMIT_GUEST_MB limits a guest whose address changes', async () => {
  const visitor = guest();
  expect((await upload(visitor, megabyte, '10.2.0.1')).status).toBe(200);
  expect((await upload(visitor, megabyte, '10.2.0.2')).status).toBe(429);
});

test('LIMIT_ADDRESS_MB also limits accounts', async () => {
  other = await start({ limitAddressMb: 2 });
  expect((await upload(await account(other, 'One'), megabyte, '10.1.0.1')).status).toBe(200);
  expect((await upload(await account(other, 'Two'), megabyte, '10.1.0.1')).status).toBe(429);
});

test('LIMIT_OWNER_MB limits what an owner keeps', async () => {
  other = await start({ limitOwnerMb: 2 });
  const visitor = createVisitor(other.url);
  expect((await upload(visitor, 1.5 * megabyte, '10.1.0.1')).status).toBe(200);
  const { body: rules } = await visitor.call<UploadRules>('GET', '/api/upload-rules');
  expect(rules).toMatchObject({ maxFiles: 10, maxBytes: other.config.maxUploadMb * megabyte });
  expect(rules.freeBytes).toBeLessThan(megabyte);
  const refused = await upload(visitor, 1.5 * megabyte, '10.1.0.1');
  expect(refused.body.remaining).toBe(rules.freeBytes);
  expect([refused.status, refused.body.error, refused.body.field]).toEqual([413, 'too_large', 'file']);
  expect(refused.body.remaining).toBeLessThan(megabyte);
  expect((await upload(createVisitor(other.url), megabyte, '10.1.0.1')).status).toBe(200);

  // All files of a request count.
  const form = new FormData();
  for (const name of ['a.txt', 'b.txt']) form.append('file', new Blob(['word'.padEnd(1.2 * megabyte)]), name);
  const both = await createVisitor(other.url).fetch('POST', '/api/predict', { body: form });
  expect(both.status).toBe(413);
});

test('refused uploads do not count', async () => {
  const broken = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(1.5 * megabyte)]);
  for (const _ of [1, 2, 3]) {
    const { status } = await upload(guest(), broken, '10.3.0.1');
    expect(status).toBe(422);
  }
});

test('files of an interrupted answer count, since they are kept', async () => {
  answerer.script = async function* () {
    yield* [];
    throw modelFailed();
  };
  const visitor = guest();
  expect((await upload(visitor, 1.5 * megabyte, '10.4.0.1')).status).toBe(502);
  expect((await upload(visitor, 1.5 * megabyte, '10.4.0.1')).status).toBe(429);
});

test('imports count', async () => {
  const archive = archiveOf([1, 2, 3, 4].map((n) => archiveRecord(n, { answer: 'x'.repeat(300_000) })));
  const send = () =>
    guest().call<ErrorBody>('POST', '/api/import', archive, { 'X-Forwarded-For': '10.5.0.1' });
  expect((await send()).status).toBe(200);
  const { status, body } = await send();
  expect([status, body.error]).toEqual([429, 'rate_limited']);
  expect(body.remaining).toBeGreaterThan(0);
});

test('bytes after the end of an image are not kept', async () => {
  const visitor = guest();
  const picture = smallPng(4, 4);
  const { body } = await upload(
    visitor,
    Buffer.concat([picture, Buffer.alloc(megabyte, 'x')]),
    '10.6.0.1',
    'a.png',
  );
  const kept = await (await visitor.fetch('GET', body.url)).arrayBuffer();
  expect(createHash('sha256').update(Buffer.from(kept)).digest('hex')).toBe(
    createHash('sha256').update(picture).digest('hex'),
  );
  expect(
    await shared.connection
      .collection('uploads')
      .findOne({ name: 'a.png' }, { projection: { _id: 0, size: 1 } }),
  ).toEqual({ size: picture.length });
});

test('an account has a daily quota for uploads, too, and refused requests are given back once', async () => {
  const limits = { limitGuestMb: 0, limitAddressMb: 0, limitOwnerMb: 2 };
  const quotas = createQuotas(shared.connection, async () => 0, limits);
  const meter = (owner = 'user:quota') => quotas.meter(owner, 'address 10.7.0.1');
  const refused = meter();
  await refused.take(megabyte);
  await refused.giveBack();
  await refused.giveBack();
  const first = meter();
  await first.expect(2 * megabyte);
  await expect(first.expect(2 * megabyte + 1)).rejects.toMatchObject({ status: 429 });
  await first.take(1.5 * megabyte);
  await first.finish();
  const later = meter();
  await later.expect(0.5 * megabyte);
  await later.take(megabyte - 1);
  await expect(later.finish()).rejects.toMatchObject({ status: 429, error: 'rate_limited' });
  await meter('user:another').expect(2 * megabyte);
  const nothingUsed = { retryAfter: 86_400, remaining: 2 * megabyte };
  await expect(meter('user:another').expect(2 * megabyte + 1)).rejects.toMatchObject({
    details: nothingUsed,
  });
  // Guests have a quota of their own, which is off here.
  await meter('guest:1').expect(100 * megabyte);
});

test('the room of an owner is never negative, and unlimited without LIMIT_OWNER_MB', async () => {
  const quotas = (limitOwnerMb: number, kept: number) =>
    createQuotas(shared.connection, async () => kept, { limitGuestMb: 0, limitAddressMb: 0, limitOwnerMb });
  expect(await quotas(1, megabyte - 5).room('user:1')).toBe(5);
  expect(await quotas(1, 2 * megabyte).room('user:1')).toBe(0);
  expect(await quotas(0, 2 * megabyte).room('user:1')).toBeNull();
  await quotas(1, megabyte - 5).needRoom('user:1', 5);
  await expect(quotas(1, megabyte - 5).needRoom('user:1', 6)).rejects.toMatchObject({ status: 413 });
  await quotas(0, 0).needRoom('user:1', 1e12);
});
