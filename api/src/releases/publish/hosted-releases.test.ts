import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { ReleaseClaim, ReleaseDetails } from '../../contract/releases.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { createVisitor } from '../../testing/visitor.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import { createCompositionStore } from '../data/composition-store.ts';
import { mediaType } from '../data/release-keys.ts';
import { readBuildToSend } from './read-build.ts';

const opsToken = 'the-ops-token-of-this-test';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** How the team's server responds. */
let serve: Serve;
let asked: string[];

const folder = await temporaryFolder('hosted-releases');
const team = createServer((request, response) => {
  asked.push(request.url ?? '');
  serve(request, response);
});
await new Promise<void>((resolve) => team.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(team.address() as AddressInfo).port}`;
const api = await startTestApi({ config: { opsToken, releaseOrigins: [origin] } });
const chat = await readBuildToSend(await writeTestBuild(folder, { name: 'mfe-chat', version: '1.4.0' }));
afterAll(async () => {
  await api?.end();
  team?.closeAllConnections();
  team?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await createCompositionStore(api.connection).releases.deleteMany({});
  serve = asBuilt;
  asked = [];
});

const pathOf = ({ url = '' }: IncomingMessage) => url.slice('/chat/1.4.0/'.length);

/** Responds like a correctly configured team server. */
const asBuilt: Serve = (request, response) => {
  const bytes = chat.contents.get(pathOf(request));
  response.writeHead(bytes ? 200 : 404, {
    'Access-Control-Allow-Origin': '*',
    'Content-Type': mediaType(pathOf(request)),
  });
  response.end(bytes);
};

const register = (address = `${origin}/chat/1.4.0/`, upload: object = chat.upload) =>
  createVisitor(api.url).call<ReleaseClaim & ErrorBody>(
    'POST',
    '/ops/releases',
    { ...upload, address },
    { Authorization: `Bearer ${opsToken}`, 'Accept-Language': 'en' },
  );

const details = () =>
  createVisitor(api.url).call<ReleaseDetails>('GET', '/ops/releases/mfe-chat@1.4.0', undefined, {
    Authorization: `Bearer ${opsToken}`,
  });

test('a self-hosted release is published immediately, at its own address', async () => {
  const { status, body } = await register();
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { id: 'mfe-chat@1.4.0', missing: [], publishedAt: expect.any(String) },
  });
  expect(asked.sort()).toEqual([...chat.contents.keys()].map((path) => `/chat/1.4.0/${path}`).sort());
  expect((await details()).body).toMatchObject({ base: `${origin}/chat/1.4.0/`, publishedBy: 'ops' });

  const again = await register();
  expect(again.body).toEqual(body);
  expect(await register(`${origin}/elsewhere/`)).toMatchObject({ status: 422 });
});

test('the same version at another address is refused, hosted or uploaded', async () => {
  await register();
  serve = (request, response) => {
    request.url = request.url?.replace('/elsewhere/', '/chat/1.4.0/');
    asBuilt(request, response);
  };
  expect(await register(`${origin}/elsewhere/`)).toMatchObject({
    status: 409,
    body: { error: 'version_taken' },
  });
  const uploaded = await createVisitor(api.url).call('POST', '/ops/releases', chat.upload, {
    Authorization: `Bearer ${opsToken}`,
  });
  expect(uploaded.status).toBe(409);
});

test.each([
  'https://elsewhere.example/chat/',
  'http://127.0.0.1:1/chat/1.4.0/',
  'http://localhost/chat/1.4.0/',
  'http://169.254.169.254/latest/meta-data/',
  'file:///etc/',
  '/chatbot/releases/mfe-chat/1.4.0/',
  '@127.0.0.1/chat/1.4.0/',
  'ORIGIN/chat/1.4.0',
  'ORIGIN/chat/1.4.0/?x=/',
  'ORIGIN/chat/1.4.0/#/',
  'ORIGIN/chat/../1.4.0/',
  'ORIGIN.evil.example/chat/1.4.0/',
])('the address %s is refused without any request', async (address) => {
  expect(await register(address.replace('ORIGIN', origin))).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', field: 'address', msg: expect.stringContaining('RELEASE_ORIGINS') },
  });
  expect(asked).toEqual([]);
});

const headers = { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/javascript' };

test.each<[string, Serve, string, RegExp]>([
  [
    'does not allow other origins',
    (request, response) => {
      response.setHeader('Content-Type', mediaType(pathOf(request)));
      response.end(chat.contents.get(pathOf(request)));
    },
    'reachable',
    /Access-Control-Allow-Origin/,
  ],
  [
    'redirects',
    (_request, response) => response.writeHead(302, { ...headers, Location: `${api.url}/health` }).end(),
    'reachable',
    /302/,
  ],
  ['is not there', (_request, response) => response.writeHead(404, headers).end(), 'reachable', /404/],
  [
    'sends a page',
    (request, response) =>
      response
        .writeHead(200, { ...headers, 'Content-Type': 'text/html' })
        .end(chat.contents.get(pathOf(request))),
    'reachable',
    /text\/html/,
  ],
  [
    'sends other bytes',
    (request, response) =>
      response
        .writeHead(200, { ...headers, 'Content-Type': mediaType(pathOf(request)) })
        .end(Buffer.from(chat.contents.get(pathOf(request)) ?? '').fill(32)),
    'integrity',
    /SHA-384/,
  ],
  [
    'hangs up',
    (_request, response) => void response.destroy(),
    'reachable',
    /could not be fetched|UND_ERR_SOCKET|ECONNRESET/,
  ],
  [
    'never ends',
    (request, response) => {
      response.writeHead(200, { ...headers, 'Content-Type': mediaType(pathOf(request)) });
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    },
    'reachable',
    /longer than/,
  ],
])('a server that %s is reported, and the version stays free', async (_what, how, rule, words) => {
  serve = how;
  const { status, body } = await register();
  expect({ status, error: body.error }).toEqual({ status: 422, error: 'check_failed' });
  expect(body.findings?.[0]).toMatchObject({ rule, release: 'mfe-chat@1.4.0' });
  expect(body.findings?.[0]?.message).toMatch(words);

  serve = asBuilt;
  expect((await register()).status).toBe(200);
});
