import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { beforeEach, expect, test } from '@jest/globals';

const ORIGIN = 'https://desk.example';
const code = readFileSync(new URL('worker.js', import.meta.url), 'utf8');

type Handler = (event: object) => void;

let handlers: Map<string, Handler>;
let stores: Map<string, Map<string, Response>>;
/** What the server answers, by path; without an answer it cannot be reached. */
let server: Map<string, () => Response>;
let requested: { path: string; headers: unknown; integrity: unknown }[];

beforeEach(() => {
  handlers = new Map();
  stores = new Map();
  server = new Map();
  requested = [];
  const sandbox = {
    URL,
    Response,
    location: { origin: ORIGIN },
    registration: { scope: `${ORIGIN}/chatbot/` },
    clients: { claim: async () => undefined },
    skipWaiting: () => undefined,
    addEventListener: (type: string, handler: Handler) => handlers.set(type, handler),
    caches: { open: async (name: string) => openStore(name) },
    fetch: async (
      request: string | { url: string },
      init: { headers?: unknown; integrity?: unknown } = {},
    ) => {
      const { pathname, search } = new URL(typeof request === 'string' ? request : request.url);
      requested.push({ path: pathname, headers: init.headers, integrity: init.integrity });
      const answer = server.get(pathname + search) ?? server.get(pathname);
      if (!answer) throw new TypeError('Failed to fetch');
      return answer();
    },
  };
  runInContext(code, createContext(sandbox));
});

function openStore(name: string) {
  const entries = stores.get(name) ?? new Map<string, Response>();
  stores.set(name, entries);
  const urlOf = (key: string | { url: string }) => (typeof key === 'string' ? key : key.url);
  return {
    match: async (key: string | { url: string }) => entries.get(urlOf(key))?.clone(),
    put: async (key: string, response: Response) => void entries.set(key, response),
    delete: async (key: string | { url: string }) => entries.delete(urlOf(key)),
    keys: async () => [...entries.keys()].map((url) => ({ url })),
  };
}

const stored = (name: 'desk-pages' | 'desk-files') =>
  [...(stores.get(name)?.keys() ?? [])].map((url) => url.slice(ORIGIN.length));

/** Calls the handler of an event, and waits for all that it has started. Without a response the browser handles the request itself. */
async function dispatch(type: string, event: object): Promise<Response | undefined> {
  const works: Promise<unknown>[] = [];
  let response: Promise<Response> | undefined;
  handlers.get(type)?.({
    ...event,
    waitUntil: (work: Promise<unknown>) => works.push(work),
    respondWith: (answer: Promise<Response>) => {
      response = answer;
    },
  });
  const answer = await response;
  for (const work of works) await work;
  return answer;
}
const open = (path: string, preloadResponse?: Promise<Response>) =>
  dispatch('fetch', { request: { method: 'GET', mode: 'navigate', url: ORIGIN + path }, preloadResponse });
const load = (path: string, request: object = {}) =>
  dispatch('fetch', {
    request: { method: 'GET', mode: 'cors', url: ORIGIN + path, integrity: '', ...request },
  });
const keep = (page: string, files: string[]) =>
  dispatch('message', { data: { page: ORIGIN + page, files: files.map((path) => ORIGIN + path) } });

const pageOf =
  (edition: string | null, text = '') =>
  () =>
    new Response(`<html lang="zh-CN">${text}`, {
      headers: { Date: 'Fri, 27 Nov 2026 08:00:00 GMT', ...(edition ? { 'Desk-Edition': edition } : {}) },
    });
const script = () => new Response('code');
const SCRIPT = '/chatbot/releases/host/files/main.1.js';

test('a page that was opened opens again without the server, with the time when it was stored', async () => {
  server.set('/chatbot/index', pageOf('one', 'desk'));
  await open('/chatbot/index?c=1');
  server.clear();
  const page = await open('/chatbot/index?c=2');
  expect(await page?.text()).toBe('<html data-saved-at="2026-11-27T08:00:00.000Z" lang="zh-CN">desk');
  await expect(open('/chatbot/history')).rejects.toThrow('Failed to fetch');
});

test('a preload that resolves with an error, as in Firefox, is not used as a page', async () => {
  server.set('/chatbot/index', pageOf('one', 'desk'));
  await open('/chatbot/index');
  const page = await open('/chatbot/index', Promise.resolve(Response.error()));
  expect(await page?.text()).toContain('data-saved-at');
});

test('an address that was never opened shows its screen in the stored home page', async () => {
  server.set('/chatbot/index', pageOf('one', 'desk'));
  await open('/chatbot/index');
  server.clear();
  for (const path of ['/chatbot/history', '/chatbot/', '/chatbot/index?c=1'])
    expect(await (await open(path))?.text()).toContain('desk');
});

