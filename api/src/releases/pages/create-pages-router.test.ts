import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { PageComposition } from '../../contract/pages.ts';
import type { PageDesk } from '../../contract/settings.ts';
import { readStored } from '../../files/storage/file-store.ts';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import { createLiveComposition } from '../live/live-composition.ts';
import { publishBuilds } from '../live/publish-builds.ts';
import { createPagesRouter, isBrowsers } from './create-pages-router.ts';

const damaged: string[] = [];
const served: string[] = [];
let deskSettings: PageDesk | undefined;

const opened = await openTestCompositions();
const deps = await opened.connect();
const app = new Koa();
const router = createPagesRouter({
  ...deps,
  live: createLiveComposition(deps.store),
  desk: () => deskSettings,
  avatars: { bot: 'https://pictures.example/bot.png' },
  onDamage: (key) => damaged.push(key),
  onServed: ({ id }, { path }) => served.push(`${path} ${id.slice(0, 8)}`),
});
app.use(router.routes());
const server = createServer(app.callback()).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const port = (server.address() as AddressInfo).port;
afterAll(async () => {
  server?.close();
  await opened?.close();
});

/** Requests `path` literally: `fetch` would normalise `..` and decode bodies. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers, method }, resolve).on('error', reject).end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

const page = async (path: string) => (await get(path)).body.toString();
const build = (name: string, more: { version?: string; words?: string } = {}) =>
  writeTestBuild(opened.folder, { name, ...more });
const importMapOf = (html: string) => /<script type="importmap">(.*?)<\/script>/.exec(html)![1]!;
const compositionOf = (html: string) =>
  JSON.parse(/id="composition">(.*?)<\/script>/.exec(html)![1]!) as PageComposition;
const sha384 = (bytes: Buffer) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

test('explains the next step while nothing has been published', async () => {
  const { status, headers, body } = await get('/chatbot/index');
  expect(status).toBe(503);
  expect(headers['retry-after']).toBe('5');
  expect(body.toString()).toMatch(/npm start/);
});

test('redirects to the base path', async () => {
  for (const path of ['/', '/chatbot']) expect((await get(path)).headers.location).toBe('/chatbot/');
});

test('the import map contains the integrity of every script of live and previous releases', async () => {
  await publishBuilds([await build('host'), await build('mfe-chat'), await build('mfe-auth')], deps);
  await publishBuilds(
    [await build('host'), await build('mfe-chat', { version: '1.1.0', words: 'second' })],
    deps,
  );

  const { integrity } = JSON.parse(importMapOf(await page('/chatbot/index')));

  expect(Object.keys(integrity).sort()).toEqual([
    '/chatbot/releases/host/1.0.0/lazy.bbbb2222.js',
    '/chatbot/releases/host/1.0.0/main.aaaa1111.js',
    '/chatbot/releases/mfe-auth/1.0.0/chunks/screen.66697273.js',
    '/chatbot/releases/mfe-auth/1.0.0/remoteEntry.dddd4444.js',
    '/chatbot/releases/mfe-chat/1.0.0/chunks/screen.66697273.js',
    '/chatbot/releases/mfe-chat/1.0.0/remoteEntry.dddd4444.js',
    '/chatbot/releases/mfe-chat/1.1.0/chunks/screen.7365636f.js',
    '/chatbot/releases/mfe-chat/1.1.0/remoteEntry.dddd4444.js',
  ]);
  for (const [path, expected] of Object.entries(integrity)) {
    const { status, body } = await get(path);
    expect([path, status, sha384(body)]).toEqual([path, 200, expected]);
  }
});

test('the page contains the integrity of every style sheet, for those loaded later', async () => {
  const styles = JSON.parse(/id="styles">(.*?)<\/script>/.exec(await page('/chatbot/index'))![1]!);
  expect(Object.keys(styles).sort()).toEqual([
    '/chatbot/releases/host/1.0.0/main.cccc3333.css',
    '/chatbot/releases/mfe-auth/1.0.0/screen.eeee5555.css',
    '/chatbot/releases/mfe-chat/1.0.0/screen.eeee5555.css',
    '/chatbot/releases/mfe-chat/1.1.0/screen.eeee5555.css',
  ]);
  for (const [path, expected] of Object.entries(styles))
    expect([path, sha384((await get(path)).body)]).toEqual([path, expected]);
});

test('the composition in the page names releases, addresses, style sheets and pictures', async () => {
  const composition = compositionOf(await page('/chatbot/history'));

  expect(composition.remotes['mfe-chat']).toEqual({
    name: 'mfe-chat',
    version: '1.1.0',
    entry: '/chatbot/releases/mfe-chat/1.1.0/remoteEntry.dddd4444.js',
    container: 'mfe_chat',
    contract: '1.0.0',
    exposes: { './screen': { css: ['/chatbot/releases/mfe-chat/1.1.0/screen.eeee5555.css'] } },
    previous: expect.objectContaining({ version: '1.0.0' }),
  });
  expect(composition.remotes['mfe-auth']?.previous).toBeNull();
  expect(composition.host.entry).toBe('/chatbot/releases/host/1.0.0/main.aaaa1111.js');
  expect(composition.avatars).toEqual({ bot: 'https://pictures.example/bot.png' });
});

test('preloads the files of the requested route, and no files of other routes', async () => {
  const html = await page('/chatbot/index');
  const map = JSON.parse(importMapOf(html)).integrity;
  for (const path of ['remoteEntry.dddd4444.js', 'chunks/screen.7365636f.js']) {
    const href = `/chatbot/releases/mfe-chat/1.1.0/${path}`;
    expect(html).toContain(`<link rel="modulepreload" href="${href}" integrity="${map[href]}" crossorigin>`);
  }
  // Not a stylesheet link: it would block the whole page for as long as the remote's server takes.
  expect(html).toMatch(
    /rel="preload" as="style" href="[^"]*mfe-chat\/1\.1\.0\/screen\.eeee5555\.css" integrity="[^"]*">/,
  );
  expect(html).not.toMatch(/rel="stylesheet" href="[^"]*mfe-/);
  expect(await page('/chatbot/')).toBe(html);

  const other = await page('/chatbot/login');
  expect(other).toMatch(/rel="stylesheet" href="\/chatbot\/releases\/host\/1\.0\.0\/main\.cccc3333\.css"/);
  expect(other).not.toMatch(/rel="(modulepreload|preload|stylesheet)"[^>]* href="[^"]*mfe-/);
  expect(await page('/chatbot/no/such/screen')).toBe(other);
});

test('the policy allows our own scripts, the import map by its hash, and nothing else', async () => {
  const { headers, body } = await get('/chatbot/index');
  const hash = createHash('sha256').update(importMapOf(body.toString())).digest('base64');
  const policy = Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
  );

  expect(policy).toEqual({
    'default-src': "'none'",
    'script-src': `'self' 'sha256-${hash}'`,
    'style-src': "'self'",
    'img-src': "'self' blob: data: https://pictures.example",
    'font-src': "'self' data:",
    'connect-src': "'self'",
    'worker-src': "'self' blob:",
    'manifest-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'pdf-worker',
    'report-to': 'desk',
  });
  expect(headers['reporting-endpoints']).toBe('desk="/ops/violations"');
  expect(headers['integrity-policy']).toBe('blocked-destinations=(script), endpoints=(desk)');
  expect(headers['cache-control']).toBe('private, no-cache');
  expect(headers).toMatchObject({
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  });
  const inline = [...body.toString().matchAll(/<script(?![^>]* src=)([^>]*)>/g)].map(
    ([, attributes]) => attributes,
  );
  expect(inline).toEqual([
    ' type="importmap"',
    ' type="application/json" id="composition"',
    ' type="application/json" id="styles"',
  ]);
});

test('pages of the live composition name their edition; other pages must not be stored', async () => {
  const { headers } = await get('/chatbot/index');
  expect(headers['desk-edition']).toMatch(/^[\w-]{24}$/);
  const again = await get('/chatbot/', { 'If-None-Match': String(headers.etag) });
  expect(again.headers['desk-edition']).toBe(headers['desk-edition']);
  expect((await get('/chatbot/no/such/screen')).headers['desk-edition']).toBe('none');
});

test('sends the service worker, and the manifest with the name of the desk', async () => {
  const worker = await get('/chatbot/worker.js');
  expect(worker.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
  });
  expect(compositionOf(await page('/chatbot/index')).worker).toBe('/chatbot/worker.js');
  deskSettings = { en: { name: 'Help' } } as PageDesk;
  const manifest = await get('/chatbot/manifest.webmanifest', { Cookie: 'desk-language=en' });
  deskSettings = undefined;
  const { icons, ...rest } = JSON.parse(manifest.body.toString());
  expect(rest).toMatchObject({ name: 'Help', start_url: 'index' });
  const pictures = icons.filter(({ type }: { type: string }) => type === 'image/png');
  expect(pictures.map(({ sizes, purpose }: Record<string, string>) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes } of pictures) {
    const { headers, body } = await get(`/chatbot/${src}`);
    expect(headers['content-type']).toBe('image/png');
    // Width and height in the header of the PNG.
    expect(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`).toBe(sizes);
  }
});

test('reports which pages were opened: only screens, including unchanged ones', async () => {
  const { headers, body } = await get('/chatbot/index');
  const id = compositionOf(body.toString()).id.slice(0, 8);
  served.length = 0;
  await get('/chatbot/index', { 'If-None-Match': String(headers.etag) });
  await get('/chatbot/');
  await get('/chatbot/no/such/screen');
  await get('/chatbot/index', {}, 'HEAD');
  await get('/chatbot/index', { 'Sec-Purpose': 'prefetch;prerender' });
  await get('/chatbot/favicon.svg');
  expect(served).toEqual([`/chatbot/index ${id}`, `/chatbot/ ${id}`]);
});

test.each<[boolean, string, Record<string, string>]>([
  [
    true,
    'a browser',
    { 'sec-fetch-dest': 'document', 'user-agent': 'Mozilla/5.0 (X11)', accept: 'text/html' },
  ],
  [true, 'a browser on a plain http page', { 'user-agent': 'Mozilla/5.0 (X11)', accept: 'text/html,*/*' }],
  [
    false,
    'a script of a page',
    { 'sec-fetch-dest': 'empty', 'user-agent': 'Mozilla/5.0 (X11)', accept: 'text/html' },
  ],
  [false, 'curl', { 'user-agent': 'curl/8.5', accept: '*/*' }],
  [false, 'a monitor', { 'user-agent': 'Mozilla/5.0 (compatible; UptimeRobot/2.0)', accept: 'text/html' }],
])('isBrowsers is %s for %s', (expected, _, headers) => {
  expect(isBrowsers({ get: (name: string) => headers[name.toLowerCase()] ?? '' } as never)).toBe(expected);
});

