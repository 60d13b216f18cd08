import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, jest, test } from '@jest/globals';
import { createCompositionStore } from '../../releases/data/composition-store.ts';
import type { Release } from '../../releases/data/release.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { testFiles } from '../../testing/test-database.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import { type RunReleaseDeps, runRelease } from './run-release.ts';

const opsToken = 'the-ops-token-of-this-test';
const chatToken = 'the-token-of-mfe-chat';
const authToken = 'the-token-of-mfe-auth';
const projectRoot = fileURLToPath(new URL('../../../../', import.meta.url));

let dist: string;

const folder = await temporaryFolder('run-release');
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
  dist = await writeTestBuild(folder, { name: 'mfe-chat', version: '1.4.0' });
});

interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs the command in the folder of a remote with its own repository. */
async function run(argv: string[], more: Partial<RunReleaseDeps> = {}): Promise<Ran> {
  let out = '';
  let err = '';
  const code = await runRelease({
    argv,
    env: { RELEASE_TOKEN: chatToken },
    root: folder,
    cwd: dirname(dist),
    signal: new AbortController().signal,
    pause: () => Promise.resolve(),
    ...more,
    out: (text) => {
      out += text;
      more.out?.(text);
    },
    err: (text) => {
      err += text;
      more.err?.(text);
    },
  });
  return { code, out, err };
}

const publish = (more: Partial<RunReleaseDeps> = {}, ...argv: string[]) =>
  run(['--folder', relative(dirname(dist), dist), '--server', api.url, ...argv], more);

const published = () =>
  createCompositionStore(api.connection)
    .releases.find({ publishedAt: { $ne: null } })
    .lean<Release[]>();

/** Runs `work` with a proxy between the command and the server. */
async function withProxy<T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Forwards a request to the server. */
const handOn: RequestListener = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const answer = await fetch(api.url + request.url, {
    method: request.method ?? 'GET',
    headers: {
      Authorization: request.headers.authorization ?? '',
      'Content-Type': request.headers['content-type'] ?? '',
      'Accept-Language': 'en',
    },
    ...(request.method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
  });
  response.writeHead(answer.status, {
    'Content-Type': answer.headers.get('Content-Type') ?? 'text/plain',
  });
  response.end(await answer.text());
};

test('publishes a folder, prints the next step, and reports when it is already published', async () => {
  const first = await publish();
  expect(first.code).toBe(0);
  expect(first.out).toContain(`mfe-chat@1.4.0 is published: ${api.url}/chatbot/releases/mfe-chat/1.4.0/`);
  expect(first.out).toContain('npm run compose -- set mfe-chat@1.4.0');
  expect(first.err).toContain('3/3');
  expect(await published()).toMatchObject([{ _id: 'mfe-chat@1.4.0', publishedBy: 'mfe-chat' }]);

  const again = await publish();
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('nothing to do') });
  expect(again.err).not.toContain('1/');
});

test('--json prints only the result', async () => {
  const { code, out, err } = await publish({}, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toMatchObject({
    id: 'mfe-chat@1.4.0',
    status: 'published',
    fileCount: 3,
    sentFiles: 3,
    commit: null,
    tookMs: expect.any(Number),
  });
  expect(JSON.parse((await publish({}, '--json')).out)).toMatchObject({ status: 'unchanged', sentFiles: 0 });
});

test('lost files are restored', async () => {
  await publish();
  await testFiles(api).remove('releases/mfe-chat/1.4.0/remoteEntry.dddd4444.js');
  expect(await publish()).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 lost or corrupted files'),
  });
});

test('different content of the same version is refused, with advice', async () => {
  await publish();
  dist = await writeTestBuild(folder, { name: 'mfe-chat', version: '1.4.0', words: 'other' });
  const refused = await publish();
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--version') });
  expect(refused.err).toContain('Nothing is ever overwritten');
  const { code, err } = await publish({}, '--json');
  expect(code).toBe(1);
  expect(JSON.parse(err)).toMatchObject({ error: 'version_taken', code: 409 });
});

