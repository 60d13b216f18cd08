import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { ReleaseClaim, ReleaseDetails, ReleaseSummary, ReleaseUpload } from '../../contract/releases.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { testFiles } from '../../testing/test-database.ts';
import { createVisitor, type Reply } from '../../testing/visitor.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import { integrityOf } from '../data/canonical-hash.ts';
import { createCompositionStore } from '../data/composition-store.ts';
import { describeRelease, ReleaseDescription } from '../data/release-description.ts';
import { type BuildToSend, readBuildToSend } from './read-build.ts';

const opsToken = 'the-ops-token-of-this-test';
const chatToken = 'the-token-of-mfe-chat';
const authToken = 'the-token-of-mfe-auth';

let chat: BuildToSend;

const folder = await temporaryFolder('release-routes');
const api = await startTestApi({
  config: { opsToken, releaseTokens: { 'mfe-chat': chatToken, 'mfe-auth': authToken } },
});
afterAll(async () => {
  await api?.end();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await createCompositionStore(api.connection).releases.deleteMany({});
  const files = testFiles(api);
  for await (const key of files.list('')) await files.remove(key);
  chat = await build();
});

const build = async (more: { name?: string; version?: string; words?: string } = {}) =>
  readBuildToSend(await writeTestBuild(folder, { name: 'mfe-chat', version: '1.4.0', ...more }));

function call<T = ErrorBody>(
  method: string,
  path: string,
  body?: unknown,
  token = chatToken,
): Promise<Reply<T>> {
  return createVisitor(api.url).call<T>(method, path, body, { Authorization: `Bearer ${token}` });
}

const claim = (upload: object = chat.upload, token = chatToken) =>
  call<ReleaseClaim & ErrorBody>('POST', '/ops/releases', upload, token);
const publish = (id = 'mfe-chat@1.4.0', token = chatToken) =>
  call<ReleaseDetails & ErrorBody>('POST', `/ops/releases/${id}/publish`, undefined, token);

async function put(
  path: string,
  bytes: Uint8Array | string,
  { id = 'mfe-chat@1.4.0', token = chatToken, headers = {} } = {},
): Promise<Response> {
  return fetch(`${api.url}/ops/releases/${id}/files/${path}`, {
    method: 'PUT',
    body: typeof bytes === 'string' ? bytes : Buffer.from(bytes),
    headers: { Authorization: `Bearer ${token}`, ...headers },
  });
}

const errorOf = async (response: Response) => (await response.json()) as ErrorBody;

async function putAll({ contents }: BuildToSend = chat, id = 'mfe-chat@1.4.0'): Promise<void> {
  for (const [path, bytes] of contents) expect((await put(path, bytes, { id })).status).toBe(204);
}

const entry = 'remoteEntry.dddd4444.js';
const served = (path: string, version = '1.4.0') =>
  fetch(`${api.url}/chatbot/releases/mfe-chat/${version}/${path}`);

test.each<[string, (upload: BuildToSend['upload']) => object, string, string]>([
  [
    'a path out of its folder',
    (all) => ({ files: [{ ...all.files[0], path: '../a.js' }] }),
    '应为相对路径',
    'relative path',
  ],
  [
    'a file that is too big',
    (all) => ({ files: [{ ...all.files[0], size: 1e9 }] }),
    '至多为 16777216',
    'at most 16777216',
  ],
  [
    'too many files',
    (all) => ({ files: Array(1001).fill(all.files[0]) }),
    '至多为 1000 项',
    'at most 1000 elements',
  ],
  ['no name', () => ({ name: undefined }), '缺少这一项', 'it is missing'],
  [
    'an unknown guard',
    () => ({ routes: [{ path: '/a', module: './screen', guard: 'role', title: { zh: 'a', en: 'a' } }] }),
    '应为 public、session',
    'there are no roles',
  ],
  ['an unknown field', () => ({ colour: 1 }), '没有这样的字段', 'no such field'],
])('a refusal says what is wrong, in the language of the caller: %s', async (_, change, zh, en) => {
  for (const [language, reason] of [
    ['zh', zh],
    ['en', en],
  ] as const) {
    const { status, body } = await createVisitor(api.url).call<ErrorBody>(
      'POST',
      '/ops/releases',
      { ...chat.upload, ...change(chat.upload) },
      { Authorization: `Bearer ${chatToken}`, 'Accept-Language': language },
    );
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' });
    expect(body.msg).toContain(reason);
  }
});