test('an unchanged page is not sent again, one of a new composition is', async () => {
  const first = await get('/chatbot/index');
  const etag = String(first.headers.etag);
  expect((await get('/chatbot/index', { 'If-None-Match': etag })).status).toBe(304);

  await publishBuilds([await build('host', { version: '1.0.1' })], deps);
  const second = await get('/chatbot/index', { 'If-None-Match': etag });
  expect(second.status).toBe(200);
  expect(compositionOf(second.body.toString()).host).toMatchObject({
    version: '1.0.1',
    previous: { version: '1.0.0' },
  });
});

const main = '/chatbot/releases/host/1.0.1/main.aaaa1111.js';

test('tools get the live composition and an import map of it', async () => {
  const composition = await get('/chatbot/composition.json');
  expect(composition.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*',
  });
  const { id, host, remotes } = JSON.parse(composition.body.toString());
  expect(id).toBe(compositionOf(await page('/chatbot/index')).id);
  expect(host).toMatchObject({ name: 'host', shared: { react: '19.3.1' } });
  expect(remotes['mfe-chat']).toMatchObject({
    id: `mfe-chat@${remotes['mfe-chat'].version}`,
    shared: { react: '^19.0.0' },
    own: {},
    previous: { id: 'mfe-chat@1.0.0' },
  });

  const { body, headers } = await get('/chatbot/importmap.json');
  const { imports, integrity } = JSON.parse(body.toString());
  expect(imports).toMatchObject({
    'mfe-chat': remotes['mfe-chat'].entry,
    'mfe-chat/': remotes['mfe-chat'].base,
  });
  const entry = await get(imports['mfe-chat']);
  expect(integrity[imports['mfe-chat']]).toBe(sha384(entry.body));
  const again = await get('/chatbot/importmap.json', { 'If-None-Match': headers.etag! });
  expect({ status: again.status, length: again.body.length }).toEqual({ status: 304, length: 0 });
});