test('reports where a rejected token came from', async () => {
  const wrong = await publish({ env: { OPS_TOKEN: 'not-the-right-one-at-all' } });
  expect(wrong).toMatchObject({ code: 3, err: expect.stringContaining('OPS_TOKEN') });
  const other = await publish({}, '--token', authToken);
  expect(other).toMatchObject({ code: 3, err: expect.stringContaining('--token') });
  expect(other.err).toContain('be listed under mfe-chat');
  expect(await published()).toEqual([]);
});

test('the ops token of this machine is only sent to a server on this machine', async () => {
  await writeFile(join(folder, 'ops-token'), `${opsToken}\n`);
  const env = { DATA_DIR: '.' };
  expect((await publish({ env })).code).toBe(0);
  expect(await published()).toMatchObject([{ publishedBy: 'ops' }]);
  const argv = ['--folder', dist, '--server', 'https://desk.example'];
  expect(await run(argv, { env })).toMatchObject({ code: 3, err: expect.stringContaining('only used for') });
  expect(await publish({ env: { DATA_DIR: 'elsewhere' } })).toMatchObject({
    code: 3,
    err: expect.stringContaining(join(folder, 'elsewhere', 'ops-token')),
  });
});

test('an interrupted upload is resumed', async () => {
  const stopping = new AbortController();
  const first = await withProxy(
    (request, response) => {
      // One file never arrives.
      if (!request.url?.endsWith('/screen.eeee5555.css')) handOn(request, response);
    },
    (url) =>
      run(['--folder', dist, '--server', url], {
        signal: stopping.signal,
        err: (text) => {
          if (text.startsWith('2/3')) stopping.abort();
        },
      }),
  );
  expect(first).toMatchObject({ code: 1, err: expect.stringContaining('run it again to resume') });
  expect(await published()).toEqual([]);
  const second = await publish();
  expect(second.code).toBe(0);
  expect(second.err).toContain('resuming: 2 uploaded, 1 remaining');
});

