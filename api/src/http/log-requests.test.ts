import { rm } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createVisitor, signedUp } from '../testing/visitor.ts';
import { writeTestBuild } from '../testing/write-test-build.ts';

const lines: { msg: string; method: string; path: string; left?: boolean }[] = [];

const folder = await temporaryFolder('log');
const api = await startTestApi({
  answerer: createScriptedAnswerer(),
  config: { logLevel: 'info' },
  onLog: (line) => lines.push(JSON.parse(line)),
  builds: [
    await writeTestBuild(folder, { name: 'host' }),
    await writeTestBuild(folder, { name: 'mfe-chat' }),
  ],
});
afterAll(async () => {
  await api.end();
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ['GET', '/api/contacts/13800138000', '/api/…'],
  ['PATCH', '/api/contacts/li@example.com', '/api/…'],
  ['GET', '/api/contacts?q=13800138000', '/api/contacts'],
  ['GET', '/api/records/13800138000', '/api/records/:id'],
  ['GET', '/api/files/13800138000.pdf', '/api/files/:id'],
  ['POST', '/api/13800138000', '/api/…'],
  ['GET', '/API/contacts/13800138000', '/…'],
  ['GET', '/13800138000', '/…'],
  ['DELETE', '/admin/sessions/13800138000', '/admin/sessions/:id'],
  ['GET', '/ops/releases/13800138000', '/ops/releases/:id'],
  ['GET', '/chatbot/preview/feature-13800138000.signature', '/chatbot/preview/:link'],
  ['POST', '/chatbot/preview/feature-13800138000.signature', '/chatbot/preview/:link'],
  ['GET', '/chatbot//preview/feature-13800138000.signature', '/chatbot/…'],
  ['GET', '/chatbot/override/13800138000.abc.def', '/chatbot/override/:link'],
  ['GET', '/chatbot/override/leave', '/chatbot/override/leave'],
  ['GET', '/chatbot/13800138000', '/chatbot/…'],
  ['GET', '/chatbot/history?contact=13800138000', '/chatbot/…'],
  ['GET', '/chatbot/releases/13800138000/1.0.0/a.js', '/chatbot/…'],
  ['GET', '/chatbot/%31%33800138000', '/chatbot/…'],
  ['GET', '/chatbot', '/chatbot…'],
  ['GET', '/', '/'],
  ['GET', '/readme', '/…'],
])('%s %s is logged as %s', async (method, path, logged) => {
  lines.length = 0;
  const response = await createVisitor(api.url).fetch(method, path, { redirect: 'manual' });
  await response.arrayBuffer();
  while (!lines.some(({ msg }) => msg === 'request')) await new Promise(setImmediate);
  expect(lines.filter(({ msg }) => msg === 'request')).toMatchObject([{ method, path: logged }]);
  expect(JSON.stringify(lines)).not.toContain('138001');
});

test('screens and files of releases are logged with their path', async () => {
  lines.length = 0;
  const html = await (await createVisitor(api.url).fetch('GET', '/chatbot/index')).text();
  const [, file = ''] = /"(\/chatbot\/releases\/host\/[^"]+\.js)"/.exec(html) ?? [];
  expect((await createVisitor(api.url).fetch('GET', file)).status).toBe(200);
  while (lines.length < 2) await new Promise(setImmediate);
  expect(lines.map(({ path }) => path)).toEqual(['/chatbot/index', file]);
});

test('a request is logged as left if its client has gone before the end', async () => {
  lines.length = 0;
  const visitor = await signedUp(api.url, 'leaves', 'long enough');
  const leaving = new AbortController();
  await visitor.fetch('GET', '/api/handovers/events', { signal: leaving.signal });
  leaving.abort();
  const requests = () => lines.filter(({ msg }) => msg === 'request');
  while (requests().length < 2) await new Promise(setImmediate);
  expect(requests().map(({ path, left }) => [path, left])).toEqual([
    ['/admin/register', undefined],
    ['/api/handovers/events', true],
  ]);
});
