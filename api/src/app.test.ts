import { once } from 'node:events';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Passage } from './contract/answers.ts';
import type { ErrorBody } from './contract/error-body.ts';
import { createScriptedAnswerer } from './testing/scripted-answerer.ts';
import { startTestApi } from './testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from './testing/visitor.ts';

const passage: Passage = {
  documentId: 'manual',
  title: 'Handbook',
  text: 'Say it.',
  start: 3,
  end: 10,
  place: 'Handbook › Saying',
};

const api = await startTestApi({ answerer: createScriptedAnswerer(), passages: new Map([['p1', passage]]) });
const guest = createVisitor(api.url);
await guest.call('GET', '/api/conversations');
const account = await signedUp(api.url, 'somebody', 'long enough');
const asked = await account.ask('still there');
afterAll(() => api.end());

/** The response has the uniform error body, and the process is alive with its data intact. */
function expectRefusal(status: number, body: ErrorBody, what: unknown): void {
  expect({ what, status, isRefusal: status >= 400 && status < 500 }).toEqual({
    what,
    status,
    isRefusal: true,
  });
  expect(body).toMatchObject({
    code: status,
    error: expect.stringMatching(/^[a-z_]+$/),
    msg: expect.stringMatching(/\S/),
    requestId: expect.stringMatching(/^[\w-]+$/),
  });
}

async function raw(
  who: Visitor,
  method: string,
  path: string,
  body: string | Uint8Array,
  type = 'application/json',
) {
  const response = await who.fetch(method, path, {
    headers: { 'Content-Type': type },
    body: body as NonNullable<RequestInit['body']>,
  });
  return { status: response.status, body: (await response.json()) as ErrorBody };
}

const wrongValues: unknown[] = [null, 1, true, [], {}, { $gt: '' }, ['x'], [[['x']]], { $ne: null }];
const writes: [string, string, Record<string, unknown>][] = [
  ['POST', '/api/chat', { text: 'x', contact: 'a', contactName: 'b', conversationId: 'c', clientId: 'd' }],
  ['POST', '/api/undo_delete', { undoToken: 'x' }],
  ['POST', '/admin/login', { username: 'x', password: 'y' }],
  ['POST', '/admin/register', { username: 'x', password: 'y' }],
];

