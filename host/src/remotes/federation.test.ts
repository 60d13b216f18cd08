import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Composition } from './composition.ts';
import { federation } from './federation.ts';
import { createRemoteLoader, type RemoteFailure } from './remote-loader.ts';

/** The globals that the entries below write to. */
interface Page {
  __webpack_init_sharing__(scope: string): Promise<void>;
  __webpack_share_scopes__: { default: typeof LIBRARIES; desk: typeof FACADES };
  calls: string[];
  initArguments: unknown[];
}
const page = globalThis as unknown as Page;
const LIBRARIES = { react: { '19.3.1': { from: 'host' } } };
const FACADES = { rxjs: { '7.8.2': { from: 'host' } } };

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'entries-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  page.__webpack_init_sharing__ = async () => undefined;
  page.__webpack_share_scopes__ = { default: LIBRARIES, desk: FACADES };
  page.calls = [];
  page.initArguments = [];
});

/** Writes an entry that can be imported and returns its address. Jest loads it as CommonJS. */
async function write(source: string): Promise<string> {
  const entry = path.join(folder, `remoteEntry.${++count}.js`);
  await writeFile(entry, source);
  return entry;
}
const container = (get: string, init = '') => `
  exports.init = (...initArguments) => { calls.push('init'); globalThis.initArguments = initArguments; ${init} };
  exports.get = async (expose) => { calls.push('get ' + expose); ${get} };
`;

const { signal } = new AbortController();

test('opens a container once for all of its modules, with the libraries of the page', async () => {
  const entry = await write(container('return () => { calls.push("ran"); return expose; }'));
  const [run] = await Promise.all([
    federation.load({ version: '1.0.0', entry }, './chat', signal),
    federation.load({ version: '1.0.0', entry }, './report', signal),
  ]);
  await federation.load({ version: '1.0.0', entry }, './history', signal);

  expect(page.initArguments).toEqual([
    LIBRARIES,
    [],
    {
      id: entry,
      version: '1.0.0',
      shareScopeKeys: ['default', 'desk'],
      shareScopeMap: { default: LIBRARIES, desk: FACADES },
    },
  ]);
  expect(page.calls).toEqual(['init', 'get ./chat', 'get ./report', 'get ./history']);
  expect(run()).toBe('./chat');
  expect(page.calls).toContain('ran');
});

test('libraries added by a release do not reach other releases', async () => {
  const adding = await write(
    container('return () => 1', 'initArguments[0].react["20.0.0"] = {}; initArguments[0].lodash = {};'),
  );
  await federation.load({ version: '1.0.0', entry: adding }, './chat', signal);
  const entry = await write(container('return () => 1'));
  await federation.load({ version: '1.0.0', entry }, './chat', signal);
  expect(page.initArguments[0]).toEqual(LIBRARIES);
});

test('a release built for a contract before 1.6 gets all libraries in one scope', async () => {
  const load = async (contract: string) => {
    const entry = await write(container('return () => 1'));
    await federation.load({ version: '1.0.0', entry, contract }, './chat', signal);
    return page.initArguments[0];
  };
  expect(await load('1.5.0')).toEqual({ ...LIBRARIES, ...FACADES });
  expect(await load('1.6.0')).toEqual(LIBRARIES);
});

test.each([
  ['an entry that throws', "if (calls.push('run') === 1) throw new Error('at first');", ''],
  ['a container that refuses the libraries', '', "if (calls.length === 1) throw new Error('at first');"],
])('%s is loaded again by the next call', async (_, start, init) => {
  const entry = await write(start + container('return () => expose', init));
  await expect(federation.load({ version: '1.0.0', entry }, './chat', signal)).rejects.toThrow('at first');
  expect((await federation.load({ version: '1.0.0', entry }, './chat', signal))()).toBe('./chat');
});

test('does not initialise an entry that arrives after the fallback', async () => {
  const sharing = Promise.withResolvers<void>();
  page.__webpack_init_sharing__ = () => sharing.promise;
  const aborted = new AbortController();
  const entry = await write(container('return () => expose'));
  const late = federation.load({ version: '1.0.0', entry }, './chat', aborted.signal);
  aborted.abort(new Error('aborted'));
  sharing.resolve();
  await expect(late).rejects.toThrow('aborted');
  expect(page.calls).toEqual([]);
});

/** A loader with two releases of mfe-chat; `source` is the entry of the live one, undefined for a missing file. */
async function open(source: string | undefined) {
  const remote = `mfe-${++count}`;
  const previous = await write(container('return () => ({ default: () => "previous" })'));
  const live = source === undefined ? path.join(folder, 'missing.js') : await write(source);
  const failures: RemoteFailure[] = [];
  const composition: Composition = {
    id: 'c1',
    host: { version: '1.0.0' },
    remotes: {
      [remote]: { version: '2.0.0', entry: live, previous: { version: '1.0.0', entry: previous } },
    },
  };
  const loader = createRemoteLoader({
    composition,
    federation,
    styles: { load: () => undefined, show: () => undefined },
    language: () => 'zh',
    loadTexts: async () => undefined,
    report: (failure) => failures.push(failure),
    timeoutMs: 2000,
  });
  return { remote, load: () => loader.load(`${remote}/./chat`), failures };
}

test.each<[string, string | undefined, RegExp]>([
  ['is missing', undefined, /missing\.js/],
  ['is a page instead of a script', '<!doctype html><h1>404</h1>', /token|'<'/],
  ['throws in its entry', 'throw new Error("broken on purpose")', /broken on purpose/],
  ['is no container', 'exports.other = 1', /init|function/],
  ['refuses the libraries', container('', 'throw new Error("needs react ^99")'), /needs react \^99/],
  ['hangs while it is initialised', container('', 'return new Promise(() => 0)'), /timed out after 2000 ms/],
  ['exposes another name', container('throw new Error("no ./chat")'), /no \.\/chat/],
  [
    'has a chunk or a style sheet that hangs',
    container('return new Promise(() => 0)'),
    /timed out after 2000 ms/,
  ],
  ['throws at load', container('return () => { throw new Error("at load") }'), /at load/],
  ['hangs at load', container('return () => new Promise(() => 0)'), /timed out after 2000 ms/],
  ['exports no screen', container('return () => ({ Chat: () => null })'), /must export a screen by default/],
])(
  'falls back from a release that %s to the previous one and reports it once',
  async (_, source, message) => {
    const { remote, load, failures } = await open(source);

    const { Screen, release } = await load();

    expect(release).toBe(`${remote}@1.0.0`);
    expect((Screen as () => unknown)()).toBe('previous');
    expect(failures).toEqual([
      { remote, version: '2.0.0', phase: 'load', expose: './chat', error: expect.any(Error) },
    ]);
    expect(String(failures[0]?.error)).toMatch(message);
    expect((await load()).release).toBe(`${remote}@1.0.0`);
    expect(failures).toHaveLength(1);
  },
);
