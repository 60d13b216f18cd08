import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CheckReport } from '../../contract/compositions.ts';
import type { Language } from '../../contract/language.ts';
import { type FileStore, readStored } from '../../files/storage/file-store.ts';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { type TestBuild, writeTestBuild } from '../../testing/write-test-build.ts';
import type { Composition } from '../data/composition-store.ts';
import type { Release } from '../data/release.ts';
import { releaseKey } from '../data/release-keys.ts';
import { compose } from '../live/compose.ts';
import { type PublishDeps, publishRelease } from '../publish/publish-release.ts';
import { readBuild } from '../publish/read-build.ts';
import { createCheckFiles } from './check-files.ts';
import { createCheck } from './create-check.ts';

let deps: PublishDeps;

const opened = await openTestCompositions();
afterAll(() => opened?.close());
beforeEach(async () => {
  deps = await opened.clear();
});

const publish = async (build: TestBuild): Promise<Release> =>
  publishRelease(await readBuild(await writeTestBuild(opened.folder, build)), deps);

const pageOrigin = 'https://desk.example';

const compositionOf = (releases: Release[]) =>
  compose({ releases, parent: null, author: 'wang', reason: '', createdAt: new Date() });

/** Checks the releases together. */
function check(
  releases: Release[],
  {
    files = deps.files,
    releaseOrigins = [] as string[],
    language = 'en' as Language,
    live = null as Composition | null,
    allowWeakerGuard = false,
    fetchMs = 60_000,
  } = {},
): Promise<CheckReport> {
  const composition = compositionOf(releases);
  const { store } = deps;
  const check = createCheck({
    store,
    checkFiles: createCheckFiles({ files, releaseOrigins, pageOrigin, fetchMs }),
  });
  return check(composition, live, language, { allowWeakerGuard });
}

const keyOf = (release: Release, path: RegExp) =>
  releaseKey(release, release.files.find((file) => path.test(file.path))!.path);

test('a working composition has no findings, and the report lists what was checked', async () => {
  const releases = [await publish({ name: 'host' }), await publish({ name: 'mfe-chat' })];
  expect(await check(releases)).toEqual({
    composition: expect.stringMatching(/^[0-9a-f]{64}$/),
    isFine: true,
    findings: [],
    looked: { reachable: 7, integrity: 7, exposes: 2, shared: 1, contract: 1, names: 2, routes: 2 },
    tookMs: expect.any(Number),
  });
});