test('if the server answers, its page is shown, and stored pages of an earlier composition are removed', async () => {
  server.set('/chatbot/index', pageOf('one')).set('/chatbot/login', pageOf('one'));
  await open('/chatbot/index');
  await open('/chatbot/login');
  server.set('/chatbot/index', pageOf('two', 'new'));
  expect(await (await open('/chatbot/index'))?.text()).toContain('new');
  expect(stored('desk-pages')).toEqual(['/chatbot/index']);
});

test('a preview, an override or a canary is not stored, and no older page remains', async () => {
  server.set('/chatbot/index', pageOf('one'));
  await open('/chatbot/index');
  server.set('/chatbot/index', pageOf('none'));
  await open('/chatbot/index');
  expect(stored('desk-pages')).toEqual([]);
});

test.each([
  ['a page of a network that requires a sign-in', pageOf(null)],
  ['a failing server', () => new Response('', { status: 503 })],
])('%s changes nothing that is stored', async (_, answer) => {
  server.set('/chatbot/index', pageOf('one'));
  await open('/chatbot/index');
  server.set('/chatbot/index', answer);
  await open('/chatbot/index');
  expect(stored('desk-pages')).toEqual(['/chatbot/index']);
});

test('files are stored if their integrity was checked, and then need no server', async () => {
  server.set(SCRIPT, script).set('/chatbot/releases/host/files/icon.1.svg', script);
  await load(SCRIPT);
  expect(stored('desk-files')).toEqual([]);
  await load(SCRIPT, { integrity: 'sha384-1' });
  await load('/chatbot/releases/host/files/icon.1.svg');
  server.clear();
  expect(await (await load(SCRIPT))?.text()).toBe('code');
  expect(stored('desk-files')).toEqual([SCRIPT, '/chatbot/releases/host/files/icon.1.svg']);
});

test('a preload has no integrity of its own and is stored with the integrity in its page', async () => {
  server.set('/chatbot/index', pageOf('one', `"${SCRIPT}":"sha384-1"`)).set(SCRIPT, script);
  await Promise.all([open('/chatbot/index'), load(SCRIPT)]);
  expect(stored('desk-files')).toEqual([SCRIPT]);
  expect(requested.at(-1)).toEqual({ path: SCRIPT, headers: undefined, integrity: 'sha384-1' });
});

test('leaves other requests, and files that are loaded again, to the browser', async () => {
  server.set(SCRIPT, script);
  expect(await load('/api/conversations')).toBeUndefined();
  expect(await load('/chatbot/ask', { method: 'POST', mode: 'navigate' })).toBeUndefined();
  expect(await load(SCRIPT, { cache: 'reload' })).toBeUndefined();
  expect(await load(SCRIPT, { mode: 'navigate' })).toBeUndefined();
  expect(await load(SCRIPT, { url: `https://other.example${SCRIPT}` })).toBeUndefined();
});

test('stores the files that the first page has loaded, with their integrity, without counting a visit', async () => {
  server.set('/chatbot/index', pageOf('one', `"${SCRIPT}":"sha384-1"`)).set(SCRIPT, script);
  await keep('/chatbot/index', [SCRIPT, '/chatbot/releases/host/files/unknown.1.js', '/api/records']);
  expect(stored('desk-pages')).toEqual(['/chatbot/index']);
  expect(stored('desk-files')).toEqual([SCRIPT]);
  expect(requested).toEqual([
    { path: '/chatbot/index', headers: { Purpose: 'prefetch' }, integrity: undefined },
    { path: SCRIPT, headers: undefined, integrity: 'sha384-1' },
  ]);
});

test('removes scripts of earlier compositions', async () => {
  const next = SCRIPT.replace('1.js', '2.js');
  server
    .set('/chatbot/index', pageOf('one', `"${SCRIPT}":"sha384-1"`))
    .set(SCRIPT, script)
    .set(next, script);
  await keep('/chatbot/index', [SCRIPT]);
  server.set('/chatbot/index', pageOf('two', `"${next}":"sha384-2"`));
  await keep('/chatbot/index', [next]);
  expect(stored('desk-files')).toEqual([next]);
});

test('stores a limited number of pages', async () => {
  for (let at = 0; at < 30; at += 1) {
    server.set(`/chatbot/p${at}`, pageOf('one'));
    await open(`/chatbot/p${at}`);
  }
  expect(stored('desk-pages')).toHaveLength(24);
  expect(stored('desk-pages')).toContain('/chatbot/p29');
});