test('two concurrent uploads of the same release both succeed', async () => {
  const both = await Promise.all([publish(), publish({ env: { OPS_TOKEN: opsToken } })]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(await published()).toHaveLength(1);
});

test('retries while the server is briefly unavailable', async () => {
  // The fifth and last attempt of the first call succeeds.
  const refused: Record<number, [number, string]> = { 1: [429, '7'], 3: [502, ''], 4: [503, '100'] };
  const pauses: number[] = [];
  let calls = 0;
  let isPublishing = false;
  const { code, err } = await withProxy(
    (request, response) => {
      calls += 1;
      const isFirstPublish = !isPublishing && request.url!.endsWith('/publish');
      isPublishing ||= isFirstPublish;
      const [status, after] = isFirstPublish ? ([504, ''] as const) : (refused[calls] ?? []);
      if (calls === 2) request.socket.destroy();
      else if (status) response.writeHead(status, after ? { 'Retry-After': after } : {}).end('away');
      else handOn(request, response);
    },
    (url) => run(['--folder', dist, '--server', url], { pause: async (ms) => void pauses.push(ms) }),
  );
  expect(code).toBe(0);
  for (const status of [429, 502, 503, 504]) expect(err).toContain(`(${status}), retrying in`);
  // At least what the server asks for, at most 30 s, and longer after each failure of one call.
  expect(pauses).toEqual([7000, 2000, 4000, 30_000, 1000]);
  expect(await published()).toHaveLength(1);
});

test('gives up after five failures of one call, and at once after a permanent failure', async () => {
  for (const [status, tries] of [
    [503, 5],
    [500, 1],
    [404, 1],
  ] as const) {
    let calls = 0;
    const { code } = await withProxy(
      (_request, response) => {
        calls += 1;
        response.writeHead(status).end('away');
      },
      (url) => run(['--folder', dist, '--server', url]),
    );
    expect([status, code, calls]).toEqual([status, 3, tries]);
  }
});

test('a file that was uploaded and lost is uploaded again before publishing', async () => {
  let isLost = false;
  const { code } = await withProxy(
    async (request, response) => {
      if (request.url?.endsWith('/publish') && !isLost) {
        isLost = true;
        await testFiles(api).remove('releases/mfe-chat/1.4.0/screen.eeee5555.css');
      }
      handOn(request, response);
    },
    (url) => run(['--folder', dist, '--server', url]),
  );
  expect({ code, isLost }).toEqual({ code: 0, isLost: true });
  expect(await published()).toHaveLength(1);
});

test('the token does not follow a redirect', async () => {
  const seen: (string | undefined)[] = [];
  const { code, err } = await withProxy(
    (request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    },
    (elsewhere) =>
      withProxy(
        (_request, response) => response.writeHead(308, { Location: `${elsewhere}/ops/releases` }).end(),
        (url) => run(['--folder', dist, '--server', url]),
      ),
  );
  expect({ code, seen }).toEqual({ code: 3, seen: [] });
  expect(err).toContain('redirects to');
});

test.each<[string, RequestListener, RegExp]>([
  ['a page', (_request, response) => response.end('<!doctype html>'), /not like a desk/],
  ['413', (_request, response) => response.writeHead(413).end('too large'), /proxy.*413/],
])(
  'a server that is no consultation desk and responds with %s is reported as such',
  async (_what, listener, words) => {
    const { code, err } = await withProxy(listener, (url) => run(['--folder', dist, '--server', url]));
    expect(code).toBe(3);
    expect(err).toMatch(words);
  },
);

test('an address without a server is reported immediately', async () => {
  const pause = jest.fn<() => Promise<void>>();
  const gone = await withProxy(
    () => undefined,
    (url) => Promise.resolve(url),
  );
  const { code, err } = await run(['--folder', dist, '--server', gone], { pause });
  expect(code).toBe(3);
  expect(err).toContain('could not be reached (ECONNREFUSED)');
  expect(pause).not.toHaveBeenCalled();
});

test('a dry run sends nothing and prints what would happen', async () => {
  const { releases } = createCompositionStore(api.connection);
  expect(await publish({}, '--dry-run')).toMatchObject({
    code: 0,
    out: expect.stringContaining('not published yet'),
  });
  expect(await releases.countDocuments({})).toBe(0);
  await publish();
  expect((await publish({}, '--dry-run')).out).toContain('already published with the same content');
  dist = await writeTestBuild(folder, { name: 'mfe-chat', version: '1.4.0', words: 'other' });
  const taken = await publish({}, '--dry-run');
  expect(taken).toMatchObject({ code: 1, out: expect.stringContaining('remoteEntry.dddd4444.js') });
  const alone = await publish({ env: {} }, '--dry-run');
  expect(alone).toMatchObject({ code: 0, out: expect.stringContaining('the build is valid') });
});

test('a dry run and a refusal name the differences', async () => {
  await publish();
  const file = join(dist, 'release.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  const routes = [
    { path: '/other', module: './screen', guard: 'public', title: { zh: '其他', en: 'Other' } },
  ];
  await writeFile(
    file,
    JSON.stringify({ ...manifest, routes, links: ['/login'], shared: { react: '^19.1.0' } }),
  );

  const dry = await publish({}, '--dry-run');
  expect(dry).toMatchObject({
    code: 1,
    out: expect.stringContaining('other content (shared, routes, links)'),
  });
  const refused = await publish();
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('differs in: shared, routes, links'),
  });
});

test('a build that the live host could not open uses up no version, unless it is meant for a later host', async () => {
  const host = await writeTestBuild(folder, { name: 'host', version: '1.0.0' });
  const desk = await startTestApi({
    config: { opsToken, releaseTokens: { 'mfe-chat': chatToken } },
    builds: [host, dist],
  });
  try {
    const file = join(dist, 'release.json');
    const manifest = JSON.parse(await readFile(file, 'utf8'));
    const build = { ...manifest, version: '1.5.0', contract: '9.0.0', shared: { react: '^99.0.0' } };
    await writeFile(file, JSON.stringify(build));
    const send = (...argv: string[]) => run(['--folder', 'dist', '--server', desk.url, ...argv]);
    const ids = async () =>
      (await createCompositionStore(desk.connection).releases.find({}).lean<Release[]>()).map(
        ({ _id }) => _id,
      );

    const refused = await send();
    expect(refused.err).toMatch(
      /host@1\.0\.0, which is live, could not open.*\n.*contract 9\.0\.0.*\n.*needs react \^99\.0\.0, and the host provides/,
    );
    expect(refused.code).toBe(1);
    expect((await send('--dry-run')).out).toContain('needs react ^99.0.0');
    expect(await ids()).not.toContain('mfe-chat@1.5.0');
    expect(await send('--force')).toMatchObject({ code: 0 });
    expect(await ids()).toContain('mfe-chat@1.5.0');
  } finally {
    await desk.end();
  }
});