describe('reachable and integrity, in the built-in store', () => {
  test('a missing file is named with its release', async () => {
    const chat = await publish({ name: 'mfe-chat' });
    await deps.files.remove(keyOf(chat, /chunks/));
    const { isFine, findings } = await check([await publish({ name: 'host' }), chat]);
    expect(isFine).toBe(false);
    expect(findings).toEqual([
      {
        rule: 'reachable',
        remote: 'mfe-chat',
        release: 'mfe-chat@1.0.0',
        message:
          '1 of 3 files of mfe-chat@1.0.0 cannot be fetched: chunks/screen.66697273.js is not in the release store',
        advice:
          'Publish the same build again, which puts its files back, or choose another release of mfe-chat',
      },
    ]);
  });

  test('flipped bytes are detected by their hash, a different length by its size', async () => {
    const chat = await publish({ name: 'mfe-chat' });
    const host = await publish({ name: 'host' });
    const key = keyOf(chat, /remoteEntry/);
    const whole = await readStored((await deps.files.open(key))!);
    const flipped = Buffer.from(whole!);
    flipped[3]! ^= 1;
    for (const bytes of [flipped, Buffer.concat([whole!, Buffer.from(' ')])]) {
      await deps.files.put(key, bytes);
      const { findings } = await check([host, chat]);
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({ rule: 'integrity', release: 'mfe-chat@1.0.0' });
      expect(findings[0]!.message).toMatch(/remoteEntry\.dddd4444\.js expected \d+ bytes of sha384-/);
    }
    await deps.files.put(key, whole!);
    expect(await check([host, chat])).toMatchObject({ isFine: true });
  });

  test('intact files are read again only when they have changed', async () => {
    const releases = [await publish({ name: 'host' }), await publish({ name: 'mfe-chat' })];
    let streams = 0;
    const files: FileStore = {
      ...deps.files,
      async open(key) {
        const file = await deps.files.open(key);
        const stream = () => {
          streams++;
          return file!.stream();
        };
        return file && { ...file, stream };
      },
    };
    const composition = compositionOf(releases);
    const again = createCheck({
      store: deps.store,
      checkFiles: createCheckFiles({ files, releaseOrigins: [], pageOrigin }),
    });
    expect(await again(composition, null, 'en')).toMatchObject({ isFine: true });
    expect(streams).toBe(7);
    expect(await again(composition, null, 'en')).toMatchObject({ isFine: true, looked: { integrity: 7 } });
    expect(streams).toBe(7);

    const key = keyOf(releases[1]!, /remoteEntry/);
    const bytes = (await readStored((await deps.files.open(key))!))!;
    bytes[0]! ^= 1;
    await deps.files.put(key, bytes);
    expect((await again(composition, null, 'en')).findings).toMatchObject([{ rule: 'integrity' }]);
    expect(streams).toBe(8);
  });

  test('damage to a release that is already live does not block changing another one', async () => {
    const host = await publish({ name: 'host' });
    const chat = await publish({ name: 'mfe-chat' });
    const auth = await publish({ name: 'mfe-auth' });
    const live = compositionOf([host, chat, auth]);
    await deps.files.remove(keyOf(auth, /remoteEntry/));
    const next = await publish({ name: 'mfe-chat', version: '1.4.0' });
    expect(await check([host, next, auth], { live })).toMatchObject({
      isFine: true,
      looked: { reachable: 3, integrity: 3, contract: 2 },
    });
    // A check of the live composition itself reports everything, and choosing the broken release again is
    // refused.
    expect(await check([host, chat, auth], { live })).toMatchObject({
      findings: [{ rule: 'reachable', release: auth._id }],
      looked: { reachable: 10 },
    });
    expect(await check([host, chat, auth])).toMatchObject({ isFine: false });
  });

  test('a release that is unpublished or removed cannot be part of a composition', async () => {
    const chat = await publish({ name: 'mfe-chat' });
    const host = await publish({ name: 'host' });
    await deps.store.releases.updateOne({ _id: chat._id }, { $set: { publishedAt: null } });
    const { findings, looked } = await check([host, chat], { language: 'zh' });
    expect(findings).toMatchObject([{ rule: 'reachable', release: chat._id }]);
    expect(findings[0]!.message).toBe('mfe-chat@1.0.0 已不存在或尚未发布');
    expect(looked).toEqual({});
  });
});

