import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import Koa from 'koa';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import { createLiveComposition } from '../live/live-composition.ts';
import { publishBuilds } from '../live/publish-builds.ts';
import { createPagesRouter } from '../pages/create-pages-router.ts';
import { resolveStack } from './resolve-stack.ts';
import { isMapOf } from './source-maps.ts';

const SCRIPT = 'late.0123456789ab.js';
const MAP = 'late.0123456789ab.ba9876543210.map';

const opened = await openTestCompositions();
const deps = await opened.connect();
// The first character of the script is line 5, column 3 of its source.
const map = { version: 3, sources: ['webpack://mfe-chat/./src/late.tsx'], names: [], mappings: 'AAIE' };
const files = { [SCRIPT]: 'export default 1;\n', [MAP]: JSON.stringify(map) };
const standard = {
  // As rspack and webpack, with and without hidden maps, and Vite name them.
  '__federation_expose_Orders.js': 'export default 1;\n',
  '__federation_expose_Orders.js.map': JSON.stringify({
    ...map,
    sources: ['webpack://orders/./src/o.jsx'],
  }),
  'assets/Orders-Bx1.mjs': 'export default 1;\n',
  'assets/Orders-Bx1.mjs.map': JSON.stringify({ ...map, sources: ['../../src/o.jsx'] }),
  'plain.js': 'export default 1;\n',
  'plain.map': JSON.stringify({ ...map, sources: ['src/plain.ts'] }),
  'odd.js': 'export default 1;\n',
  'odd.js.map': '{}',
};
const build = (name: string, more = {}) => writeTestBuild(opened.folder, { name, ...more });
await publishBuilds(
  [await build('host'), await build('mfe-chat', { files }), await build('orders', { files: standard })],
  deps,
);
const router = createPagesRouter({ ...deps, live: createLiveComposition(deps.store), avatars: {} });
const server = createServer(new Koa().use(router.routes()).callback()).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  server?.close();
  await opened?.close();
});

test.each([
  [
    'as a page reports it',
    `TypeError: x is null (${SCRIPT}:1:1)`,
    'TypeError: x is null (mfe-chat/src/late.tsx:5:3)',
  ],
  [
    'as a browser prints it',
    `Error: no\n    at say (https://desk.example/chatbot/releases/mfe-chat/files/${SCRIPT}:1:1)\n    at https://desk.example/chatbot/releases/mfe-chat/1.0.0/${SCRIPT}:1:9`,
    'Error: no\n    at say (mfe-chat/src/late.tsx:5:3)\n    at mfe-chat/src/late.tsx:5:3',
  ],
  ['a script of nobody', 'at x (unknown.0123456789ab.js:1:1)', 'at x (unknown.0123456789ab.js:1:1)'],
  [
    'another remote',
    `/chatbot/releases/mfe-auth/files/${SCRIPT}:1:1`,
    `/chatbot/releases/mfe-auth/files/${SCRIPT}:1:1`,
  ],
  [
    'scripts of standard builds',
    'at a (https://d/chatbot/releases/orders/1.0.0/__federation_expose_Orders.js:1:1)\nat b (/chatbot/releases/orders/1.0.0/assets/Orders-Bx1.mjs:1:1)\nat plain.js:1:1',
    'at a (orders/src/o.jsx:5:3)\nat b (../../src/o.jsx:5:3)\nat src/plain.ts:5:3',
  ],
  ['a script in a folder, as a page reports it', 'x (Orders-Bx1.mjs:1:1)', 'x (../../src/o.jsx:5:3)'],
  [
    'a script of another version, which has the same name',
    'https://d/chatbot/releases/orders/2.0.0/plain.js:1:1',
    'https://d/chatbot/releases/orders/2.0.0/plain.js:1:1',
  ],
  ['a map that is none', 'odd.js:1:1', 'odd.js:1:1'],
  ['a script without a map', 'remoteEntry.dddd4444.js:1:1', 'remoteEntry.dddd4444.js:1:1'],
])('resolves positions in a stack to the sources: %s', async (_, stack, resolved) => {
  expect(await resolveStack(stack, deps)).toBe(resolved);
});

test('no visitor gets a source map or a reference to one', async () => {
  const fetched = (path: string) => fetch(`${url}/chatbot/releases/mfe-chat/1.0.0/${path}`);
  expect((await fetched(SCRIPT)).status).toBe(200);
  expect((await fetched(MAP)).status).toBe(404);
  expect((await fetched(encodeURIComponent(MAP).replace('.map', '%2Emap'))).status).toBe(404);
  expect(await (await fetch(`${url}/chatbot/index`)).text()).not.toContain('.map');
});

test('a source map belongs to one script', () => {
  expect(isMapOf(MAP, SCRIPT)).toBe(true);
  expect(isMapOf(MAP, 'late.0123456789ac.js')).toBe(false);
  expect(isMapOf(MAP, 'ate.0123456789ab.js')).toBe(false);
  expect(isMapOf('late.0123456789ab.0123.js', SCRIPT)).toBe(false);
});
