import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http2 from 'node:http2';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PointerInfo, PreviewInfo } from '../../api/src/contract/compositions.ts';
import type { ConversationPage } from '../../api/src/contract/records.ts';
import { publishBuild } from '../../api/src/testing/publish-build.ts';
import { createPipe, createScriptedAnswerer, echo } from '../../api/src/testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../../api/src/testing/start-test-api.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { writeTestBuild } from '../../api/src/testing/write-test-build.ts';
import { freePort } from '../start-desk.ts';
import { findProxy, proxies, type RunningProxy, send, startRealProxy } from './start-real-proxy.ts';

const answerer = createScriptedAnswerer();
let folder: string;
let api: TestApi;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'desk-proxied-'));
  api = await startTestApi({
    answerer,
    config: { trustProxy: 1, limitSignIn: 3 },
    builds: [
      await writeTestBuild(folder, { name: 'host' }),
      await writeTestBuild(folder, { name: 'mfe-chat' }),
    ],
  });
});
afterAll(async () => {
  await api?.end();
  await rm(folder, { recursive: true, force: true });
});

/** A picture of one pixel: what follows it in a file is not read. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const json = { 'Content-Type': 'application/json' };

describe.each(proxies)('%s', (name) => {
  const ifInstalled = findProxy(name) ? test : test.skip;
  let proxy: RunningProxy;
  beforeAll(async () => {
    const port = Number(new URL(api.url).port);
    if (findProxy(name)) proxy = await startRealProxy(name, [port, port]);
    else
      console.error(`${name} is not installed, so its configuration is not tested: apt-get install ${name}`);
  });
  afterAll(() => proxy?.stop());

  ifInstalled('speaks HTTP/2, and does not publish the metrics', async () => {
    const client = http2.connect(proxy.url, { rejectUnauthorized: false });
    const request = client.request({ ':path': '/healthz' });
    const [headers] = await once(request, 'response');
    expect(headers[':status']).toBe(200);
    client.destroy();
    expect((await send(proxy.url, '/metrics')).status).toBe(404);
  });

  ifInstalled('passes each event on when it is sent', async () => {
    const pipe = createPipe();
    answerer.script = pipe.script;
    const headers = { ...json, Accept: 'text/event-stream' };
    const body = JSON.stringify({ text: 'slowly' });
    const { status, body: events } = await send(proxy.url, '/api/chat', { method: 'POST', headers, body });
    expect(status).toBe(200);
    let seen = '';
    events.setEncoding('utf8');
    const reading = (async () => {
      for await (const chunk of events) {
        seen += chunk;
        if (seen.includes('"first"')) break;
      }
    })();
    pipe.say('first');
    await reading;
    expect(seen).not.toContain('event: done');
    pipe.close();
    answerer.script = echo;
  });

  ifInstalled('leaves the limit of uploads to the API', async () => {
    const upload = (megabytes: number) => {
      const boundary = 'a-boundary';
      const part = (head: string, content: Buffer | string) =>
        Buffer.concat([
          Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
          Buffer.from(content),
          Buffer.from('\r\n'),
        ]);
      const file = Buffer.concat([pixel, Buffer.alloc(megabytes * 1024 * 1024)]);
      const body = Buffer.concat([
        part('name="text"', 'What does it say?'),
        part('name="file"; filename="a.png"', file),
        Buffer.from(`--${boundary}--\r\n`),
      ]);
      const headers = {
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        Accept: 'text/event-stream',
      };
      return send(proxy.url, '/api/predict', { method: 'POST', headers, body });
    };
    const accepted = await upload(api.config.maxUploadMb - 1);
    expect([accepted.status, accepted.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    accepted.body.destroy();
    const refused = await upload(api.config.maxUploadMb + 1);
    expect(refused.status).toBe(413);
    expect(JSON.parse(await refused.text())).toMatchObject({ error: expect.any(String) });
  });

  ifInstalled("passes the client's address on, which the client cannot choose", async () => {
    const body = JSON.stringify({ username: `nobody of ${name}`, password: 'wrong password' });
    const from = `127.0.0.${10 + 2 * proxies.indexOf(name)}`;
    const attempt = async (n: number, address: string) => {
      const headers = { ...json, 'X-Forwarded-For': `6.6.6.${n}` };
      // Another name each time: only the address is the same.
      const named = body.replace('nobody', `nobody ${n}`);
      return (await send(proxy.url, '/admin/login', { method: 'POST', headers, body: named, from: address }))
        .status;
    };
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push(await attempt(n, from));
    expect(statuses.at(-1)).toBe(429);
    expect(await attempt(7, `127.0.0.${11 + 2 * proxies.indexOf(name)}`)).not.toBe(429);
  });

  ifInstalled('pages of its origin may write, and those of others may not', async () => {
    const body = JSON.stringify({ text: 'hello' });
    const ask = async (origin: string) => {
      const headers = { ...json, Origin: origin };
      return (await send(proxy.url, '/api/chat', { method: 'POST', headers, body })).status;
    };
    expect(await ask(proxy.url)).toBe(200);
    expect(await ask('https://elsewhere.example')).toBe(403);
  });

  ifInstalled('passes files compressed by Brotli as they are', async () => {
    const page = await (await send(proxy.url, '/chatbot/')).text();
    const [file = ''] = /\/chatbot\/releases\/[^"]*main\.aaaa1111\.js/.exec(page) ?? [];
    const response = await send(proxy.url, file, { headers: { 'Accept-Encoding': 'br, gzip' } });
    expect(response.headers['content-encoding']).toBe('br');
    const chunks = [];
    for await (const chunk of response.body) chunks.push(chunk as Buffer);
    expect(brotliDecompressSync(Buffer.concat(chunks)).toString()).toContain('// the host');
  });
});

describe.each(proxies)('below a path of %s', (name) => {
  const ifInstalled = findProxy(name) ? test : test.skip;
  const pipe = createPipe();
  const opsToken = 'the-token-of-operations';
  let url: string;
  let desk: TestApi;
  let proxy: RunningProxy;
  beforeAll(async () => {
    if (!findProxy(name)) return;
    const [port, own] = [await freePort(), await freePort()];
    url = `https://localhost:${port}/desk`;
    desk = await startTestApi({
      answerer: createScriptedAnswerer(pipe.script),
      config: { port: own, publicUrl: url, trustProxy: 1, opsToken },
      builds: [
        await writeTestBuild(folder, { name: 'host' }),
        await writeTestBuild(folder, { name: 'mfe-chat' }),
      ],
    });
    proxy = await startRealProxy(name, [own, own], { port, basePath: '/desk' });
    tls.setDefaultCACertificates([...tls.getCACertificates(), proxy.certificate]);
  });
  afterAll(async () => {
    await proxy?.stop();
    await desk?.end();
  });

  /** Paths of the scripts that a page loads. */
  const scriptsOf = (page: string) =>
    Array.from(page.matchAll(/(?<=["'])\/[^"'\s]*\.js(?=["'])/g), ([address]) => address);

  ifInstalled('addresses lead to pages below it, and others are not of the desk', async () => {
    for (const address of ['', '/', '/chatbot']) {
      const page = await fetch(url + address);
      expect([address, page.status, page.url]).toEqual([address, 200, `${url}/chatbot/`]);
    }
    const response = await fetch(`${url}/chatbot/index`);
    const scripts = scriptsOf(await response.text());
    expect(scripts.length).toBeGreaterThanOrEqual(2);
    for (const address of scripts) {
      expect(address).toMatch(/^\/desk\/chatbot\//);
      expect([address, (await fetch(new URL(address, url))).status]).toEqual([address, 200]);
    }
    expect(response.headers.get('reporting-endpoints')).toBe('desk="/desk/ops/violations"');
    const { origin } = new URL(url);
    const isOfDesk = async (address: string) => {
      const { status, headers } = await fetch(origin + address).catch(() => Response.error());
      return status < 400 && headers.has('content-security-policy');
    };
    expect(await isOfDesk('/desk/readyz')).toBe(true);
    for (const address of ['/desktop/readyz', '/readyz', '/desk/metrics', '/metrics'])
      expect([address, await isOfDesk(address)]).toEqual([address, false]);
  });

  ifInstalled('an answer is streamed, and its visitor found by cookies of the path', async () => {
    const visitor = createVisitor(url);
    const first = await visitor.fetch('GET', '/api/conversations');
    for (const cookie of first.headers.getSetCookie()) expect(cookie).toMatch(/; path=\/desk\/;.* secure/);
    expect([...visitor.cookies.keys()]).toEqual(['__Secure-desk_guest', 'XSRF-TOKEN']);
    const events = visitor.events('POST', '/api/chat', { text: 'slowly' }, { Accept: 'text/event-stream' });
    pipe.say('first');
    for await (const event of events) {
      if (event.event === 'delta') pipe.close();
    }
    const { body } = await visitor.call<ConversationPage>('GET', '/api/conversations');
    expect(body.conversations).toHaveLength(1);
  });

  ifInstalled('a release is published through it, previewed by its link, and goes live', async () => {
    const asOps = { Authorization: `Bearer ${opsToken}`, 'Content-Type': 'application/json' };
    const call = async <T>(method: string, address: string, body?: object) => {
      const sent = { method, headers: asOps, ...(body ? { body: JSON.stringify(body) } : {}) };
      return (await (await fetch(url + address, sent)).json()) as T;
    };
    const build = await writeTestBuild(folder, { name: 'mfe-chat', version: '1.1.0', words: `of ${name}` });
    const { id } = await publishBuild(url, opsToken, build);
    const preview = await call<PreviewInfo>('POST', '/ops/previews', { releases: [id], author: 'li' });
    expect(preview.url).toMatch(`${url}/chatbot/preview/`);
    const [action = ''] = /(?<=action=")[^"]*(?=")/.exec(await (await fetch(preview.url)).text()) ?? [];
    const { origin } = new URL(url);
    const entered = await fetch(origin + action, {
      method: 'POST',
      headers: { Origin: origin },
      redirect: 'manual',
    });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/desk/chatbot/']);
    const cookies = entered.headers.getSetCookie();
    for (const cookie of cookies) expect(cookie).toContain('path=/desk/;');
    const Cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
    const isShown = async (headers: Record<string, string>) =>
      (await (await fetch(`${url}/chatbot/index`, { headers })).text()).includes('/mfe-chat/1.1.0');
    expect([await isShown({ Cookie }), await isShown({})]).toEqual([true, false]);
    await call<PointerInfo>('POST', '/ops/pointer', { releases: [id], author: 'li', reason: 'a test' });
    expect(await isShown({})).toBe(true);
  });
});
