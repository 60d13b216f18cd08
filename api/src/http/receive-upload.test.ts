import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { pino } from 'pino';
import type { ErrorBody } from '../contract/error-body.ts';
import { ApiError } from '../errors/errors.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { until } from '../testing/until.ts';
import type { DeskContext, DeskState, Uploaded } from './desk-state.ts';
import { writeErrors } from './error-body.ts';
import { drainBody } from './read-body.ts';
import { receiveUpload, type UploadMeter } from './receive-upload.ts';

let seen: { uploaded: Uploaded; contents: Buffer[] } | null;
let handle: (uploaded: Uploaded) => Promise<void>;
let maxMb: number;
/** Bytes counted against the client's quota. */
let counted: number;
const meter: UploadMeter = {
  expect: async () => undefined,
  async take(bytes) {
    counted += bytes;
  },
  finish: async () => undefined,
  async giveBack() {
    counted = 0;
  },
};

const folder = await temporaryFolder('take-upload');
const app = new Koa<DeskState>();
app.on('error', () => undefined);
app.use(drainBody());
app.use(async (ctx, next) => {
  ctx.state.language = 'en';
  await next();
});
app.use(writeErrors(pino({ level: 'silent' })));
app.use((ctx, next) =>
  receiveUpload({ folder, maxMb, maxFiles: 3, meterOf: () => meter })(ctx as unknown as DeskContext, next),
);
app.use(async (ctx) => {
  const { uploaded } = ctx.state;
  const contents = await Promise.all(uploaded.files.map((file) => readFile(file.path)));
  seen = { uploaded, contents };
  ctx.body = {};
  await handle(uploaded);
});
const server = createServer(app.callback()).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  maxMb = 1;
  counted = 0;
  seen = null;
  handle = async () => undefined;
});
afterEach(async () => {
  await untilEmpty();
});

/** Waits until no temporary files are left, whatever the outcome. */
async function untilEmpty(): Promise<void> {
  await until(async () => (await readdir(folder)).length === 0);
}

async function send(body: string | Buffer<ArrayBuffer> | FormData, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'POST', body, headers });
  return { status: response.status, body: (await response.json()) as ErrorBody };
}

function form(...files: [name: string, content: Uint8Array<ArrayBuffer> | string][]): FormData {
  const data = new FormData();
  for (const [name, content] of files) data.append('file', new Blob([content]), name);
  return data;
}