test.each([
  [['--sever', 'x'], /no option --sever\n\(Did you mean --server\?\)/],
  [['--server'], /--server <address> needs a value/],
  [['--lang', 'fr'], /--lang must be zh or en, got "fr"/],
  [['--token', '令牌'], /^The token from --token contains/],
  [['--server', 'desk.example'], /--server must be an address.*"desk\.example"/],
  [['--version', '1.4'], /--version must be a version.*"1\.4"/],
  [['--address', 'https://cdn.example/chat'], /trailing slash/],
  [['--address', '/chat/'], /--address must be an absolute address/],
  [['--folder', 'nothing'], /no release\.json in .*nothing/],
  [['--folder', 'dist', '--version', '9.9.9'], /RELEASE_VERSION=9\.9\.9/],
  [[], /no rspack\.config\.js in /],
  [['dist'], /too many arguments/],
])('invalid usage: %j', async (argv, words) => {
  const { code, err } = await run([...argv, ...(argv.includes('--server') ? [] : ['--server', api.url])]);
  expect(code).toBe(2);
  expect(err).toMatch(words);
});

test('invalid usage is reported in Chinese, and as JSON, if requested', async () => {
  expect((await run(['--sever', 'x', '--lang', 'zh'])).err).toMatch(
    /没有选项 --sever\n（是否想写 --server？）/,
  );
  const { code, err } = await run(['--sever', 'x', '--json']);
  expect({ code, said: JSON.parse(err) }).toMatchObject({ code: 2, said: { error: 'invalid_request' } });
});

test('an invalid build is reported before anything is sent', async () => {
  const manifest = JSON.parse(await readFile(join(dist, 'release.json'), 'utf8'));
  const broken = join(folder, 'broken');
  await cp(dist, broken, { recursive: true });
  await writeFile(join(broken, 'release.json'), JSON.stringify({ ...manifest, shared: { react: 'newest' } }));
  const { code, err } = await run(['--folder', broken, '--server', api.url]);
  expect(code).toBe(1);
  expect(err).toMatch(/must be a range[\s\S]*shared\.react/);
});

test('prints Chinese if requested', async () => {
  const { out } = await publish({}, '--lang', 'zh');
  expect(out).toContain('已发布 mfe-chat@1.4.0');
  expect((await publish({ env: { RELEASE_TOKEN: chatToken, LANG: 'zh_CN.UTF-8' } })).out).toContain(
    '内容相同',
  );
});

test('only the help prints the usage', async () => {
  const { code, out } = await run(['--help']);
  expect(code).toBe(0);
  for (const word of [
    '--server',
    '--token',
    '--version',
    '--folder',
    '--address',
    '--dry-run',
    'RELEASE_TOKEN',
  ])
    expect(out).toContain(word);
});

/** null if the project is not in a repository. */
function head(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: projectRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

const hostContract = () =>
  /HostContractVersion = '([\d.]+)'/.exec(
    readFileSync(join(projectRoot, 'host/src/contract.ts'), 'utf8'),
  )?.[1];

test('builds the workspace in the working folder under the given version, beside its dist', async () => {
  const stamp = () => readFile(join(projectRoot, 'mfe-auth/dist/release.json'), 'utf8').catch(() => 'none');
  const before = await stamp();
  const built = head();
  const { code, out } = await run(['--server', api.url, '--version', '7.7.7', '--json'], {
    env: { RELEASE_TOKEN: authToken },
    root: projectRoot,
    cwd: join(projectRoot, 'mfe-auth'),
  });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ id: 'mfe-auth@7.7.7', status: 'published' });
  const [release] = await published();
  expect(release).toMatchObject({ container: 'mfe_auth', contract: hostContract() });
  // There may have been a commit in between.
  expect([built, head()]).toContain(release?.commit?.replace('-dirty', '') ?? null);
  expect(release?.files.some(({ path }) => path === release.entry)).toBe(true);
  expect(await stamp()).toBe(before);
});
