import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import { describeEmbedded } from '../testing/embedded-only.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createVisitor } from '../testing/visitor.ts';
import { writeTestBuild } from '../testing/write-test-build.ts';

const folder = await temporaryFolder('security');
const builds = await Promise.all(['host', 'mfe-chat'].map((name) => writeTestBuild(folder, { name })));
const api = await startTestApi({
  answerer: createScriptedAnswerer(),
  builds,
  config: { trustProxy: 1 },
});
afterAll(async () => {
  await api?.end();
  await rm(folder, { recursive: true, force: true });
});

/** Uses http, since `fetch` does not allow a test to set Host or Sec-Fetch headers. */
function send(method: string, path: string, headers: Record<string, string>, body = '') {
  return new Promise<{ status: number | undefined; headers: Record<string, unknown> }>((resolve, reject) => {
    const sent = request(new URL(path, api.url), { method, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('a write request from another site', () => {
  const json = { 'Content-Type': 'application/json' };

  test.each([
    ['cross-site, by its metadata', { 'Sec-Fetch-Site': 'cross-site' }],
    ['same-site, by its metadata', { 'Sec-Fetch-Site': 'same-site' }],
    ['of another origin, by a browser without metadata', { Origin: 'http://evil.example' }],
    ['of an opaque origin', { Origin: 'null' }],
  ])('is refused without a cookie: %s', async (_what, headers) => {
    for (const path of ['/api/chat', '/api/search', '/api/predict', '/admin/login', '/API/chat']) {
      const { status, headers: answered } = await send('POST', path, { ...json, ...headers }, '{"text":"x"}');
      expect([path, status, answered['set-cookie']]).toEqual([path, 403, undefined]);
    }
  });

  test.each([
    ['the own page', { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://desk.example' }],
    ['the own page, without metadata', { Host: 'desk.example', Origin: 'http://desk.example' }],
    [
      'a page behind a proxy that rewrites Host',
      { Origin: 'http://a.example', 'X-Forwarded-Host': 'a.example' },
    ],
    [
      'a page behind two proxies',
      { Origin: 'http://a.example', 'X-Forwarded-Host': 'a.example, inner.example' },
    ],
    ['the visitor, not a page', { 'Sec-Fetch-Site': 'none' }],
    ['a client that is no browser', {}],
    ['a page elsewhere that has a token', { Origin: 'http://evil.example', Authorization: 'Bearer x' }],
  ])('is not blocked when it comes from %s', async (_what, headers) => {
    const { status } = await send('POST', '/api/search', { ...json, ...headers }, '{}');
    expect(status).toBe('Authorization' in headers ? 401 : 200);
  });

  test("does not change a guest's records", async () => {
    const visitor = createVisitor(api.url);
    await visitor.call('POST', '/api/chat', { text: '我的问题' });
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    await send('POST', '/api/chat', { ...json, 'Sec-Fetch-Site': 'cross-site' }, '{"text":"planted"}');
    const { headers } = await send('GET', '/api/records', { Cookie: cookie });
    expect(headers['set-cookie']).toBeUndefined();
    const { body } = await visitor.call<{ records: unknown[] }>('GET', '/api/records');
    expect(body.records).toHaveLength(1);
  });
});

describe('headers', () => {
  const headersOf = async (path: string) =>
    (await send('GET', path, { 'X-Forwarded-Proto': 'https' })).headers;

  test.each([
    [
      'a file of a release',
      '/chatbot/releases/mfe-chat/1.0.0/screen.eeee5555.css',
      /^default-src 'none'; sandbox;/,
    ],
    [
      'a script of a release',
      '/chatbot/releases/mfe-chat/1.0.0/remoteEntry.dddd4444.js',
      /^default-src 'none';/,
    ],
    ['a release that is not there', '/chatbot/releases/mfe-chat/9.9.9/x.svg', /^default-src 'none';/],
    ['a call', '/api/records', /^default-src 'none';/],
    ['an address with nothing', '/nowhere', /^default-src 'none';/],
    ['a redirect', '/', /^default-src 'none';/],
    ['a page', '/chatbot/index', /^default-src 'none';/],
  ])('of %s forbid framing and foreign content', async (what, path, policy) => {
    const headers = await headersOf(path);
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(policy),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      // Other hosts load remotes, too.
      'cross-origin-resource-policy': / of a release$/.test(what) ? 'cross-origin' : 'same-origin',
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8,}/),
    });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  test.each([
    ['an address that is no path', 'GET mailto:x HTTP/1.1\r\nHost: desk.example\r\n\r\n', 400],
    ['an expectation nobody meets', 'GET / HTTP/1.1\r\nHost: desk.example\r\nExpect: x\r\n\r\n', 400],
    ['what is no HTTP', 'nonsense\r\n\r\n', 400],
    ['headers that are too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431],
  ])('are also set on the response to %s', async (_what, request, status) => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname, () => socket.write(request));
    const answer = (await text(socket)).toLowerCase();
    expect(answer).toContain(`http/1.1 ${status} `);
    expect(answer).toContain("content-security-policy: default-src 'none'; frame-ancestors 'none'");
    expect(answer).toContain('x-content-type-options: nosniff');
    expect(answer).toContain('x-frame-options: deny');
    expect(answer).toContain('cache-control: no-store');
    expect(answer).toContain('connection: close');
  });
});

describeEmbedded('the data folder', () => {
  test('the store is readable only by this user, even if the folder was created for others', async () => {
    const file = join(api.dataDir, 'store.sqlite');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const dataDir = await mkdtemp(join(folder, 'open-'));
    const first = await startTestApi({ answerer: createScriptedAnswerer(), dataDir });
    await first.end();
    await chmod(join(dataDir, 'store.sqlite'), 0o644);
    const second = await startTestApi({ answerer: createScriptedAnswerer(), dataDir });
    for (const name of ['store.sqlite', 'store.sqlite-wal'])
      expect([name, (await stat(join(dataDir, name))).mode & 0o777]).toEqual([name, 0o600]);
    await second.end();
  });
});