/** A raw multipart body, to be split into chunks by the test. */
function raw(head: string, content: string | Buffer, boundary = 'b'): Buffer<ArrayBuffer> {
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' };

describe('accepts', () => {
  test('files with their names, sizes and hashes, and text fields', async () => {
    const bytes = randomBytes(300_000);
    const data = form(['报告.bin', bytes], ['two.txt', 'hello']);
    data.append('text', ' 你好 ');

    const { status } = await send(data);

    expect(status).toBe(200);
    expect(seen?.contents[0]?.equals(bytes)).toBe(true);
    expect(seen?.uploaded.fields.text).toBe(' 你好 ');
    expect(seen?.uploaded.files).toMatchObject([
      { name: '报告.bin', size: 300_000, hash: createHash('sha256').update(bytes).digest('hex') },
      { name: 'two.txt', size: 5 },
    ]);
  });

  test('a body that arrives byte by byte, with content similar to its boundary', async () => {
    const content = '\r\n--\r\n--a\r\n-\r\n\r--b\r\r\n--';
    const whole = raw('Content-Disposition: form-data; name="file"; filename="x"', content);
    const sending = request(url, { method: 'POST', headers: multipart });
    for (const byte of whole) sending.write(Buffer.from([byte]));
    sending.end();
    const [response] = await once(sending, 'response');
    response.resume();
    await once(response, 'end');

    expect(response.statusCode).toBe(200);
    expect(seen?.contents[0]?.toString()).toBe(content);
  });

  test.each([
    ['filename="../../etc/passwd"', 'passwd'],
    ['filename="C:\\\\dir\\\\a.txt"', 'a.txt'],
    ['filename="C:\\dir\\a.txt"', 'a.txt'],
    ['filename="a\\"b%22.txt"', 'a"b".txt'],
    ['filename="x"; filename*=UTF-8\'\'%E4%B8%AD.txt', '中.txt'],
    ['filename=bare.txt', 'bare.txt'],
    ['filename=".."', 'file'],
    ['filename="a\u202etxt.exe\u0007"', 'atxt.exe'],
    [`filename="${'长'.repeat(300)}.docx"`, `${'长'.repeat(250)}.docx`],
  ])('%s as a name, without a path', async (parameter, name) => {
    const head = `Content-Disposition: form-data; name="file"; ${parameter}`;

    expect((await send(raw(head, 'x'), multipart)).status).toBe(200);
    expect(seen?.uploaded.files[0]?.name).toBe(name);
  });

  test('a field named __proto__ as an ordinary field', async () => {
    const data = form(['a.txt', 'x']);
    data.append('__proto__', 'bad');

    await send(data);

    expect(Object.keys(seen?.uploaded.fields ?? {})).toEqual(['__proto__']);
    expect(({} as { bad?: unknown }).bad).toBeUndefined();
  });

  test('files that no other user of the machine can read', async () => {
    let mode = 0;
    handle = async ({ files }) => {
      mode = (await stat(files[0]?.path ?? '')).mode & 0o777;
    };

    await send(form(['a.txt', 'x']));

    expect(mode).toBe(0o600);
  });
});

describe('refuses', () => {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="x"';
  test.each<
    [
      string,
      number,
      string,
      string | undefined,
      string | Buffer<ArrayBuffer> | FormData,
      Record<string, string>,
    ]
  >([
    ['JSON', 415, 'unsupported_type', undefined, '{}', { 'Content-Type': 'application/json' }],
    ['no boundary', 415, 'unsupported_type', undefined, 'x', { 'Content-Type': 'multipart/form-data' }],
    [
      'a compressed body',
      415,
      'unsupported_type',
      undefined,
      'x',
      { ...multipart, 'Content-Encoding': 'gzip' },
    ],
    ['a body that is no multipart', 400, 'invalid_request', 'body', 'hello', multipart],
    ['a body that ends early', 400, 'invalid_request', 'body', `--b\r\n${disposition}\r\n\r\nabc`, multipart],
    [
      'no file',
      400,
      'invalid_request',
      'file',
      raw('Content-Disposition: form-data; name="text"', 'x'),
      multipart,
    ],
    [
      'a file field that is text',
      400,
      'invalid_request',
      'file',
      raw('Content-Disposition: form-data; name="file"', 'x'),
      multipart,
    ],
    [
      'a file of another field',
      400,
      'invalid_request',
      'photo',
      raw('Content-Disposition: form-data; name="photo"; filename="x"', 'x'),
      multipart,
    ],
    [
      'a part without a name',
      400,
      'invalid_request',
      'body',
      raw('Content-Type: text/plain', 'x'),
      multipart,
    ],
    [
      'base64',
      400,
      'invalid_request',
      'body',
      raw(`${disposition}\r\nContent-Transfer-Encoding: base64`, 'eA=='),
      multipart,
    ],
    [
      'headers without an end',
      400,
      'invalid_request',
      'body',
      raw(`${disposition}; ${'a'.repeat(20_000)}`, 'x'),
      multipart,
    ],
    [
      'text that is not UTF-8',
      400,
      'invalid_request',
      'text',
      raw('Content-Disposition: form-data; name="text"', Buffer.from([0xff])),
      multipart,
    ],
    [
      'too much text',
      400,
      'invalid_request',
      'text',
      raw('Content-Disposition: form-data; name="text"', 'x'.repeat(70_000)),
      multipart,
    ],
    ['an empty file', 422, 'unreadable_file', 'file', form(['a.txt', 'x'], ['leer.txt', '']), {}],
    ['too many files', 413, 'too_large', 'file', form(['1', 'x'], ['2', 'x'], ['3', 'x'], ['4', 'x']), {}],
    [
      'more than the limit in all',
      413,
      'too_large',
      'file',
      form(['1', randomBytes(600_000)], ['2', randomBytes(600_000)]),
      {},
    ],
  ])('%s', async (_what, status, error, field, body, headers) => {
    const reply = await send(body, headers);

    expect(reply).toMatchObject({ status, body: { code: status, error } });
    expect(reply.body.field).toBe(field);
    expect(seen).toBeNull();
  });

  test('an empty file, with its name', async () => {
    const { body } = await send(form(['leer.txt', '']));

    expect(body.msg).toBe('leer.txt: This file is empty');
  });

  test('a body declared as too large before any of it has arrived', async () => {
    const sending = request(url, {
      method: 'POST',
      headers: { ...multipart, 'Content-Length': String(3 * 1024 * 1024) },
    });
    sending.flushHeaders();
    const [response] = await once(sending, 'response');
    response.resume();

    expect(response.statusCode).toBe(413);
    sending.destroy();
  });
});

test('a body that the disk has no room for, before it has arrived', async () => {
  maxMb = 2 ** 40;
  const sending = request(url, {
    method: 'POST',
    headers: { ...multipart, 'Content-Length': String(2 ** 50) },
  });
  sending.flushHeaders();
  const [response] = await once(sending, 'response');
  response.resume();

  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('60');
  sending.destroy();
});

test('leaves nothing of a client that disconnects midway', async () => {
  const sending = request(url, { method: 'POST', headers: multipart });
  sending.on('error', () => undefined);
  sending.write(
    `--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${'x'.repeat(100_000)}`,
  );
  await until(async () => (await readdir(folder)).length > 0);

  sending.destroy();
  await untilEmpty();

  expect(seen).toBeNull();
});

test('deletes the files after a failing handler, and keeps held files until their work is done', async () => {
  handle = () => Promise.reject(new Error('broken'));
  expect((await send(form(['a.txt', 'x']))).status).toBe(500);
  await untilEmpty();

  const work = Promise.withResolvers<void>();
  handle = async (uploaded) => uploaded.holdFor(work.promise);
  await send(form(['a.txt', 'x']));
  expect(await readdir(folder)).toHaveLength(1);
  work.resolve();
});

test.each([
  ['is refused', new ApiError('unreadable_damaged'), false],
  ['fails on our side', new ApiError('internal'), true],
])('a file that %s after the response has begun', async (_what, cause, counts) => {
  const work = Promise.withResolvers<void>();
  handle = async (uploaded) => uploaded.holdFor(work.promise);
  await send(form(['a.txt', 'x']));
  expect(counted).toBeGreaterThan(0);
  work.reject(cause);
  await untilEmpty();
  expect(counted > 0).toBe(counts);
});