test('a release is claimed, uploaded and published, and is served unchanged', async () => {
  const claimed = await claim();
  expect(claimed).toMatchObject({ status: 200, body: { id: 'mfe-chat@1.4.0', publishedAt: null } });
  expect(claimed.body.missing.sort()).toEqual([...chat.contents.keys()].sort());
  await putAll();
  expect((await served(entry)).status).toBe(404);

  const published = await publish();
  expect(published).toMatchObject({
    status: 200,
    body: {
      id: 'mfe-chat@1.4.0',
      base: '/chatbot/releases/mfe-chat/1.4.0/',
      fileCount: 3,
      publishedBy: 'mfe-chat',
      isLive: false,
      exposes: { './screen': { css: ['screen.eeee5555.css'] } },
      shared: { react: '^19.0.0' },
    },
  });
  const sent = await served(entry);
  expect(sent.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
  expect(await sent.text()).toBe(chat.contents.get(entry)?.toString());
  const screen = chat.upload.exposes['./screen']?.js[0] as string;
  const squeezed = await fetch(`${api.url}/chatbot/releases/mfe-chat/1.4.0/${screen}`, {
    headers: { 'Accept-Encoding': 'br' },
  });
  expect(squeezed.headers.get('Content-Encoding')).toBe('br');
  expect(await squeezed.text()).toBe(chat.contents.get(screen)?.toString());
});

test('the pointer does not move', async () => {
  await claim();
  await putAll();
  await publish();
  const store = createCompositionStore(api.connection);
  expect(await store.pointers.countDocuments({})).toBe(0);
  expect(await store.compositions.countDocuments({})).toBe(0);
});

test('the same content is accepted again, different content of the same version never', async () => {
  await claim();
  await putAll();
  const first = await publish();
  const again = await claim();
  expect(again.body).toEqual({ id: 'mfe-chat@1.4.0', missing: [], publishedAt: first.body.publishedAt });
  expect((await publish()).body.publishedAt).toBe(first.body.publishedAt);
  // The commit it was built from is not part of its identity.
  expect((await claim({ ...chat.upload, commit: 'abcdef0' })).status).toBe(200);

  const other = await build({ words: 'other words' });
  expect(await claim(other.upload)).toMatchObject({ status: 409, body: { error: 'version_taken' } });
  expect(await claim(other.upload, opsToken)).toMatchObject({ status: 409 });
  for (const [path, bytes] of other.contents) await put(path, bytes);
  expect(await (await served(entry)).text()).toBe(chat.contents.get(entry)?.toString());
});

test('missing files are reported and prevent publishing', async () => {
  await claim();
  await put(entry, chat.contents.get(entry) as Buffer);
  expect(await publish()).toMatchObject({
    status: 409,
    body: { error: 'conflict', field: 'files', msg: expect.stringContaining('2') },
  });
  expect((await claim()).body.missing).toHaveLength(2);
  expect((await call('GET', '/ops/releases/mfe-chat@1.4.0')).status).toBe(404);
  expect((await call<{ releases: [] }>('GET', '/ops/releases')).body.releases).toEqual([]);
});

test('bytes that differ from the declaration are not stored', async () => {
  await claim();
  const bytes = chat.contents.get(entry) as Buffer;
  const garbled = Buffer.from(bytes);
  garbled[0] = 0;
  const wrong = [garbled, bytes.subarray(0, -1), Buffer.concat([bytes, bytes]), Buffer.alloc(0)];
  for (const one of wrong) {
    const answer = await put(entry, one);
    expect(answer.status).toBe(400);
    expect(await errorOf(answer)).toMatchObject({
      error: 'invalid_request',
      msg: expect.stringContaining(entry),
    });
  }
  expect((await claim()).body.missing).toContain(entry);
  expect((await put(entry, bytes, { headers: { 'Content-Encoding': 'gzip' } })).status).toBe(415);
});

test.each([
  ['lib.js', '//# sourceMappingURL=data:application/json;charset=utf-8;base64,', 400],
  ['lib.mjs', '//@ sourceMappingURL=data:application/json;base64,', 400],
  ['lib.css', '/*# sourceMappingURL=data:application/json;base64,', 400],
  ['lib.js', '//# sourceMappingURL=lib.js.map', 204],
  ['lib.js', 'const text = "//# sourceMappingURL=data:application/json;base64,', 204],
  ['lib.txt', '//# sourceMappingURL=data:application/json;base64,', 204],
])('a file %s with a source map in itself is not stored: %s', async (path, comment, status) => {
  // The comment begins anywhere in the pieces in which the file arrives.
  const bytes = Buffer.from(`${'a();\n'.repeat(13_106)}${comment}${'e30='.repeat(20_000)}\n`);
  const files = ['entry.js', path].map((name) => ({
    path: name,
    size: bytes.length,
    integrity: integrityOf(bytes),
  }));
  const nothing = { entryFiles: { js: [], css: [] }, exposes: {}, routes: [], styleMarks: {} };
  const version = `5.0.0-${path.replace('.', '-')}.${comment.length}`;
  await claim({ ...chat.upload, ...nothing, version, entry: 'entry.js', files });
  const answer = await put(path, bytes, { id: `mfe-chat@${version}` });
  expect(answer.status).toBe(status);
  if (status === 400)
    expect(await errorOf(answer)).toMatchObject({
      error: 'invalid_request',
      msg: expect.stringContaining('hidden-source-map'),
    });
});

test('an upload that is far too large is not read to its end', async () => {
  await claim();
  // 256 MB: more than the server discards before responding.
  const all = 4096;
  let sent = 0;
  const far = new ReadableStream({
    pull(controller) {
      sent += 1;
      if (sent > all) controller.close();
      else controller.enqueue(Buffer.alloc(65_536, 'x'));
    },
  });
  const sending = fetch(`${api.url}/ops/releases/mfe-chat@1.4.0/files/${entry}`, {
    method: 'PUT',
    body: far,
    duplex: 'half',
    headers: { Authorization: `Bearer ${chatToken}` },
  } as RequestInit);
  // The response, or a closed connection if the client does not read while sending.
  const status = await sending.then(
    (answer) => answer.status,
    () => 400,
  );
  expect(status).toBe(400);
  expect(sent).toBeLessThan(all);
  expect((await claim()).body.missing).toContain(entry);
});

test('a client that disconnects during the upload can retry', async () => {
  await claim();
  const bytes = chat.contents.get(entry) as Buffer;
  await new Promise<void>((resolve) => {
    const sending = request(`${api.url}/ops/releases/mfe-chat@1.4.0/files/${entry}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${chatToken}`, 'Content-Length': bytes.length },
    });
    sending.on('error', () => resolve());
    sending.on('close', () => resolve());
    sending.write(bytes.subarray(0, 5), () => sending.destroy());
  });
  expect((await claim()).body.missing).toContain(entry);
  expect((await put(entry, bytes)).status).toBe(204);
  expect((await claim()).body.missing).not.toContain(entry);
});