describe('reachable and integrity, on a team’s own origin', () => {
  let server: Server;
  let origin: string;
  let answer: (request: IncomingMessage, response: ServerResponse, bytes: Buffer) => void;
  let chat: Release;
  let host: Release;
  const types: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css' };

  const serve = (request: IncomingMessage, response: ServerResponse, bytes: Buffer, headers = {}) => {
    const type = types[request.url!.split('.').at(-1)!]!;
    response.writeHead(200, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*', ...headers });
    response.end(bytes);
  };

  beforeEach(async () => {
    host = await publish({ name: 'host' });
    const build = await readBuild(await writeTestBuild(opened.folder, { name: 'mfe-chat' }));
    server = createServer((request, response) => {
      const bytes = build.contents.get(request.url!.slice('/chat/'.length));
      if (bytes) answer(request, response, bytes);
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    answer = serve;
    const { contents: _, ...described } = build;
    const published = { createdAt: new Date(), publishedAt: new Date(), publishedBy: 'ops', removed: null };
    chat = { ...described, ...published, _id: 'mfe-chat@1.0.0', base: `${origin}/chat/` };
    await deps.store.releases.create(chat);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const messageOf = async (options: { releaseOrigins?: string[]; fetchMs?: number } = {}) => {
    const { findings } = await check([host, chat], { releaseOrigins: [origin], ...options });
    expect(findings.map(({ remote }) => remote)).toEqual(['mfe-chat']);
    return `${findings[0]!.rule}: ${findings[0]!.message}`;
  };

  test('intact files with CORS and the right types pass, and are requested with the page’s origin', async () => {
    const origins = new Set<string | undefined>();
    answer = (request, response, bytes) => {
      origins.add(request.headers.origin);
      serve(request, response, bytes, { 'Access-Control-Allow-Origin': request.headers.origin });
    };
    expect(await check([host, chat], { releaseOrigins: [origin] })).toMatchObject({ isFine: true });
    expect([...origins]).toEqual([pageOrigin]);
  });

  test('an origin that is not allowed is never requested', async () => {
    answer = () => {
      throw new Error('asked');
    };
    expect(await messageOf({ releaseOrigins: ['https://cdn.example'] })).toMatch(
      /^reachable: 3 of 3 .* which is not one of RELEASE_ORIGINS \(https:\/\/cdn\.example\)/,
    );
  });

  test.each<[string, (response: ServerResponse, bytes: Buffer) => void, RegExp]>([
    ['404', (response) => response.writeHead(404).end(), /^reachable: .* was answered with status 404/],
    [
      'redirects',
      (response) => response.writeHead(302, { Location: 'http://169.254.169.254/' }).end(),
      /^reachable: .* was answered with status 302/,
    ],
    [
      'has no CORS',
      (response, bytes) => response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(bytes),
      /^reachable: .* does not allow other origins: .* got no such header/,
    ],
    [
      'is HTML',
      (response) =>
        response
          .writeHead(200, { 'Content-Type': 'text/html', 'Access-Control-Allow-Origin': '*' })
          .end('<!doctype html>'),
      /^reachable: .* expected text\/javascript, got "text\/html"/,
    ],
    [
      'breaks off',
      (response) => {
        response.writeHead(200, {
          'Content-Type': 'text/javascript',
          'Access-Control-Allow-Origin': '*',
          'Content-Length': '999',
        });
        response.write('half');
        setImmediate(() => response.destroy());
      },
      /^reachable: .* could not be fetched/,
    ],
    [
      'never ends',
      (response) => {
        response.writeHead(200, { 'Content-Type': 'text/javascript', 'Access-Control-Allow-Origin': '*' });
        const more = () => response.write(Buffer.alloc(65_536)) && setImmediate(more);
        response.on('drain', more);
        response.on('close', () => response.off('drain', more));
        more();
      },
      /^reachable: .* is longer than \d+ bytes/,
    ],
    [
      'has other bytes',
      (response, bytes) =>
        response
          .writeHead(200, { 'Content-Type': 'text/javascript', 'Access-Control-Allow-Origin': '*' })
          .end(bytes.toString().replace('first', 'f1rst')),
      /^integrity: .* SHA-384 .* got other content/,
    ],
  ])('an entry that %s is refused', async (_name, respond, expected) => {
    answer = (request, response, bytes) =>
      /remoteEntry/.test(request.url!) ? respond(response, bytes) : serve(request, response, bytes);
    expect(await messageOf()).toMatch(expected);
  });

  test('a server that hangs is abandoned after the time limit for one file', async () => {
    const ended: Promise<unknown>[] = [];
    answer = (_request, response) => void ended.push(once(response, 'close'));
    expect(await messageOf({ fetchMs: 500 })).toMatch(/^reachable: 3 of 3 files .* did not answer in time/);
    // No connection stays open.
    expect(ended).toHaveLength(3);
    await Promise.all(ended);
  });

  test('the files of a server that is not running are reported as unreachable', async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await messageOf()).toMatch(/^reachable: .* could not be fetched \(ECONNREFUSED\)/);
  });

  test('a live release whose server is down does not block changing another one, and is not requested', async () => {
    const live = compositionOf([host, chat]);
    let asked = 0;
    answer = (_request, response) => {
      asked++;
      response.writeHead(503).end();
    };
    const auth = await publish({ name: 'mfe-auth' });
    const origins = { live, releaseOrigins: [origin] };
    expect(await check([host, chat, auth], origins)).toMatchObject({
      isFine: true,
      looked: { reachable: 3 },
    });
    expect(asked).toBe(0);
    expect(await check([host, chat], origins)).toMatchObject({ findings: [{ rule: 'reachable' }] });
    expect(asked).toBe(3);
  });
});

describe('exposes', () => {
  test('the entry of a release must be among its files', async () => {
    const host = await publish({ name: 'host' });
    const chat = await publish({ name: 'mfe-chat' });
    await deps.store.releases.updateOne({ _id: chat._id }, { $set: { entry: 'gone.js' } });
    const { findings } = await check([host, chat]);
    expect(findings).toMatchObject([{ rule: 'exposes', release: 'mfe-chat@1.0.0' }]);
    expect(findings[0]!.message).toBe('mfe-chat@1.0.0 declares "gone.js", which is not among its files');
  });

  test('a host without the placeholder for the head is refused', async () => {
    const host = await publish({ name: 'host' });
    await deps.store.releases.updateOne({ _id: host._id }, { $set: { template: '<!doctype html>' } });
    const { findings } = await check([host, await publish({ name: 'mfe-chat' })]);
    expect(findings).toMatchObject([{ rule: 'exposes', remote: 'host', release: 'host@1.0.0' }]);
    expect(findings[0]!.message).toContain('<!--head-->');
  });
});

describe('routes', () => {
  const route = (path: string, more: object = {}) => ({
    path,
    module: './screen',
    guard: 'public',
    title: { zh: '页', en: 'Page' },
    ...more,
  });
  const host = () =>
    publish({ name: 'host', manifest: { routes: [route('/composition', { guard: 'session' })] } });
  const desk = (routes: object[], more: Partial<TestBuild> = {}) =>
    publish({
      name: 'mfe-desk',
      manifest: { routes: [route('/index'), route('/login'), ...routes] },
      ...more,
    });

  test('routes of three compatible releases pass', async () => {
    const tickets = await publish({
      name: 'mfe-tickets',
      manifest: { routes: [route('/tickets/open')], links: ['/index', '/composition'] },
    });
    const report = await check([await host(), await desk([]), tickets]);
    expect(report).toMatchObject({ isFine: true, looked: { routes: 4 } });
    expect(report.warnings).toBeUndefined();
  });

  test.each(['/login', '/composition'])('%s must not belong to two releases', async (path) => {
    const tickets = await publish({ name: 'mfe-tickets', manifest: { routes: [route(path)] } });
    const { findings } = await check([await host(), await desk([]), tickets]);
    expect(findings).toMatchObject([{ rule: 'routes', release: 'mfe-tickets@1.0.0' }]);
    expect(findings[0]!.message).toMatch(
      new RegExp(`^mfe-tickets@1\\.0\\.0 and .* both declare /chatbot${path}$`),
    );
  });

  test("a weaker guard than the live route's is refused unless explicitly accepted", async () => {
    const [page, guarded] = [await host(), await desk([route('/people', { guard: 'session' })])];
    const open = await desk([route('/people')], { version: '1.1.0', words: 'open' });
    const live = compositionOf([page, guarded]);
    await deps.store.compositions.create(live);
    const { findings } = await check([page, open], { live });
    expect(findings).toMatchObject([{ rule: 'routes', remote: 'mfe-desk', release: 'mfe-desk@1.1.0' }]);
    expect(findings[0]!.message).toContain('/chatbot/people needs a session now');
    expect(await check([page, open], { live, allowWeakerGuard: true })).toMatchObject({ isFine: true });
    expect(await check([page, guarded], { live: compositionOf([page, open]) })).toMatchObject({
      isFine: true,
    });
  });

  test('every path that a release links to must be declared, including the host’s own', async () => {
    const tickets = await publish({
      name: 'mfe-tickets',
      manifest: { routes: [route('/index')], links: ['/people'] },
    });
    const { findings } = await check([await host(), tickets]);
    expect(findings.map(({ release, message }) => [release, /\/chatbot\S+/.exec(message)?.[0]])).toEqual([
      ['host@1.0.0', '/chatbot/login,'],
      ['mfe-tickets@1.0.0', '/chatbot/people,'],
    ]);
  });
});

describe('content of scripts', () => {
  const withEntry = (name: string, text: string) =>
    publish({
      name,
      files: { 'entry.js': text },
      manifest: { entry: 'entry.js', entryFiles: { js: ['entry.js'], css: [] } },
    });

  test.each([
    [
      'a page instead of a script',
      '<!doctype html><h1>404</h1>',
      /^entry\.js of mfe-chat@1\.0\.0 is not a valid ES module: Unexpected token '<'$/,
    ],
    ['broken syntax', 'export const init = ;', /is not a valid ES module: Unexpected token ';'$/],
    [
      'broken syntax within a function',
      'export const get = () => 1; export function init() { return 1 +; }',
      /is not a valid ES module/,
    ],
    [
      'a container of type var',
      'var mfe_chat; mfe_chat = { init() {}, get() {} };',
      /must export init and get, .*; it exports nothing$/,
    ],
    [
      'half a container',
      'const x = 1; export { x as get };',
      /must export init and get, .*; it exports get$/,
    ],
    ['nothing at all', '', /it exports nothing$/],
  ])('an entry with %s is refused', async (_, text, told) => {
    const { isFine, findings } = await check([
      await publish({ name: 'host' }),
      await withEntry('mfe-chat', text),
    ]);
    expect(isFine).toBe(false);
    expect(findings).toMatchObject([{ rule: 'exposes', remote: 'mfe-chat', release: 'mfe-chat@1.0.0' }]);
    expect(findings[0]?.message).toMatch(told);
  });

  test.each([
    ["import * as own from './x.js'; export const init = own.init; export async function get() {}"],
    ["export * from './x.js';"],
    ['const a = 1; export { a as init, a as get }; // <html>'],
  ])('an entry that exports what is needed may be written as %s', async (text) => {
    const releases = [await publish({ name: 'host' }), await withEntry('mfe-chat', text)];
    expect((await check(releases)).findings).toEqual([]);
  });

  test('a broken script of an exposed screen or of the host is also refused', async () => {
    const manifest = { exposes: { './screen': { js: ['broken.js'], css: [] } } };
    const chat = await publish({ name: 'mfe-chat', files: { 'broken.js': 'let a; let a;' }, manifest });
    expect((await check([await publish({ name: 'host' }), chat])).findings).toMatchObject([
      { rule: 'exposes', message: expect.stringContaining('broken.js of mfe-chat@1.0.0') },
    ]);
    const host = await withEntry('host', 'const = 1');
    expect((await check([host])).findings).toContainEqual(
      expect.objectContaining({ rule: 'exposes', remote: 'host', release: host._id }),
    );
  });

  test('parsed scripts are cached', async () => {
    const releases = [await publish({ name: 'host' }), await withEntry('mfe-chat', 'var mfe_chat')];
    const composition = compositionOf(releases);
    const again = createCheck({
      ...deps,
      checkFiles: createCheckFiles({ ...deps, releaseOrigins: [], pageOrigin }),
    });
    for (let i = 0; i < 2; i++) expect((await again(composition, null, 'en')).findings).toHaveLength(1);
  });
});

describe('shared', () => {
  test('a remote that needs a newer React is refused, with a compatible older release and newer host as advice', async () => {
    const host = await publish({ name: 'host' });
    await publish({ name: 'host', version: '1.1.0', manifest: { shared: { react: '20.0.1' } } });
    await publish({
      name: 'host',
      version: '1.2.0',
      manifest: { shared: { react: '20.1.0', rxjs: '7.8.2' } },
    });
    await publish({ name: 'mfe-chat', version: '1.3.0' });
    await publish({ name: 'mfe-chat', version: '1.10.0' });
    await publish({ name: 'mfe-chat', version: '1.11.0', manifest: { contract: '9.0.0' } });
    const chat = await publish({
      name: 'mfe-chat',
      version: '2.0.0',
      manifest: { shared: { react: '^20.0.0' } },
    });
    expect((await check([host, chat])).findings).toEqual([
      {
        rule: 'shared',
        remote: 'mfe-chat',
        release: 'mfe-chat@2.0.0',
        message: 'mfe-chat@2.0.0 needs react ^20.0.0, and host@1.0.0 provides 19.3.1',
        advice:
          'Choose mfe-chat@1.10.0, which is compatible with this host; or choose host@1.2.0, which is compatible with every remote; or build mfe-chat with react ^19.3.1 and publish it',
      },
    ]);
    expect((await check([host, chat], { language: 'zh' })).findings[0]).toMatchObject({
      message: 'mfe-chat@2.0.0 需要 react ^20.0.0，而 host@1.0.0 提供的是 19.3.1',
    });
  });

  test('a newer host is not recommended if another remote is incompatible with it', async () => {
    const host = await publish({ name: 'host' });
    await publish({ name: 'host', version: '2.0.0', manifest: { shared: { react: '20.0.0' } } });
    const chat = await publish({ name: 'mfe-chat', manifest: { shared: { react: '^20.0.0' } } });
    const { findings } = await check([host, chat, await publish({ name: 'mfe-auth' })]);
    expect(findings.map(({ advice }) => advice)).toEqual([
      'Build mfe-chat with react ^19.3.1 and publish it',
    ]);
  });

  test('a library that the host does not provide', async () => {
    const host = await publish({ name: 'host' });
    const chat = await publish({ name: 'mfe-chat', manifest: { shared: { react: '*', vue: '^3.0.0' } } });
    const { findings, looked } = await check([host, chat]);
    expect(looked.shared).toBe(2);
    expect(findings).toMatchObject([{ rule: 'shared', remote: 'mfe-chat' }]);
    expect(findings[0]!.message).toBe(
      'mfe-chat@1.0.0 needs vue ^3.0.0 as a shared library, which host@1.0.0 does not provide',
    );
  });

  test('an invalid version range', async () => {
    const chat = await publish({ name: 'mfe-chat' });
    const range = { library: 'react', range: 'newest' };
    await deps.store.releases.updateOne({ _id: chat._id }, { $set: { shared: [range] } });
    const { findings } = await check([await publish({ name: 'host' }), chat]);
    expect(findings[0]!.message).toBe(
      'mfe-chat@1.0.0 asks for react in "newest", which is not a valid version range',
    );
  });
});

test('a release that failed in pages is never recommended', async () => {
  const host = await publish({ name: 'host' });
  const bad = { manifest: { shared: { react: '^20.0.0' } } };
  const chat = await publish({ name: 'mfe-chat', version: '2.0.0', ...bad });
  await publish({ name: 'mfe-chat', version: '1.5.0' });
  await publish({ name: 'mfe-chat', version: '1.4.0' });
  const composition = compositionOf([host, chat]);
  const health = { verdicts: async () => new Map([['mfe-chat@1.5.0', 'failing'] as const]) };
  const checkWith = createCheck({
    ...deps,
    health,
    checkFiles: createCheckFiles({ ...deps, releaseOrigins: [], pageOrigin }),
  });
  const [finding] = (await checkWith(composition, null, 'en')).findings;
  expect(finding?.advice).toContain('mfe-chat@1.4.0');
  expect(finding?.advice).not.toContain('mfe-chat@1.5.0');
});

describe('contract', () => {
  test.each([
    ['1.2.0', '1.2.0', true],
    ['1.2.0', '1.1.5', true],
    ['1.2.0', '1.3.0', false],
    ['2.0.0', '1.2.0', false],
    ['1.2.0', '2.0.0', false],
  ])('a host of %s and a remote of %s: %s', async (offered, needed, isFine) => {
    const host = await publish({ name: 'host', manifest: { contract: offered } });
    const chat = await publish({ name: 'mfe-chat', manifest: { contract: needed } });
    const report = await check([host, chat]);
    expect(report.isFine).toBe(isFine);
    if (isFine) return;
    expect(report.findings).toMatchObject([
      {
        rule: 'contract',
        release: 'mfe-chat@1.0.0',
        message: `mfe-chat@1.0.0 was built against the host contract ${needed}, and host@1.0.0 offers ${offered}`,
        advice: `Build mfe-chat against the contract ${offered} and publish it`,
      },
    ]);
  });
});

describe('names', () => {
  const messages = async (...releases: Release[]) =>
    (
      await check([await publish({ name: 'host' }), await publish({ name: 'mfe-chat' }), ...releases])
    ).findings
      .filter(({ rule }) => rule === 'names')
      .map(({ remote, message }) => `${remote}: ${message}`);
  const setContainer = async (build: TestBuild, container: string) => {
    const release = await publish(build);
    await deps.store.releases.updateOne({ _id: release._id }, { $set: { container } });
    return release;
  };

  test('distinct names pass', async () => {
    expect(await messages(await publish({ name: 'mfe-auth' }))).toEqual([]);
  });

  test('the same container name twice', async () => {
    expect(await messages(await setContainer({ name: 'mfe-notes' }, 'mfe_chat'))).toEqual([
      'mfe-notes: mfe-notes@1.0.0 has the container name "mfe_chat", and so has mfe-chat@1.0.0',
    ]);
  });

  test('the host’s own name, and an invalid identifier', async () => {
    expect(await messages(await setContainer({ name: 'mfe-notes' }, 'host'))).toEqual([
      'mfe-notes: mfe-notes@1.0.0 has the container name "host", and so has host@1.0.0',
    ]);
    expect(await messages(await setContainer({ name: 'mfe-more' }, 'mfe-more'))).toEqual([
      'mfe-more: The container name of mfe-more@1.0.0 must be an identifier, got "mfe-more"',
    ]);
  });

  test('the same chunk registry twice', async () => {
    const styleMarks = { 'screen.eeee5555.css': 'mfe-chat@1.0.0+0a1b2c3d:chunk-notes' };
    expect(await messages(await publish({ name: 'mfe-notes', manifest: { styleMarks } }))).toEqual([
      'mfe-notes: mfe-notes@1.0.0 and mfe-chat@1.0.0 were built with the same uniqueName, "mfe-chat@1.0.0+0a1b2c3d", and would run each other\'s chunks',
    ]);
  });
});

describe('standard remotes', () => {
  /** The paths to which the host navigates, as screens of its own. */
  const OWN_ROUTES = ['/index', '/login'].map((path) => ({
    path,
    module: './own',
    guard: 'public',
    title: { zh: '首页', en: 'Home' },
  }));
  const host = () =>
    publish({
      name: 'host',
      manifest: {
        contract: '1.6.0',
        shared: { react: '19.3.1', rxjs: '7.8.2' },
        facades: ['rxjs'],
        routes: OWN_ROUTES,
      },
    });
  const entry = 'remoteEntry.dddd4444.js';
  const standard = (
    name: string,
    { manifest = {}, ...build }: Partial<TestBuild> = {},
    type: 'module' | 'script' = 'module',
  ) =>
    publish({
      name,
      ...build,
      manifest: {
        contract: '1.6.0',
        styleMarks: {},
        standard: { type, own: { lodash: '4.17.21' } },
        ...manifest,
      },
    });
  /** A build whose entry is this classic script. */
  const classic = (name: string, text: string, chunks?: string) =>
    standard(name, {
      files: { 'container.js': text },
      manifest: {
        entry: 'container.js',
        entryFiles: { js: ['container.js'], css: [] },
        exposes: {},
        routes: [],
        standard: { type: 'script', own: {}, ...(chunks ? { chunks } : {}) },
      },
    });

  test('may bring libraries that the host does not have', async () => {
    expect(await check([await host(), await standard('mfe-tickets')])).toMatchObject({ findings: [] });
  });

  test.each([
    [{ rxjs: '^7.0.0' }, /needs rxjs \^7\.0\.0 as a shared library, which host@1\.0\.0 does not provide/],
    [{ react: '^18.0.0' }, /needs react \^18\.0\.0, and host@1\.0\.0 provides 19\.3\.1/],
  ])('get complete libraries of the host in a version that fits: %j', async (shared, message) => {
    const { findings } = await check([await host(), await standard('mfe-tickets', { manifest: { shared } })]);
    expect(findings).toMatchObject([{ rule: 'shared', message: expect.stringMatching(message) }]);
  });

  test('a remote of ours gets parts of libraries too', async () => {
    const chat = await publish({ name: 'mfe-notes', manifest: { shared: { rxjs: '^7.0.0' } } });
    expect(await check([await host(), chat])).toMatchObject({ findings: [] });
  });

  test('may be classic scripts that assign their container', async () => {
    const fine = await classic('mfe-tickets', 'var mfe_tickets; (() => { mfe_tickets = {}; })();');
    expect(await check([await host(), fine])).toMatchObject({ findings: [] });
    const { findings } = await check([await host(), await classic('mfe-orders', 'const other = {};')]);
    expect(findings).toMatchObject([
      { rule: 'exposes', message: expect.stringContaining('the global variable mfe_orders') },
    ]);
    const invalid = await check([await host(), await classic('mfe-bills', 'var mfe_bills = ;')]);
    expect(invalid.findings).toMatchObject([{ message: expect.stringContaining('is not a valid script') }]);
  });

  test('must not have the container or the chunk registry of another remote', async () => {
    const one = await classic('mfe-one', 'var mfe_one = {};', 'webpackChunkapp');
    const two = await classic('mfe-two', 'var mfe_two = {};', 'webpackChunkapp');
    const { findings } = await check([await host(), one, two]);
    expect(findings).toMatchObject([{ rule: 'names', message: expect.stringContaining('webpackChunkapp') }]);
    const same = await standard('mfe-three', { manifest: { container: 'mfe_one' } });
    expect((await check([await host(), one, same])).findings).toMatchObject([
      { rule: 'names', message: expect.stringContaining('container name "mfe_one"') },
    ]);
  });

  test('cannot run code that the policy blocks, no matter who published them', async () => {
    const build = { files: { 'more.js': 'eval("1;\\n//# sourceURL=webpack://a.js");' } };
    const manifest = { entryFiles: { js: [entry, 'more.js'], css: [] } };
    const { findings } = await check([await host(), await standard('mfe-tickets', { ...build, manifest })]);
    expect(findings).toMatchObject([
      {
        rule: 'exposes',
        message: expect.stringContaining('more.js of mfe-tickets@1.0.0 runs code with eval'),
      },
    ]);
  });

  test('need a host of contract 1.6', async () => {
    const old = await publish({ name: 'host', manifest: { contract: '1.5.0', routes: OWN_ROUTES } });
    const { findings } = await check([old, await standard('mfe-tickets')]);
    expect(findings).toMatchObject([{ rule: 'contract' }]);
  });
});
