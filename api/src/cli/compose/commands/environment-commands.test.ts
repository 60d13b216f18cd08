import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { MoveInfo, PointerInfo, PreviewInfo } from '../../../contract/compositions.ts';
import type { ReleaseDetails } from '../../../contract/releases.ts';
import { createGridFsFileStore } from '../../../files/storage/gridfs-file-store.ts';
import { createCompositionStore } from '../../../releases/data/composition-store.ts';
import { publishBuild } from '../../../testing/publish-build.ts';
import { createScriptedAnswerer } from '../../../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../../../testing/start-test-api.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../../../testing/test-database.ts';
import { type TestBuild, writeTestBuild } from '../../../testing/write-test-build.ts';
import { runCompose } from '../run-compose.ts';

const opsToken = 'the-token-of-operations';
const farToken = 'the-token-of-the-other-desk';

/** Requests for files of releases that reached the proxy in front of `far`. */
let fetched: string[] = [];
/** Replaces the response to a request that reached the proxy. */
let tamper: (path: string, body: Buffer) => Buffer = (_, body) => body;

const folder = await temporaryFolder('promote');
const database = await openTestDatabase(join(folder, 'store'));
const answerer = createScriptedAnswerer();
const config = { mongodbUri: database.uri, opsToken };
/** Two environments of one database. */
const production = await startTestApi({ answerer, config });
const staging = await startTestApi({ answerer, config: { ...config, environment: 'staging' } });
/** A desk with its own database. */
const far = await startTestApi({ answerer, config: { opsToken: farToken, environment: 'trial' } });
const proxy = createServer(async (request, response) => {
  const { method, url = '', headers } = request;
  const answer = await fetch(far.url + url, {
    ...(method ? { method } : {}),
    headers: { authorization: headers.authorization ?? '' },
  });
  const body = Buffer.from(await answer.arrayBuffer());
  if (/\/files\//.test(url)) fetched.push(url);
  const sent = answer.ok ? tamper(url, body) : body;
  response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' }).end(sent);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => proxy.once('listening', resolve));
for (const name of ['host', 'mfe-auth', 'mfe-chat']) await publish(production, { name });
await publish(production, { name: 'mfe-chat', version: '2.0.0' });
await publish(production, { name: 'mfe-auth', version: '2.0.0' });
for (const name of ['host', 'mfe-auth', 'mfe-chat']) await publish(far, { name });
await publish(far, {
  name: 'mfe-chat',
  version: '3.0.0',
  words: 'from afar',
  isNamedByContent: true,
  files: { 'screen.js.map': '{"version":3,"mappings":""}' },
});
afterAll(async () => {
  proxy?.close();
  for (const api of [production, staging, far]) await api?.end();
  await database?.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const { pointers, releases } = createCompositionStore(production.connection);
  await pointers.deleteMany({});
  for (const environment of ['production', 'staging'])
    await createCompositionStore(production.connection, environment).moves.deleteMany({});
  await releases.deleteMany({ _id: 'mfe-chat@3.0.0' });
  const files = createGridFsFileStore(production.connection);
  for await (const key of files.list('releases/mfe-chat/3.0.0')) await files.remove(key);
  for (const api of [production, staging, far])
    await compose('set host@1.0.0 mfe-auth@1.0.0 mfe-chat@1.0.0', api);
  fetched = [];
});
afterEach(() => {
  tamper = (_, body) => body;
});

async function publish(api: TestApi, build: TestBuild): Promise<void> {
  await publishBuild(api.url, tokenOf(api), await writeTestBuild(folder, build));
}

function tokenOf(api: TestApi): string {
  return api === far ? farToken : opsToken;
}

async function compose(args: string, api = production, env: Record<string, string> = {}) {
  const ran = { code: 0, stdout: '', stderr: '' };
  ran.code = await runCompose({
    argv: args.split(' '),
    env: { DESK_URL: api.url, OPS_TOKEN: tokenOf(api), LANG: 'C', ...env },
    out: (text) => {
      ran.stdout += text;
    },
    err: (text) => {
      ran.stderr += text;
    },
    now: () => new Date(),
  });
  return ran;
}

async function json<T>(args: string, api = production): Promise<T> {
  return JSON.parse((await compose(`${args} --json`, api)).stdout) as T;
}

const proxied = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
const fromFar = (args = '') =>
  compose(`promote --from ${proxied()} ${args}`.trim(), production, { FROM_TOKEN: farToken });
const versions = async (api = production) =>
  (await json<PointerInfo>('show', api)).composition.remotes.map(({ release }) => release);

test('environments shows the live composition of each, compared with that of the server', async () => {
  await compose('set mfe-chat@2.0.0', staging);

  const { code, stdout } = await compose('environments');
  expect(code).toBe(0);
  expect(stdout).toMatch(/production +[0-9a-f]{8} +1 .*the environment of this server/);
  expect(stdout).toMatch(/staging +[0-9a-f]{8} +2 .*mfe-chat 1\.0\.0 → 2\.0\.0/);
  expect((await compose('show', staging)).stdout).toMatch(/^Environment staging\n/);
});

test('promotes everything that is live in another environment, or only the named remotes', async () => {
  await compose('set mfe-chat@2.0.0 mfe-auth@2.0.0', staging);

  const one = await compose('promote --from staging --to production mfe-chat');
  expect(one.stdout).toMatch(/staging → production: composition [0-9a-f]{8} \(revision 2\)/);
  expect(one).toMatchObject({ code: 0, stderr: '' });
  expect(await versions()).toEqual(['mfe-auth@1.0.0', 'mfe-chat@2.0.0']);

  expect((await compose('promote --from staging')).code).toBe(0);
  expect(await versions()).toEqual(['mfe-auth@2.0.0', 'mfe-chat@2.0.0']);
  expect((await compose('promote --from staging')).stdout).toContain('This is already live');

  const { moves } = await json<{ moves: MoveInfo[] }>('history');
  expect(moves.map(({ kind, promotedFrom }) => [kind, promotedFrom?.environment])).toEqual([
    ['promote', 'staging'],
    ['promote', 'staging'],
    ['set', undefined],
  ]);
  expect((await compose('history')).stdout).toContain('promote from staging');
});

test('a promotion without named remotes removes remotes that the source does not have', async () => {
  await compose('remove mfe-auth', staging);

  expect((await compose('promote --from staging --dry-run')).stdout).toContain('mfe-auth 1.0.0 (removed)');
  await compose('promote --from staging mfe-chat');
  expect(await versions()).toEqual(['mfe-auth@1.0.0', 'mfe-chat@1.0.0']);
  await compose('promote --from staging');
  expect(await versions()).toEqual(['mfe-chat@1.0.0']);
});

test('a dry run checks and changes nothing, and an outdated revision is refused', async () => {
  await compose('set mfe-chat@2.0.0', staging);

  const tried = await compose('promote --from staging --dry-run');
  expect(tried).toMatchObject({ code: 0, stderr: '' });
  expect(tried.stdout).toMatch(/mfe-chat 1\.0\.0 → 2\.0\.0[\s\S]*can go live/);
  expect(await versions()).toEqual(['mfe-auth@1.0.0', 'mfe-chat@1.0.0']);
  expect(await compose('promote --from staging --if-revision 7')).toMatchObject({ code: 1, stdout: '' });
  expect((await compose('promote --from staging --if-revision 1')).code).toBe(0);
});

test.each([
  ['promote', /--from <environment> is required/],
  ['promote --from production', /source and target are the same: production/],
  ['promote --from nowhere', /no environment nowhere.*staging/],
  ['promote --from staging --to staging', /is the environment production, not staging/],
  ['promote --from staging mfe-nothing', /has no mfe-nothing; it has: host, mfe-auth, mfe-chat/],
  ['promote --from staging mfe-chat@2.0.0', /name of a remote such as mfe-chat, got "mfe-chat@2.0.0"/],
  ['promote --from ftp://desk.example', /--from must give the address/],
])('"%s" is refused with what was expected', async (args, expected) => {
  const { code, stdout, stderr } = await compose(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(expected);
});

test('promotes from another server: releases are copied unchanged, source maps included', async () => {
  await compose('set mfe-chat@3.0.0', far);

  const tried = await fromFar('--dry-run');
  expect(tried).toMatchObject({ code: 0 });
  expect(tried.stdout).toContain('copied first, and checked afterwards: mfe-chat@3.0.0');
  expect(fetched).toEqual([]);

  const ran = await fromFar('mfe-chat');
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain(`trial (${proxied()}) → production`);
  expect(await versions()).toEqual(['mfe-auth@1.0.0', 'mfe-chat@3.0.0']);
  const [copied, original] = await Promise.all(
    [production, far].map((api) => json<ReleaseDetails>('releases mfe-chat@3.0.0', api)),
  );
  expect(copied).toMatchObject({ digest: original!.digest, base: original!.base, files: original!.files });
  expect(copied!.files.map(({ path }) => path)).toContain('screen.js.map');
  const { moves } = await json<{ moves: MoveInfo[] }>('history');
  expect(moves[0]?.promotedFrom).toMatchObject({ environment: 'trial', server: proxied() });
});

test('an interrupted copy continues, and copied files are not fetched again', async () => {
  await compose('set mfe-chat@3.0.0', far);
  tamper = (path, body) => (/\/files\//.test(path) && fetched.length > 2 ? Buffer.from('lost') : body);
  expect((await fromFar('mfe-chat')).code).toBe(1);
  expect(await versions()).toEqual(['mfe-auth@1.0.0', 'mfe-chat@1.0.0']);

  const before = new Set(fetched);
  fetched = [];
  tamper = (_, body) => body;
  expect((await fromFar('mfe-chat')).code).toBe(0);
  expect(await versions()).toEqual(['mfe-auth@1.0.0', 'mfe-chat@3.0.0']);
  expect(fetched.length).toBeLessThan(4);
  expect(before.size + fetched.length).toBeGreaterThanOrEqual(4);
});

test.each([
  ['files', /\/files\/remoteEntry/, (body: Buffer) => Buffer.concat([body, Buffer.from(' ')]), /its hash/],
  [
    'descriptions',
    /\/upload$/,
    (body: Buffer) => Buffer.from(String(body).replace('./screen', './other')),
    /digest/,
  ],
])('%s that another server has changed are not copied', async (_, where, change, expected) => {
  await compose('set mfe-chat@3.0.0', far);
  tamper = (path, body) => (where.test(path) ? change(body) : body);

  const { code, stdout, stderr } = await fromFar('mfe-chat');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(expected);
  expect(await versions()).toEqual(['mfe-auth@1.0.0', 'mfe-chat@1.0.0']);
});

test('the same version with other content on the target is refused', async () => {
  await publish(production, { name: 'mfe-chat', version: '3.0.0', words: 'our own' });
  await compose('set mfe-chat@3.0.0', far);

  const { code, stderr } = await fromFar('mfe-chat');
  expect(code).toBe(1);
  expect(stderr).toContain(`mfe-chat@3.0.0 exists on ${production.url} with other content`);
});

test("the target's token is never sent to the source", async () => {
  const { code, stderr } = await compose(`promote --from ${proxied()}`);
  expect(code).toBe(3);
  expect(stderr).toMatch(/requires a token of that server: --from-token or FROM_TOKEN/);
  const wrong = await compose(`promote --from ${proxied()}`, production, { FROM_TOKEN: 'guessed-guessed' });
  expect(wrong.code).toBe(3);
  expect(wrong.stderr).toContain(`${proxied()} rejected the token from --from-token or FROM_TOKEN`);
});

/** Writes what `compose export` prints to a file. */
async function exported(args = '', api = far, change = (text: string) => text): Promise<string> {
  const { code, stdout } = await compose(`export ${args}`.trim(), api);
  expect(code).toBe(0);
  const file = join(folder, 'composition.json');
  await writeFile(file, change(stdout));
  return file;
}

test('an exported composition is imported with its id, once its releases are there', async () => {
  await compose('set mfe-chat@3.0.0', far);
  const file = await exported();

  const refused = await compose(`import ${file}`);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^mfe-chat@3\.0\.0: Not published on this server\n.*promote --from/);

  await fromFar('mfe-chat');
  await compose('rollback');
  const { composition } = await json<PointerInfo>('show', far);
  const imported = await compose(`import ${file}`);
  expect(imported).toMatchObject({ code: 0, stderr: '' });
  expect(imported.stdout).toContain(`Composition ${composition.id} is stored`);
  expect(imported.stdout).toContain('mfe-chat 1.0.0 → 3.0.0');
  expect((await compose(`import ${file}`)).stdout).toContain(
    `Composition ${composition.id} was here already`,
  );
  expect(await versions()).toEqual(['mfe-auth@1.0.0', 'mfe-chat@1.0.0']);
  expect((await compose(`set ${composition.id.slice(0, 8)}`)).code).toBe(0);
  expect((await json<PointerInfo>('show')).composition.id).toBe(composition.id);
});

test.each<[string, (text: string) => string, number, RegExp]>([
  ['a changed release', (text) => text.replaceAll('mfe-chat@1.0.0', 'mfe-chat@2.0.0'), 2, /./],
  [
    'another id',
    (text) => text.replace(/"id": "[0-9a-f]{8}/, '"id": "00000000'),
    2,
    /changed after the export/,
  ],
  ['a field more', (text) => text.replace('"id"', '"more": 1, "id"'), 2, /./],
  ['no format', (text) => text.replace('desk-composition/1', 'other'), 2, /not written by compose export/],
  ['no JSON', () => 'host@1.0.0', 2, /not written by compose export/],
])('a file with %s is not imported', async (_, change, exitCode, expected) => {
  const { code, stdout, stderr } = await compose(`import ${await exported('', production, change)}`);

  expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
  expect(stderr).toMatch(expected);
});

test('a release with other content is named when a file is imported', async () => {
  await publish(production, { name: 'mfe-chat', version: '3.0.0', words: 'our own' });
  await compose('set mfe-chat@3.0.0', far);

  const { code, stderr } = await compose(`import ${await exported()}`);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^mfe-chat@3\.0\.0: This server has other content.*\n.*never replaced/);
});

test('import names a file that cannot be read', async () => {
  const { code, stderr } = await compose('import nowhere.json');
  expect(code).toBe(2);
  expect(stderr).toBe('cannot read nowhere.json: ENOENT\n');
});

test('preview prints a link, which stays the same for a name', async () => {
  const { code, stdout, stderr } = await compose('preview mfe-chat@2.0.0 --name feature/login');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('/chatbot/preview/feature-login-');
  expect(stdout).toContain('The next preview of feature/login keeps this address');
  const { url } = await json<PreviewInfo>('preview mfe-auth@2.0.0 --name feature/login');
  expect(stdout.startsWith(url)).toBe(true);
  expect(await versions()).toEqual(['mfe-auth@1.0.0', 'mfe-chat@1.0.0']);
  expect(await compose('preview')).toMatchObject({ code: 2 });
  expect((await compose('preview mfe-chat@2.0.0 --hours 25')).stderr).toContain('--hours must be 1–24');
});