test('two concurrent uploads of the same file both succeed', async () => {
  const [one, two] = await Promise.all([claim(), claim(chat.upload, opsToken)]);
  expect(one.body.id).toBe(two.body.id);
  await Promise.all([putAll(), putAll()]);
  const [first, second] = await Promise.all([publish(), publish('mfe-chat@1.4.0', opsToken)]);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(first.body.publishedAt).toBe(second.body.publishedAt);
  expect(await (await served(entry)).text()).toBe(chat.contents.get(entry)?.toString());
});

test('of two claims of one version with different content, one succeeds', async () => {
  const other = await build({ words: 'other words' });
  const answers = await Promise.all([claim(), claim(other.upload)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('an abandoned version can be claimed again after a while', async () => {
  const id = 'mfe-chat@3.0.0';
  const first = await build({ version: '3.0.0' });
  await claim(first.upload);
  await put(entry, first.contents.get(entry) as Buffer, { id });
  const other = await build({ version: '3.0.0', words: 'other words' });
  expect((await claim(other.upload)).status).toBe(409);

  const { releases } = createCompositionStore(api.connection);
  await releases.updateOne({ _id: id }, { $set: { createdAt: new Date(Date.now() - 16 * 60_000) } });
  expect(await claim(other.upload)).toMatchObject({ status: 200, body: { publishedAt: null } });
  await putAll(other, id);
  expect((await publish(id)).status).toBe(200);
  expect(await (await served(entry, '3.0.0')).text()).toContain('other words');
  expect((await claim(first.upload)).status).toBe(409);
});

test('lost and corrupted files are repaired by publishing the same release again', async () => {
  await claim();
  await putAll();
  await publish();
  const files = testFiles(api);
  await files.put(`releases/mfe-chat/1.4.0/${entry}`, Buffer.from('garbled'));
  await files.remove('releases/mfe-chat/1.4.0/screen.eeee5555.css');
  const again = await claim();
  expect(again.body.missing.sort()).toEqual([entry, 'screen.eeee5555.css'].sort());
  expect(again.body.publishedAt).not.toBeNull();
  await putAll();
  expect((await publish()).status).toBe(200);
  expect(await (await served(entry)).text()).toBe(chat.contents.get(entry)?.toString());
});

test("a remote's own token publishes that remote and nothing else", async () => {
  const refused = { status: 403, body: { error: 'forbidden' } };
  expect(await claim(chat.upload, authToken)).toMatchObject(refused);
  await claim();
  expect((await put(entry, 'x', { token: authToken })).status).toBe(403);
  expect(await publish('mfe-chat@1.4.0', authToken)).toMatchObject(refused);
  expect(await claim((await build({ name: 'host' })).upload)).toMatchObject(refused);
  expect(await claim(chat.upload, 'nobody-gave-this-token')).toMatchObject({
    status: 401,
    body: { error: 'ops_token_wrong' },
  });
  await putAll();
  await publish();
  // Reading is allowed with any release token.
  expect((await call('GET', '/ops/releases', undefined, authToken)).status).toBe(200);
  expect((await createVisitor(api.url).call('GET', '/ops/releases')).status).toBe(401);
});

test.each([
  '../../../outside.js',
  '..%2f..%2foutside.js',
  '%2e%2e%2foutside.js',
  '/etc/passwd',
  '%2fetc%2fpasswd',
  'REMOTEENTRY.dddd4444.js',
  './remoteEntry.dddd4444.js',
  'remoteEntry.dddd4444.js%00',
  'release.json',
])('refuses an upload to the path %s', async (path) => {
  await claim();
  // Uses http directly, since fetch would normalise the path.
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(api.url);
    const sending = request({
      hostname,
      port,
      method: 'PUT',
      path: `/ops/releases/mfe-chat@1.4.0/files/${path}`,
      headers: { Authorization: `Bearer ${chatToken}` },
    });
    sending.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sending.on('error', reject);
    sending.end(chat.contents.get(entry));
  });
  expect([400, 404]).toContain(status);
  expect((await claim()).body.missing).toHaveLength(3);
});

const integrity = `sha384-${'A'.repeat(64)}`;
const route = { path: '/tickets', module: './screen', guard: 'public', title: { zh: '工单', en: 'Tickets' } };

test.each<[string, object, string]>([
  ['a path that leads out', { files: [{ path: '../a.js', size: 1, integrity }] }, 'files.0.path'],
  ['an absolute path', { files: [{ path: '/a.js', size: 1, integrity }] }, 'files.0.path'],
  [
    'a name that disks have no room for',
    { files: [{ path: `${'a'.repeat(194)}.js`, size: 1, integrity }] },
    'files.0.path',
  ],
  ['a path with a backslash', { files: [{ path: 'a\\b.js', size: 1, integrity }] }, 'files.0.path'],
  ['a name', { name: '../host' }, 'name'],
  ['a version', { version: '1.4' }, 'version'],
  ['a version with something before it', { version: 'v1.4.0' }, 'version'],
  ['a contract', { contract: 'latest' }, 'contract'],
  ['a library of too long a name', { shared: { ['a'.repeat(215)]: '^1.0.0' } }, `shared.${'a'.repeat(93)}`],
  ['a range', { shared: { react: 'nineteen' } }, 'shared.react'],
  ['an entry that is not there', { entry: 'other.js' }, 'entry'],
  ['an asset that is not there', { exposes: { './x': { js: ['none.js'], css: [] } } }, 'exposes../x'],
  ['a table of routes', { routes: { '/': 'mfe-chat/./chat' } }, 'routes'],
  [
    'a route without a title in English',
    { routes: [{ ...route, title: { zh: '页' } }] },
    'routes.0.title.en',
  ],
  [
    'a route to a module that it does not expose',
    { routes: [{ ...route, module: './no' }] },
    'routes.0.module',
  ],
  ['a route twice', { routes: [route, route] }, 'routes.1.path'],
  ['a route outside of the desk', { routes: [{ ...route, path: '/../api' }] }, 'routes.0.path'],
  ['a route among the files of releases', { routes: [{ ...route, path: '/releases/x' }] }, 'routes.0.path'],
  ['a route at the address of previews', { routes: [{ ...route, path: '/preview/x' }] }, 'routes.0.path'],
  ['a route that looks like the API', { routes: [{ ...route, path: '/ops' }] }, 'routes.0.path'],
  ['the root', { routes: [{ ...route, path: '/' }] }, 'routes.0.path'],
  ['a guard that nobody knows', { routes: [{ ...route, guard: 'none' }] }, 'routes.0.guard'],
  [
    'a badge from another server',
    {
      routes: [
        {
          ...route,
          menu: { icon: 'book', order: 1, badge: { url: '//evil', field: 'n', label: route.title } },
        },
      ],
    },
    'routes.0.menu.badge.url',
  ],
  ['no container', { container: '' }, 'container'],
  ['a field that nobody knows', { type: 'text/html' }, 'type'],
  ['no files', { files: [] }, 'files'],
  ['a commit', { commit: 'HEAD; rm' }, 'commit'],
])('refuses %s', async (_what, change, field) => {
  expect(await claim({ ...chat.upload, ...change })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', field },
  });
});

test.each<[string, string[], number]>([
  ['two paths that differ by case alone', ['a.js', 'A.js'], 1],
  ['a file that is a folder too', ['a.js', 'a.js/b.js'], 1],
  ['more bytes than a release may have', ['a.js', 'b.js', 'c.js', 'd.js', 'e.js'], 16 * 1024 * 1024],
])('refuses %s', async (_what, paths, size) => {
  const files = paths.map((path) => ({ path, size, integrity }));
  const nothing = { entry: 'a.js', entryFiles: { js: [], css: [] }, exposes: {}, routes: [], styleMarks: {} };
  const { status, body } = await claim({ ...chat.upload, ...nothing, files });
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' });
});

test('a file may be named like a property of Object.prototype', async () => {
  const bytes = Buffer.from('export default 1;\n');
  const files = ['constructor', '__proto__', 'toString.js'].map((path) => ({
    path,
    size: bytes.length,
    integrity: integrityOf(bytes),
  }));
  const nothing = { entryFiles: { js: [], css: [] }, exposes: {}, routes: [], styleMarks: {} };
  const id = 'mfe-chat@4.0.0';
  await claim({ ...chat.upload, ...nothing, version: '4.0.0', entry: 'toString.js', files });
  for (const { path } of files) expect((await put(path, bytes, { id })).status).toBe(204);
  expect(await publish(id)).toMatchObject({ status: 200, body: { fileCount: 3 } });
  expect(await (await served('__proto__', '4.0.0')).text()).toBe(bytes.toString());
});

test('a release is copied from its upload and files, source maps included, with the same digest', async () => {
  const routes = [
    {
      path: '/chat',
      module: './screen',
      guard: 'session',
      title: { zh: '对话', en: 'Chat' },
      menu: {
        icon: 'chat',
        order: 1,
        badge: { url: '/api/count', field: 'n', label: { zh: '条', en: 'n' }, isCondition: true },
      },
    },
  ];
  const dist = await writeTestBuild(folder, {
    name: 'mfe-chat',
    version: '1.4.0',
    files: { 'remoteEntry.js.map': '{"version":3}' },
    manifest: { routes, links: ['/history'], commit: 'abcdef0' },
  });
  chat = await readBuildToSend(dist);
  await claim();
  await putAll();
  const { digest } = (await publish()).body;

  const copied = await call<ReleaseUpload>('GET', '/ops/releases/mfe-chat@1.4.0/upload');
  expect(copied.body).toEqual({
    ...chat.upload,
    files: [...chat.upload.files].sort((a, b) => (a.path < b.path ? -1 : 1)),
  });
  expect(describeRelease(ReleaseDescription.parse(copied.body)).digest).toBe(digest);
  for (const [path, bytes] of chat.contents) {
    const headers = { Authorization: `Bearer ${chatToken}` };
    const sent = await fetch(`${api.url}/ops/releases/mfe-chat@1.4.0/files/${path}`, { headers });
    expect(sent.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(Buffer.from(await sent.arrayBuffer())).toEqual(bytes);
  }
});

test.each(['upload', 'files/remoteEntry.dddd4444.js', 'files/release.json', 'files/..%2fsecret'])(
  'GET %s of a release requires a token that may publish it, and an existing file',
  async (path) => {
    await claim();
    await putAll();
    await publish();
    const status = async (token: string) =>
      (await call('GET', `/ops/releases/mfe-chat@1.4.0/${path}`, undefined, token)).status;

    expect(await status('some-other-token-entirely')).toBe(401);
    expect(await status(authToken)).toBe(403);
    if (/json|secret/.test(path)) expect(await status(chatToken)).toBe(404);
  },
);

test('lists published releases, newest first, paged and by name', async () => {
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
    const one = await build({ version });
    await claim(one.upload);
    await putAll(one, `mfe-chat@${version}`);
    await publish(`mfe-chat@${version}`);
  }
  const auth = await build({ name: 'mfe-auth', version: '2.0.0' });
  await claim(auth.upload, opsToken);
  for (const [path, bytes] of auth.contents)
    await put(path, bytes, { id: 'mfe-auth@2.0.0', token: opsToken });
  await publish('mfe-auth@2.0.0', opsToken);

  type Page = { releases: ReleaseSummary[]; nextCursor: string | null };
  const first = await call<Page>('GET', '/ops/releases?limit=3');
  expect(first.body.releases.map(({ id }) => id)).toEqual([
    'mfe-auth@2.0.0',
    'mfe-chat@1.2.0',
    'mfe-chat@1.1.0',
  ]);
  expect(first.body.releases[0]).toMatchObject({ publishedBy: 'ops', fileCount: 3, contract: '1.0.0' });
  const rest = await call<Page>('GET', `/ops/releases?limit=3&cursor=${first.body.nextCursor}`);
  expect(rest.body.releases.map(({ id }) => id)).toEqual(['mfe-chat@1.0.0']);
  expect(rest.body.nextCursor).toBeNull();
  const named = await call<Page>('GET', '/ops/releases?name=mfe-auth');
  expect(named.body.releases).toHaveLength(1);
  expect(await call('GET', `/ops/releases?name=mfe-auth&cursor=${first.body.nextCursor}`)).toMatchObject({
    status: 400,
    body: { field: 'cursor' },
  });
  expect((await call('GET', '/ops/releases/mfe-chat@9.9.9')).status).toBe(404);
});
