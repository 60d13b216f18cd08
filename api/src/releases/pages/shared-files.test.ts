import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { type TestBuild, writeTestBuild } from '../../testing/write-test-build.ts';
import type { Release } from '../data/release.ts';
import { createLiveComposition } from '../live/live-composition.ts';
import { publishBuilds } from '../live/publish-builds.ts';
import type { PublishDeps } from '../publish/publish-release.ts';
import { sweepReleases } from '../publish/sweep-releases.ts';
import { createPagesRouter } from './create-pages-router.ts';

let deps: PublishDeps;
let server: Server;
let url: string;

const opened = await openTestCompositions();
afterAll(() => opened?.close());
beforeEach(async () => {
  server?.close();
  deps = await opened.clear();
  const router = createPagesRouter({ ...deps, live: createLiveComposition(deps.store), avatars: {} });
  server = createServer(new Koa().use(router.routes()).callback()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server?.close());

const build = (name: string, more: Partial<TestBuild> = {}) =>
  writeTestBuild(opened.folder, { name, isNamedByContent: true, ...more });
const publish = async (...folders: string[]) => publishBuilds(folders, deps);
const release = (id: string) => deps.store.releases.findById(id).lean<Release>() as Promise<Release>;
/** URLs of scripts and style sheets in the page. */
async function addresses(): Promise<string[]> {
  const html = await (await fetch(`${url}/chatbot/index`)).text();
  const jsonOf = (start: string) => JSON.parse(html.split(start, 2)[1]?.split('</script>', 1)[0] ?? '{}');
  const { integrity } = jsonOf('<script type="importmap">');
  return Object.keys({ ...integrity, ...jsonOf('id="styles">') }).sort();
}
/** Publishes a remote in two versions with different texts. */
async function publishTwo(): Promise<{ first: Release; second: Release }> {
  await publish(await build('host'), await build('mfe-chat'));
  await publish(await build('host'), await build('mfe-chat', { version: '1.1.0', words: 'second' }));
  return { first: await release('mfe-chat@1.0.0'), second: await release('mfe-chat@1.1.0') };
}
/** The style sheet, which is identical in both. */
const sheetOf = ({ files }: Release) => files.find(({ path }) => path.endsWith('.css'))!;

test('an unchanged file keeps its URL in the next release', async () => {
  const { first, second } = await publishTwo();

  expect(second.base).toBe(first.base);
  expect(sheetOf(second).path).toBe(sheetOf(first).path);
  const paths = [...first.files, ...second.files].map(({ path }) => first.base + path);
  expect((await addresses()).filter((address) => address.includes('mfe-chat'))).toEqual(
    [...new Set(paths)].sort(),
  );
  for (const path of new Set(paths)) {
    const answer = await fetch(url + path);
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
});

test('a release can also be addressed by its version', async () => {
  const { second } = await publishTwo();
  const shared = await (await fetch(`${url}${second.base}${second.entry}`)).text();
  const own = await fetch(`${url}/chatbot/releases/mfe-chat/1.1.0/${second.entry}`);
  expect([own.status, await own.text()]).toEqual([200, shared]);
});

test('a file that one release has lost is served from another release that has it', async () => {
  const { first, second } = await publishTwo();
  const { path } = sheetOf(second);
  const address = `${url}${second.base}${path}`;
  const text = await (await fetch(address)).text();

  await deps.files.remove(`releases/${second.name}/${second.version}/${path}`);
  expect(await (await fetch(address)).text()).toBe(text);
  await deps.files.put(`releases/${second.name}/${second.version}/${path}`, Buffer.from('garbage'));
  expect(await (await fetch(address)).text()).toBe(text);
  await deps.files.remove(`releases/${first.name}/${first.version}/${path}`);
  const lost = await fetch(address);
  expect([lost.status, lost.headers.get('Cache-Control')]).toEqual([404, 'no-store']);
});

test('files shared by two releases remain when one of them is removed', async () => {
  const { second } = await publishTwo();
  await publish(await build('host'), await build('mfe-chat', { version: '1.2.0', words: 'third' }));
  await publish(await build('host'), await build('mfe-chat', { version: '1.3.0', words: 'fourth' }));
  const year = 365 * 86_400_000;
  const later = (ms: number) => ({ ...deps, now: () => new Date(Date.now() + year + ms) });
  await sweepReleases(30, later(0));
  const { gone } = await sweepReleases(30, later(3_600_000));

  expect(gone).toContain('mfe-chat@1.0.0');
  expect((await fetch(`${url}${second.base}${sheetOf(second).path}`)).status).toBe(200);
});

test.each([
  ['a file that no release has', 'mfe-chat/files/nothing.0123456789ab.js'],
  ['a remote without releases', 'mfe-none/files/nothing.0123456789ab.js'],
])('%s is not found', async (_, path) => {
  await publish(await build('host'), await build('mfe-chat'));
  const { status, headers } = await fetch(`${url}/chatbot/releases/${path}`);
  expect([status, headers.get('Cache-Control')]).toEqual([404, 'no-store']);
});

test.each([
  ['has no hash in a name', 'plain.js'],
  ['has another hash in a name', 'other.0123456789ab.js'],
])('a release that %s has its own URL', async (_, path) => {
  const folder = await build('mfe-chat', { version: '1.1.0', files: { [path]: 'export {};\n' } });
  await publish(await build('host'), await build('mfe-chat'));
  await publish(await build('host'), folder);

  expect((await release('mfe-chat@1.1.0')).base).toBe('/chatbot/releases/mfe-chat/1.1.0/');
  expect((await fetch(`${url}/chatbot/releases/mfe-chat/1.1.0/${path}`)).status).toBe(200);
  expect((await fetch(`${url}/chatbot/releases/mfe-chat/files/${path}`)).status).toBe(404);
});
