import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import type { OverrideLink, PreviewInfo } from '../contract/compositions.ts';
import type { ToolComposition, ToolImportMap } from '../contract/pages.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { writeTestBuild } from '../testing/write-test-build.ts';
import { withBasePath } from './base-path.ts';

const opsToken = 'the-token-of-operations';
const folder = await temporaryFolder('desk-below');
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const api = await startTestApi({
  answerer: createScriptedAnswerer(),
  config: { port, publicUrl: `${origin}/desk`, opsToken, trustProxy: 1 },
  builds: [
    await writeTestBuild(folder, { name: 'host' }),
    await writeTestBuild(folder, { name: 'mfe-chat' }),
  ],
});
afterAll(async () => {
  await api?.end();
  await rm(folder, { recursive: true, force: true });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

const send = (path: string, init: RequestInit = {}) => fetch(origin + path, { redirect: 'manual', ...init });
const asOps = { Authorization: `Bearer ${opsToken}`, 'Content-Type': 'application/json' };

test.each(['/desk', '/desk/', '/desk/chatbot', '/'])(
  'the address %s leads to the pages below the path',
  async (path) => {
    const { status, headers } = await send(path);
    expect([status, headers.get('location')]).toEqual([302, '/desk/chatbot/']);
  },
);

test('passkeys belong to the host, without the path', async () => {
  const response = await send('/desk/admin/passkeys/sign-in/challenge', { method: 'POST' });
  expect(await response.json()).toMatchObject({ rpId: '127.0.0.1' });
});

test.each(['/desk/readyz', '/readyz', '/desk/chatbot/index', '/chatbot/index'])(
  '%s is served, whether the proxy removes the path or not',
  async (path) => {
    expect((await send(path)).status).toBe(200);
  },
);

test('another path with the same beginning is not served', async () => {
  expect((await send('/desktop/readyz')).status).toBe(404);
});

test('every address in a page begins with the path, and leads to a file', async () => {
  const response = await send('/chatbot/index', { headers: { 'Accept-Encoding': 'identity' } });
  const html = await response.text();
  expect(html).toContain(' data-base-path="/desk"');
  // Routes declare paths within the pages; the host puts the base path before them.
  const text = html.replace(' data-base-path="/desk"', '').replaceAll(/"path":"\/(index|login)"/g, '');
  const addresses = [...text.matchAll(/(?<=["'(=])\/(?!\/)[^"'()<>\s]*/g)].map(String);
  expect(addresses.filter((address) => !address.startsWith('/desk/'))).toEqual([]);
  const files = [...new Set(addresses.filter((address) => /\.(js|css|svg)$/.test(address)))];
  expect(files.length).toBeGreaterThanOrEqual(5);
  for (const file of files) expect([file, (await send(file)).status]).toEqual([file, 200]);
  expect(response.headers.get('reporting-endpoints')).toBe('desk="/desk/ops/violations"');
});

test('documents for tools name addresses below the path', async () => {
  const { host, remotes } = (await (await send('/chatbot/composition.json')).json()) as ToolComposition;
  for (const { entry, base } of [host, ...Object.values(remotes)])
    expect([entry, base]).toEqual([
      expect.stringMatching(/^\/desk\/chatbot\/releases\//),
      expect.stringMatching(/^\/desk\/chatbot\/releases\//),
    ]);
  const { imports, integrity } = (await (await send('/chatbot/importmap.json')).json()) as ToolImportMap;
  for (const address of [...Object.values(imports), ...Object.keys(integrity)])
    expect(address).toMatch(/^\/desk\//);
});

test('cookies are sent below the path only, also over https', async () => {
  const cookiesOf = async (headers: Record<string, string>) =>
    (await send('/api/conversations', { headers })).headers.getSetCookie();
  const plain = await cookiesOf({});
  expect(plain.map((cookie) => cookie.split('=')[0])).toEqual(['desk_guest', 'XSRF-TOKEN']);
  const secure = await cookiesOf({ 'X-Forwarded-Proto': 'https' });
  expect(secure.map((cookie) => cookie.split('=')[0])).toEqual(['__Secure-desk_guest', 'XSRF-TOKEN']);
  for (const cookie of [...plain, ...secure]) expect(cookie).toContain('path=/desk/;');
});

test('an override link, its page, its form and where it leads are below the path', async () => {
  const composition = (await (await send('/ops/live')).json()) as { composition: string };
  const body = JSON.stringify({ ...composition, author: 'somebody' });
  const made = await send('/ops/override', { method: 'POST', headers: asOps, body });
  const { url } = (await made.json()) as OverrideLink;
  expect(url).toMatch(`${origin}/desk/chatbot/override/`);
  const page = await (await fetch(url)).text();
  const actions = [...page.matchAll(/action="([^"]*)"/g)].map(([, action]) => action ?? '');
  expect(actions).toEqual([
    expect.stringContaining('/desk/chatbot/override/'),
    '/desk/chatbot/override/leave',
  ]);
  const entered = await send(actions[0] ?? '', { method: 'POST', headers: { Origin: origin } });
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/desk/chatbot/']);
  expect(entered.headers.getSetCookie().join()).toContain('path=/desk/;');
});

test('a preview link has the public address', async () => {
  const { composition } = (await (await send('/ops/live')).json()) as { composition: string };
  const body = JSON.stringify({ name: 'a-branch', composition, author: 'somebody' });
  const made = await send('/ops/previews', { method: 'POST', headers: asOps, body });
  const { url } = (await made.json()) as PreviewInfo;
  expect(url).toMatch(`${origin}/desk/chatbot/preview/`);
});

test('a form without scripts responds with a page below the path', async () => {
  const body = new URLSearchParams({ text: 'hello' });
  const sent = await send('/chatbot/ask', { method: 'POST', headers: { Origin: origin }, body });
  expect(sent.status).toBe(303);
  const location = sent.headers.get('location')!;
  expect(location).toMatch(/^\/desk\/chatbot\//);
  const cookies = sent.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const response = await send(location.slice('/desk'.length), { headers: { Cookie: cookies.join('; ') } });
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(page).toContain('action="/desk/chatbot/ask"');
  expect(page).toContain('href="/desk/chatbot/index?c=');
  expect(page).toContain('href="/desk/chatbot/favicon.svg"');
});

test('only attributes with addresses on this host change', () => {
  const html = '<a href="/x">href="/y"</a><a href="//other/z"><i title=" href=/q"><form action="/f">';
  expect(withBasePath(html, '/desk')).toBe(
    '<a href="/desk/x">href="/y"</a><a href="//other/z"><i title=" href=/q"><form action="/desk/f">',
  );
});
