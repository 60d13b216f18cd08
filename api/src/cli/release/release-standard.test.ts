import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ReleaseDetails } from '../../contract/releases.ts';
import { startTestApi, type TestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { DESK_JSON, type StandardTestBuild, writeStandardBuild } from '../../testing/write-standard-build.ts';
import { runRelease } from './run-release.ts';

const token = 'the-token-of-tickets';

let root: string;
const parent = await temporaryFolder('standard');
beforeEach(async () => {
  root = await mkdtemp(join(parent, 'tickets-'));
});

afterAll(() => rm(parent, { recursive: true, force: true }));

/** Runs the command on a standard build. Without a server it is a dry run that asks none. */
async function release(build: StandardTestBuild = {}, ...argv: string[]) {
  const folder = await writeStandardBuild(root, build);
  let out = '';
  let err = '';
  const target = argv.includes('--server') ? [] : ['--dry-run', '--server', 'http://127.0.0.1:1'];
  const code = await runRelease({
    argv: ['--folder', folder, '--lang', 'en', ...target, ...argv],
    env: { RELEASE_TOKEN: token },
    root,
    cwd: dirname(folder),
    signal: new AbortController().signal,
    pause: () => Promise.resolve(),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

const json = (value: unknown) => JSON.stringify(value);
const script = (text: string): StandardTestBuild => ({
  manifest: (manifest) => ({
    ...manifest,
    metaData: { ...manifest.metaData, remoteEntry: { name: 'remoteEntry.js', path: '', type: 'global' } },
  }),
  files: { 'dist/remoteEntry.js': text },
});

test('a build is described by its manifest and desk.json', async () => {
  const { code, out, err } = await release({}, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toMatchObject({ id: 'tickets@2.1.0', contract: '1.6.0', fileCount: 8 });
});

test.each([
  ['--version', ['--version', '3.0.0'], {}, 'tickets@3.0.0'],
  ['--name', ['--name', 'mfe-tickets'], {}, 'mfe-tickets@2.1.0'],
  ['desk.json', [], { 'desk.json': json({ ...DESK_JSON, name: 'mfe-t', version: '1.1.0' }) }, 'mfe-t@1.1.0'],
])('name and version are those of %s', async (_, argv, files, id) => {
  expect(await release({ files }, ...argv)).toMatchObject({ code: 0, err: expect.stringContaining(id) });
});

test('routes may be given on the command line', async () => {
  const route = '/tickets, ./Tickets, session, 工单, Tickets';
  const files = { 'desk.json': null };
  expect(await release({ files }, '--route', route)).toMatchObject({ code: 0 });
  expect(await release({ files }, '--route', '/tickets,./Tickets')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--route must have five fields'),
  });
  const role = await release({ files }, '--route', route.replace('session', 'role'));
  expect(role).toMatchObject({ code: 1, err: expect.stringContaining('there are no roles') });
});

describe('a build that the desk cannot open is refused with the reason:', () => {
  const meta = (change: Record<string, unknown>): StandardTestBuild => ({
    manifest: (manifest) => ({ ...manifest, metaData: { ...manifest.metaData, ...change } }),
  });
  const without = (...paths: string[]): StandardTestBuild => ({
    files: Object.fromEntries(paths.map((path) => [path, null])),
  });
  const withFiles = (files: StandardTestBuild['files']): StandardTestBuild => ({ files: files ?? {} });

  test.each<[string, StandardTestBuild, string]>([
    ['no entry', without('dist/remoteEntry.js'), 'lists remoteEntry.js, which the folder does not contain'],
    ['a missing chunk', without('dist/details.js'), 'lists details.js, which the folder does not contain'],
    ['a missing style sheet', without('dist/Tickets.css'), 'lists Tickets.css'],
    [
      'an absolute publicPath',
      meta({ publicPath: 'http://localhost:3001/' }),
      'got "http://localhost:3001/"',
    ],
    [
      'publicPath of the root',
      meta({ publicPath: '/' }),
      'output.publicPath must be "auto" (with Vite base: "./")',
    ],
    ['no publicPath', meta({ publicPath: undefined }), 'output.publicPath must be "auto"'],
    ['getPublicPath', meta({ publicPath: undefined, getPublicPath: 'return x' }), 'sets getPublicPath'],
    [
      'another library type',
      meta({ remoteEntry: { name: 'remoteEntry.js', path: '', type: 'commonjs' } }),
      'library.type must be "module" or "var", got "commonjs"',
    ],
    [
      'remotes',
      { manifest: (all) => ({ ...all, remotes: [{ federationContainerName: 'shop' }] }) },
      'has remotes of its own (shop)',
    ],
    ['no exposes', { manifest: (all) => ({ ...all, exposes: [] }) }, 'exposes nothing'],
    [
      'an entry without files',
      {
        manifest: (all) => ({
          ...all,
          exposes: all.exposes.map((one) => ({
            ...one,
            assets: { js: { sync: [], async: [] }, css: { sync: [], async: [] } },
          })),
        }),
      },
      'disableAssetsAnalyze',
    ],
    [
      'the manifest of another remote',
      { manifest: (all) => ({ ...all, name: 'orders' }) },
      'is that of the container orders, which no script contains',
    ],
    [
      'a var build without its global',
      script('(() => { "tickets"; })();'),
      'does not assign the global variable tickets',
    ],
    [
      'a container named like a variable of the page',
      {
        ...script('var history;(()=>{history={};})();'),
        manifest: (all) => ({
          ...all,
          name: 'history',
          metaData: {
            ...all.metaData,
            globalName: 'history',
            remoteEntry: { name: 'remoteEntry.js', path: '', type: 'global' },
          },
        }),
      },
      'is a global variable of every page',
    ],
    [
      'eval',
      withFiles({ 'dist/Tickets.js': 'eval("1;\\n//# sourceURL=webpack://tickets/./src/tickets.js\\n");' }),
      'Tickets.js runs code with eval',
    ],
    [
      'style-loader',
      withFiles({
        'dist/Tickets.js': 'throw new Error("Couldn\'t find a style target. This probably means");',
      }),
      'inserts <style> elements',
    ],
    [
      'styles by JavaScript',
      withFiles({
        'dist/Tickets.js':
          'var e=document.createElement("style");e.appendChild(document.createTextNode(".a{}"));',
      }),
      'inserts <style> elements',
    ],
    [
      'React of its own',
      { manifest: (all) => ({ ...all, shared: [] }) },
      'contains React without sharing it',
    ],
    ['no manifest but stats', without('dist/mf-manifest.json'), 'and no mf-manifest.json either'],
    [
      'a manifest that is no JSON',
      withFiles({ 'dist/mf-manifest.json': '<html>' }),
      'mf-manifest.json is not JSON',
    ],
    [
      'a manifest of something else',
      withFiles({ 'dist/mf-manifest.json': '{"files":[]}' }),
      'mf-manifest.json does not describe a release',
    ],
    [
      'a route to a module that is not exposed',
      withFiles({ 'desk.json': json({ routes: [{ ...DESK_JSON.routes[0], module: './Orders' }] }) }),
      'names ./Orders, which it does not expose',
    ],
    [
      'a route without a label in one language',
      withFiles({ 'desk.json': json({ routes: [{ ...DESK_JSON.routes[0], title: { zh: '工单' } }] }) }),
      'title.en',
    ],
    [
      'a guard that does not exist',
      withFiles({ 'desk.json': json({ routes: [{ ...DESK_JSON.routes[0], guard: 'role' }] }) }),
      'there are no roles',
    ],
    [
      'a reserved path',
      withFiles({ 'desk.json': json({ routes: [{ ...DESK_JSON.routes[0], path: '/releases' }] }) }),
      'is reserved',
    ],
    ['an unknown field in desk.json', withFiles({ 'desk.json': json({ ...DESK_JSON, menus: [] }) }), 'menus'],
    [
      'a contract of earlier hosts',
      withFiles({ 'desk.json': json({ ...DESK_JSON, contract: '1.2.0' }) }),
      'must be at least 1.6.0',
    ],
    [
      'a name that is no release name',
      withFiles({ 'desk.json': json({ ...DESK_JSON, name: 'Tickets!' }) }),
      'must be a name such as mfe-chat',
    ],
    [
      'the name of the host',
      withFiles({ 'desk.json': json({ ...DESK_JSON, name: 'host' }) }),
      'allowed for remotes only',
    ],
    [
      'a version that is none',
      withFiles({ 'package.json': json({ version: 'latest' }) }),
      'must be a version such as 1.4.0',
    ],
    ['no version', withFiles({ 'package.json': '{}' }), 'No version'],
    ['no routes at all', withFiles({ 'desk.json': null }), 'It has no routes'],
    [
      'inline source maps',
      withFiles({
        'dist/Tickets.js': `export default 1;\n//# sourceMappingURL=data:application/json;base64,${'A'.repeat(200)}\n`,
      }),
      '(Tickets.js): set devtool',
    ],
    ['files that differ by case only', withFiles({ 'dist/TICKETS.js': '' }), 'must differ by more than case'],
  ])('%s', async (_, build, reason) => {
    const { code, err } = await release(build);
    expect(err).toContain(reason);
    expect(code).toBeGreaterThan(0);
  });

  test('a wrong desk.json is named, not the manifest', async () => {
    const desk = json({ routes: [{ ...DESK_JSON.routes[0], guard: 'role' }] });
    const { err } = await release({ files: { 'desk.json': desk } });
    expect(err).toMatch(/\/desk\.json does not describe a release/);
    expect(err).not.toContain('mf-manifest.json');
  });

  test('several at once', async () => {
    const { code, err } = await release({ ...meta({ publicPath: '/' }), ...without('dist/details.js') });
    expect(code).toBe(1);
    expect(err).toMatch(
      /cannot run in the desk:\n {2}output\.publicPath.*\n {2}mf-manifest\.json lists details\.js/,
    );
  });
});

test('a publicPath is fine if the team hosts the files there', async () => {
  const address = 'https://cdn.example/tickets/';
  const build: StandardTestBuild = {
    manifest: (all) => ({ ...all, metaData: { ...all.metaData, publicPath: address } }),
  };
  expect(await release(build, '--address', address)).toMatchObject({ code: 0 });
  expect(await release(build, '--address', 'https://cdn.example/other/')).toMatchObject({ code: 1 });
});

test('its commit is recorded', async () => {
  await writeStandardBuild(root);
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], { cwd: root });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'one');
  const { out } = await release({}, '--json');
  expect(JSON.parse(out).commit).toBe(git('rev-parse', 'HEAD').toString().trim());
});

describe('published', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ config: { opsToken: 'the-ops-token', releaseTokens: { tickets: token } } });
  });
  afterAll(() => api?.end());

  const details = async (id: string): Promise<ReleaseDetails> => {
    const response = await fetch(`${api.url}/ops/releases/${id}`, {
      headers: { Authorization: 'Bearer the-ops-token' },
    });
    return (await response.json()) as ReleaseDetails;
  };

  test('only the files that pages load, what comes from the host, and what it brings', async () => {
    const { code, err } = await release({}, '--server', api.url);
    expect({ code, err }).toMatchObject({ code: 0 });
    const found = await details('tickets@2.1.0');
    expect(found).toMatchObject({
      entry: 'remoteEntry.js',
      contract: '1.6.0',
      exposes: { './Tickets': { js: ['Tickets.js'], css: ['Tickets.css'] } },
      shared: { react: '^19.0.0' },
      standard: { type: 'module', own: { lodash: '4.17.21' } },
      routes: { '/tickets': 'tickets/./Tickets' },
    });
    expect(found.files.map(({ path }) => path)).toEqual([
      'Tickets.css',
      'Tickets.js',
      'Tickets.js.map',
      'assets/mark.svg',
      'details.js',
      'lodash.js',
      'react.js',
      'remoteEntry.js',
    ]);
  });

  test('a var build with the name of its chunk registry', async () => {
    const entry =
      'var tickets;(()=>{"tickets";var r=self.webpackChunktickets=self.webpackChunktickets||[];tickets={init(){},get(){}}})();';
    expect(await release(script(entry), '--server', api.url, '--version', '2.2.0')).toMatchObject({
      code: 0,
    });
    expect((await details('tickets@2.2.0')).standard).toEqual({
      type: 'script',
      chunks: 'webpackChunktickets',
      own: { lodash: '4.17.21' },
    });
  });
});