describe('malformed requests', () => {
  const bodies: [string, string | Uint8Array][] = [
    ['no JSON', '{"text":'],
    ['a word', 'hello'],
    ['a single quote', "{'text':'x'}"],
    ['NaN', '{"text":NaN}'],
    ['a trailing comma', '{"text":"x",}'],
    ['two values', '{"text":"x"}{}'],
    ['a list', '[]'],
    ['a number', '1'],
    ['null', 'null'],
    ['nothing', ''],
    ['white space', '  \n '],
    ['NUL', '\0'],
    ['broken UTF-8', new Uint8Array([...Buffer.from('{"text":"'), 0xc3, 0x28, 0xff, ...Buffer.from('"}')])],
    ['half a character', new Uint8Array([...Buffer.from('{"text":"'), 0xe4, 0xb8, ...Buffer.from('"}')])],
    ['UTF-16', new Uint8Array(Buffer.from('{"text":"x"}', 'utf16le'))],
    ['2,000 lists', '['.repeat(2000) + ']'.repeat(2000)],
    ['200,000 lists that do not end', '['.repeat(200_000)],
    ['a prototype', '{"text":"x","__proto__":{"isAdmin":true}}'],
    ['33 levels in a field', `{"text":${'['.repeat(32)}${']'.repeat(32)}}`],
  ];
  test.each(bodies)('%s returns 400 everywhere', async (_what, body) => {
    for (const [method, path] of writes) {
      for (const who of [guest, account]) {
        const reply = await raw(who, method, path, body);
        expectRefusal(reply.status, reply.body, path);
        expect(reply.body.error).toBe('invalid_request');
      }
    }
  });

  test('a field of the wrong type returns 400 with its name', async () => {
    for (const [method, path, fields] of writes) {
      for (const field of Object.keys(fields)) {
        for (const value of wrongValues) {
          const reply = await guest.call<ErrorBody>(method, path, { ...fields, [field]: value });
          expectRefusal(reply.status, reply.body, { path, field, value });
          expect(reply.body.field).toBe(field);
        }
      }
    }
  });

  test('a missing or invalid field returns 400 with its name', async () => {
    const wrong: [string, string, unknown, string][] = [
      ['POST', '/api/chat', {}, 'text'],
      ['POST', '/api/chat', { text: '' }, 'text'],
      ['POST', '/api/chat', { text: ' \n\t　 ' }, 'text'],
      ['POST', '/api/chat', { text: 'x'.repeat(8001) }, 'text'],
      ['POST', '/api/chat', { text: 'x', clientId: 'y'.repeat(65) }, 'clientId'],
      ['POST', '/api/chat', { text: 'x', clientId: '' }, 'clientId'],
      ['POST', '/api/chat', { text: 'x', contact: 'y'.repeat(121) }, 'contact'],
      ['POST', '/api/chat', { text: 'x', contactName: 'y'.repeat(121) }, 'contactName'],
      ['POST', '/api/chat', { text: 'x', contact: 'ﷺ'.repeat(7) }, 'contact'],
      ['POST', '/api/undo_delete', { undoToken: 'x'.repeat(201) }, 'undoToken'],
      ['PATCH', `/api/conversations/${asked.conversationId}`, {}, 'title'],
    ];
    for (const [method, path, body, field] of wrong) {
      const reply = await account.call<ErrorBody>(method, path, body);
      expectRefusal(reply.status, reply.body, path);
      expect([reply.status, reply.body.field]).toEqual([400, field]);
    }
  });

  test.each([257 * 1024, 10 * 1024 * 1024])('a body of %d bytes returns 413', async (size) => {
    const body = `{"text":"${'x'.repeat(size)}"}`;
    for (const [method, path] of writes) {
      const reply = await raw(guest, method, path, body);
      expectRefusal(reply.status, reply.body, path);
      expect([reply.status, reply.body.error]).toEqual([413, 'too_large']);
    }
  });

  test('a body of 10 MB without a length also returns 413', async () => {
    const chunk = new Uint8Array(64 * 1024).fill(120);
    let left = 160;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
    });
    const init = { headers: { 'Content-Type': 'application/json' }, body, duplex: 'half' };
    const response = await account.fetch('POST', '/api/chat', init as RequestInit);
    expectRefusal(response.status, (await response.json()) as ErrorBody, 'chunked');
    expect(response.status).toBe(413);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=gbk',
    'application/jsonp',
    'nonsense',
  ])('a body as %s returns 415', async (type) => {
    for (const [method, path] of writes) {
      const reply = await raw(guest, method, path, '{"text":"x"}', type);
      expectRefusal(reply.status, reply.body, path);
      expect(reply.status).toBe(415);
    }
  });

  test('invalid ids and ids of others return 404', async () => {
    const ids = [
      'x',
      '0',
      '000000000000000000000000',
      asked.recordId,
      asked.conversationId,
      asked.recordId.toUpperCase(),
      `${asked.recordId}0`,
      '%24gt',
      '[object Object]',
      '%F0%9F%98%80',
      '__proto__',
      "' or 1=1",
      'x'.repeat(2000),
    ];
    for (const id of ids) {
      for (const [method, path, body] of [
        ['GET', `/api/chat/${id}`],
        ['POST', `/api/chat/${id}/stop`],
        ['POST', `/api/chat/${id}/retry`],
        ['GET', `/api/conversations/${id}/records`],
        ['PATCH', `/api/conversations/${id}`, { title: 'x' }],
        ['DELETE', `/api/conversations/${id}`],
        ['GET', `/api/passages/${id}`],
      ] as const) {
        const reply = await guest.call<ErrorBody>(method, path, body);
        expectRefusal(reply.status, reply.body, path);
        expect([path, reply.body.error]).toEqual([path, 'not_found']);
      }
    }
  });

  test('URLs that cannot be decoded return 400', async () => {
    for (const path of [
      '/api/chat/%E0%A4%A',
      '/api/%',
      '/api/conversations/%ff/records',
      '/admin/%zz',
      '/api/chat/%00',
    ]) {
      const reply = await guest.call<ErrorBody>('GET', path);
      expectRefusal(reply.status, reply.body, path);
      expect(reply.status).toBe(400);
    }
  });

  test('unknown routes return 404 for any method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const path of [
        '/api',
        '/api/',
        '/api/nothing',
        '/api/chat/a/b/c',
        '/admin',
        '/admin/nobody',
        '/ops/x',
        '/api/searches',
      ]) {
        const reply = await account.call<ErrorBody>(method, path, method === 'GET' ? undefined : {});
        expectRefusal(reply.status, reply.body, [method, path]);
        expect(reply.body.error).toBe('not_found');
      }
    }
    for (const [method, path] of [
      ['PUT', '/api/chat'],
      ['GET', '/admin/login'],
      ['DELETE', '/api/conversations'],
      ['PROPFIND', '/api/chat'],
    ] as const) {
      const reply = await account.call<ErrorBody>(method, path);
      expectRefusal(reply.status, reply.body, [method, path]);
    }
  });

  test.each(['x', '-1', '1.5', '1e3', '99999999999'])('Last-Event-ID: %s returns 400', async (id) => {
    const reply = await account.call<ErrorBody>('GET', `/api/chat/${asked.recordId}`, undefined, {
      'Last-Event-ID': id,
    });
    expectRefusal(reply.status, reply.body, id);
    expect(reply.body.field).toBe('Last-Event-ID');
  });

  test.each([
    ['an unknown method', 'BREW /api/chat HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['no HTTP', 'hello there\r\n\r\n', 400],
    ['huge headers', `GET /api/chat HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['a tunnel', 'CONNECT example:443 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    [
      'two lengths',
      'POST /api/chat HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
      400,
    ],
    ['a bad length', 'POST /api/chat HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n', 400],
    [
      'a bad chunk',
      'POST /api/chat HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['no host', 'GET /api/nothing HTTP/1.1\r\nConnection: close\r\n\r\n', 404],
    ['an address that is none', 'GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['an address without a path', 'GET ?x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a star', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    [
      "a proxy's address",
      'GET http://a.test/api/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
    ],
    [
      'an address of two slashes',
      'GET //a.test/%2e%2e HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
    ],
    [
      'an expectation',
      'GET /api/chat HTTP/1.1\r\nHost: x\r\nExpect: 200-perhaps\r\nConnection: close\r\n\r\n',
      400,
    ],
  ])('%s on the wire is refused with the error body', async (_what, request, status) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(request);
    const [head = '', body = ''] = (await readText(socket)).split('\r\n\r\n');
    expect(head.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expectRefusal(status, JSON.parse(body) as ErrorBody, request.slice(0, 40));
  });

  test.each([
    ['/admin/login', 'application/json', 413],
    ['/admin/login', 'text/plain', 415],
    ['/admin/password', 'application/json', 401],
    ['/api/nothing', 'application/json', 404],
  ])('10 MB to %s as %s on a connection that closes get a response', async (path, type, status) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const size = 10 * 1024 * 1024;
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${size}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(size, 120));
    const [head = '', body = ''] = (await readText(socket)).split('\r\n\r\n');
    expect(head.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expectRefusal(status, JSON.parse(body) as ErrorBody, path);
  });

  test('an expired token is reported on unknown routes, too', async () => {
    for (const [method, path] of [
      ['GET', '/api/files/x'],
      ['POST', '/api/search'],
      ['GET', '/admin/export'],
    ] as const) {
      const reply = await guest.call<ErrorBody>(method, path, undefined, { Authorization: 'Bearer ended' });
      expectRefusal(reply.status, reply.body, path);
      expect([reply.status, reply.body.error]).toEqual([401, 'session_ended']);
    }
  });

  test.each([
    ['PUT', '/chatbot/index'],
    ['GET', '/API/nothing'],
    ['GET', '/nothing'],
  ])('%s %s returns 404 with the error body', async (method, path) => {
    const reply = await guest.call<ErrorBody>(method, path);
    expectRefusal(reply.status, reply.body, path);
    expect(reply.status).toBe(404);
  });

  test('leave all data unchanged', async () => {
    const { status, body } = await account.call('GET', `/api/conversations/${asked.conversationId}/records`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ records: [{ question: 'still there', answer: 'still there' }] });
    expect((await guest.call('GET', '/api/conversations')).body).toEqual({
      conversations: [],
      nextCursor: null,
    });
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  });
});

describe('every response', () => {
  test('has a request id and forbids caching and sniffing', async () => {
    const { headers, body } = await guest.call<ErrorBody>('GET', '/api/nothing');
    expect(headers.get('X-Request-Id')).toBe(body.requestId);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  });

  test.each([
    ['', '没有找到所请求的内容'],
    ['en', 'There is nothing at this address'],
    ['en-US,zh;q=0.9', 'There is nothing at this address'],
    ['zh-CN,en;q=0.9', '没有找到所请求的内容'],
    ['fr', '没有找到所请求的内容'],
    ['zh;q=0.1, en;q=0.8', 'There is nothing at this address'],
    [';;;q=,,', '没有找到所请求的内容'],
  ])('uses the first choice of Accept-Language "%s"', async (header, msg) => {
    const { body } = await guest.call<ErrorBody>('GET', '/api/nothing', undefined, {
      'Accept-Language': header,
    });
    expect(body.msg).toBe(msg);
  });
});

test('a citation links to its passage', async () => {
  expect(await guest.call('GET', '/api/passages/p1')).toMatchObject({ status: 200, body: passage });
});

test('health checks need no authentication', async () => {
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
  const head = await fetch(`${api.url}/readyz`, { method: 'HEAD' });
  expect(head.status).toBe(200);
});