test('files of releases are immutable, compressed on request, and allowed for every origin', async () => {
  const plain = await get(main);
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Accept-Encoding',
  });
  const br = await get(main, { 'Accept-Encoding': 'gzip, br' });
  expect(br.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(br.body)).toEqual(plain.body);
  const gzip = await get(main, { 'Accept-Encoding': 'gzip' });
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.body)).toEqual(plain.body);
  expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
  expect((await get(main, { 'If-None-Match': String(plain.headers.etag) })).status).toBe(304);
});

test('HEAD returns the length without a body', async () => {
  const { status, headers, body } = await get(main, {}, 'HEAD');
  expect([status, body.length]).toEqual([200, 0]);
  expect(Number(headers['content-length'])).toBe((await get(main)).body.length);
  expect((await get('/chatbot/index', {}, 'HEAD')).status).toBe(200);
});

test.each([
  '/chatbot/releases/host/1.0.1/../../../../data/secret',
  '/chatbot/releases/host/1.0.1/..%2f..%2f..%2fdata%2fsecret',
  '/chatbot/releases/..%2fhost/1.0.1/main.aaaa1111.js',
  '/chatbot/releases/host/1.0.1/main.aaaa1111.js%00',
  '/chatbot/releases/host/1.0.1/%E0%A4%A',
  '/chatbot/releases/host/9.9.9/main.aaaa1111.js',
  '/chatbot/releases/host/1.0.1/release.json',
  '/chatbot/releases/',
  '/chatbot/releases',
])('%s is not found', async (path) => {
  const { status, headers } = await get(path);
  expect([400, 404]).toContain(status);
  expect(String(headers['cache-control'])).not.toMatch(/immutable/);
});

test('a corrupted file is refused and reported, and sent again after it is repaired', async () => {
  const key = 'releases/host/1.0.1/main.aaaa1111.js';
  const whole = (await readStored((await deps.files.open(key))!))!;
  await deps.files.put(key, Buffer.from(whole.toString().replace('first', 'f1rst')));
  damaged.length = 0;

  for (const encoding of ['br', 'identity', 'br']) {
    const { status, headers } = await get(main, { 'Accept-Encoding': encoding });
    expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
  }
  expect(damaged).toEqual([key]);

  await deps.files.put(key, whole);
  expect((await get(main, { 'Accept-Encoding': 'br' })).headers['content-encoding']).toBe('br');
});

test('a corrupted compressed form is never sent', async () => {
  await deps.files.put('encoded/host/1.0.1/main.aaaa1111.js.br', Buffer.from('garbage'));
  expect((await get(main, { 'Accept-Encoding': 'br' })).headers['content-encoding']).toBeUndefined();
  expect((await get(main, { 'Accept-Encoding': 'br, gzip' })).headers['content-encoding']).toBe('gzip');
});

test('the page uses the smallest encoding that the browser accepts, in any order', async () => {
  const encodingOf = async (accepted: string) =>
    (await get('/chatbot/index', { 'Accept-Encoding': accepted })).headers['content-encoding'];
  expect(await encodingOf('gzip, deflate, br')).toBe('br');
  expect(await encodingOf('gzip, deflate')).toBe('gzip');
  expect(await encodingOf('gzip, br;q=0')).toBe('gzip');
  expect(await encodingOf('')).toBeUndefined();
});

test('a missing file is not found, even if its compressed forms remain, and is reported once', async () => {
  await deps.files.remove('releases/host/1.0.1/main.aaaa1111.js');
  damaged.length = 0;
  await get(main);
  expect(damaged).toEqual(['releases/host/1.0.1/main.aaaa1111.js']);
  const { status, headers } = await get(main, { 'Accept-Encoding': 'gzip' });
  expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
});

test('the page contains the routes that its remotes declare, and preloads their files', async () => {
  const route = {
    path: '/tickets',
    module: './screen',
    guard: 'session',
    title: { zh: '工单', en: 'Tickets' },
    menu: { icon: 'layers', order: 15 },
  };
  const tickets = await writeTestBuild(opened.folder, { name: 'mfe-tickets', manifest: { routes: [route] } });
  await publishBuilds([tickets], deps);

  const { module, ...shown } = route;
  const html = await page('/chatbot/tickets');
  const { routes } = compositionOf(html);
  expect(routes.map(({ path }) => path)).toEqual(['/index', '/tickets', '/login']);
  expect(routes[1]).toEqual({ ...shown, screen: `mfe-tickets/${module}` });
  expect(html).toMatch(/rel="modulepreload" href="[^"]*mfe-tickets\/1\.0\.0\/remoteEntry/);
});

test('preloads the texts in the language that the visitor has chosen, otherwise in the desk’s default', async () => {
  const texts = (folder: string) => ({ zh: [`${folder}zh.js`], en: [`${folder}en.js`] });
  const files = (folder: string) => ({
    [`${folder}zh.js`]: 'export default "zh";\n',
    [`${folder}en.js`]: 'export default "en";\n',
  });
  const host = {
    entryFiles: { js: ['main.aaaa1111.js'], css: ['main.cccc3333.css'], texts: texts('') },
  };
  const remote = {
    exposes: { './screen': { js: ['chunks/screen.js'], css: [], texts: texts('locales/') } },
  };
  await publishBuilds(
    [
      await writeTestBuild(opened.folder, {
        name: 'host',
        version: '3.0.0',
        manifest: host,
        files: files(''),
      }),
      await writeTestBuild(opened.folder, {
        name: 'mfe-chat',
        version: '3.0.0',
        manifest: remote,
        files: { 'chunks/screen.js': 'export default 1;\n', ...files('locales/') },
      }),
    ],
    deps,
  );
  const preloadsWith = async (headers: Record<string, string>) => {
    const html = (await get('/chatbot/index', headers)).body.toString();
    const composition = compositionOf(html);
    return {
      language: composition.language,
      preloads: [
        ...html.matchAll(/rel="modulepreload" href="[^"]*\/([\w-]+\/3\.0\.0\/(?:locales\/)?\w\w\.js)"/g),
      ].map(([, path]) => path),
      later: composition.remotes['mfe-chat']!.exposes['./screen']!.texts,
    };
  };
  const both = (language: string) => ({
    language,
    preloads: [`host/3.0.0/${language}.js`, `mfe-chat/3.0.0/locales/${language}.js`],
    later: { [language]: [`/chatbot/releases/mfe-chat/3.0.0/locales/${language}.js`] },
  });
  const english = { 'Accept-Language': 'en-GB,en;q=0.8' };

  expect(await preloadsWith(english)).toEqual(both('zh'));
  expect(await preloadsWith({ Cookie: 'desk-language=en' })).toEqual(both('en'));
  expect(await preloadsWith({ Cookie: 'desk-language=xx' })).toEqual(both('zh'));
  deskSettings = { language: 'en' };
  expect(await preloadsWith({})).toEqual(both('en'));
  deskSettings = { language: 'browser' };
  expect(await preloadsWith(english)).toEqual(both('en'));
  expect(await preloadsWith({ 'Accept-Language': 'zh-TW,en;q=0.5' })).toEqual(both('zh'));
  expect(await preloadsWith({ 'Accept-Language': 'fr' })).toEqual(both('zh'));
  expect(await preloadsWith({ ...english, Cookie: 'desk-language=zh' })).toEqual(both('zh'));
});
