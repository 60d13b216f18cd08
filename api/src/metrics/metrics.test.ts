import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { until } from '../testing/until.ts';
import { createVisitor } from '../testing/visitor.ts';
import { writeTestBuild } from '../testing/write-test-build.ts';
import { createMetrics } from './create-metrics.ts';

const metricsToken = 'token of the scraper';
const folder = await temporaryFolder('metrics');
const api = await startTestApi({
  answerer: createScriptedAnswerer(),
  config: { metricsToken },
  builds: [
    await writeTestBuild(folder, { name: 'host' }),
    await writeTestBuild(folder, { name: 'mfe-chat' }),
  ],
});
afterAll(async () => {
  await api.end();
  await rm(folder, { recursive: true, force: true });
});

async function scrape(): Promise<string> {
  const response = await fetch(`${api.url}/metrics`, {
    headers: { Authorization: `Bearer ${metricsToken}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  return response.text();
}

/** Value of the series of `name` with these labels; 0 without one. */
function sampleOf(text: string, name: string, labels: Record<string, string> = {}): number {
  const line = text
    .split('\n')
    .find(
      (one) =>
        (one.startsWith(`${name}{`) || one.startsWith(`${name} `)) &&
        Object.entries(labels).every(([label, value]) => one.includes(`${label}="${value}"`)),
    );
  return Number(line?.split(' ').at(-1) ?? 0);
}

/** Names and labels without values. */
function seriesOf(text: string): Set<string> {
  return new Set(
    text
      .split('\n')
      .filter((line) => line.startsWith('desk_'))
      .map((line) => line.slice(0, line.lastIndexOf(' '))),
  );
}

test('metrics require their token, and are not served without a configuration', async () => {
  expect((await fetch(`${api.url}/metrics`)).status).toBe(401);
  const headers = { Authorization: 'Bearer wrong' };
  expect((await fetch(`${api.url}/metrics`, { headers })).status).toBe(401);
  const other = await startTestApi({ answerer: createScriptedAnswerer() });
  try {
    expect((await fetch(`${other.url}/metrics`)).status).toBe(404);
  } finally {
    await other.end();
  }
});

test('METRICS_PORT serves them on another port, and the main port no longer', async () => {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const other = await startTestApi({ answerer: createScriptedAnswerer(), config: { metricsPort: port } });
  try {
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('desk_store_up 1');
    expect((await fetch(`http://127.0.0.1:${port}/api/models`)).status).toBe(404);
    expect((await fetch(`${other.url}/metrics`)).status).toBe(404);
  } finally {
    await other.end();
  }
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
});

test('counts requests, answers with their first token, commands, and the state of the desk', async () => {
  const visitor = createVisitor(api.url);
  const before = await scrape();
  await visitor.call('POST', '/api/chat', { text: 'hello' });
  const after = await scrape();
  const grown = (name: string, labels?: Record<string, string>) =>
    sampleOf(after, name, labels) - sampleOf(before, name, labels);
  expect(grown('desk_http_requests_total', { route: '/api/chat', method: 'POST', status: '200' })).toBe(1);
  expect(grown('desk_http_request_seconds_count', { route: '/api/chat' })).toBe(1);
  expect(grown('desk_answers_total', { status: 'done' })).toBe(1);
  expect(grown('desk_answer_first_token_seconds_count')).toBe(1);
  expect(grown('desk_store_command_seconds_count', { command: 'insert', result: 'ok' })).toBeGreaterThan(0);
  expect(sampleOf(after, 'desk_store_up')).toBe(1);
  expect(sampleOf(after, 'desk_handovers_open')).toBe(0);
  expect(after).toMatch(/^desk_jobs\{kind="retention",state="(waiting|running)"\} 1$/m);
  expect(after).toContain('nodejs_eventloop_lag_seconds');
});

test('index lag is the age of the oldest request to index, through retries and while it is running', async () => {
  const jobs = api.connection.collection<{ _id: string }>('jobs');
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  await until(async () => (await jobs.findOne({ _id: 'passage vectors ', lease: null })) !== null);
  const before = await scrape();
  expect(sampleOf(before, 'desk_index_lag_seconds', { of: 'documents' })).toBe(0);
  expect(sampleOf(before, 'desk_index_lag_seconds', { of: 'vectors' })).toBe(0);
  // It has failed and will be repeated later.
  const waiting = { kind: 'index document', key: 'd', order: minutes(-10), dueAt: minutes(10), lease: null };
  await jobs.insertOne({ _id: 'index document d', ...waiting });
  await jobs.updateOne({ _id: 'passage vectors ' }, { $set: { order: minutes(-20) } });
  const after = await scrape();
  expect(sampleOf(after, 'desk_index_lag_seconds', { of: 'documents' })).toBeGreaterThanOrEqual(600);
  expect(sampleOf(after, 'desk_job_overdue_seconds', { kind: 'index document' })).toBeGreaterThanOrEqual(600);
  expect(sampleOf(after, 'desk_index_lag_seconds', { of: 'vectors' })).toBeGreaterThanOrEqual(1200);
  await jobs.deleteOne({ _id: 'index document d' });
});

test('documents are counted without the private ones, which nobody has to index', async () => {
  const documents = api.connection.collection<{ _id: string }>('documents');
  const upload = { source: 'upload', status: 'indexing' };
  await documents.insertMany([
    { _id: 'private', owner: 'guest:1', ...upload },
    { _id: 'of a collection', owner: 'collection:1', ...upload },
    { _id: 'draft', owner: 'draft:1', isDraft: true, ...upload },
    { _id: 'failed', owner: '', ...upload, status: 'failed' },
  ] as never);
  const text = await scrape();
  expect(sampleOf(text, 'desk_documents', { status: 'indexing' })).toBe(2);
  expect(sampleOf(text, 'desk_documents', { status: 'failed' })).toBe(1);
});

test('alerts and the dashboard use only metrics that exist', async () => {
  const names = [...(await scrape()).matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  const deploy = join(import.meta.dirname, '../../../deploy');
  const files = ['prometheus/alerts.yaml', 'prometheus/alerts.test.yaml', 'grafana/desk.json'];
  const texts = await Promise.all(files.map((file) => readFile(join(deploy, file), 'utf8')));
  for (const text of texts) {
    const used = [...text.matchAll(/\b((?:desk|nodejs|process)_[a-z0-9_]+)/g)].map(([, name]) => name!);
    expect(used.length).toBeGreaterThan(10);
    const missing = used.filter(
      (name) => !names.includes(name) && !names.includes(name.replace(/_(bucket|count|sum)$/, '')),
    );
    expect(missing).toEqual([]);
  }
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

(hasPromtool ? test : test.skip)('the alert rules are valid and fire as their tests say', () => {
  const folder = join(import.meta.dirname, '../../../deploy/prometheus');
  for (const args of [
    ['check', 'rules', 'alerts.yaml'],
    ['check', 'config', '--syntax-only', 'prometheus.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
    expect([args, status, status === 0 ? '' : stdout + stderr]).toEqual([args, 0, '']);
  }
});

test('counts open event streams', async () => {
  const visitor = createVisitor(api.url);
  const leave = new AbortController();
  const events = await visitor.fetch('GET', '/api/handovers/events', { signal: leave.signal });
  await events.body!.getReader().read();
  await visitor.call('POST', '/api/handovers', { question: 'q', clientId: 'k' });
  expect(sampleOf(await scrape(), 'desk_event_streams')).toBe(1);
  expect(sampleOf(await scrape(), 'desk_handovers_open')).toBe(1);
  leave.abort();
  await until(async () => sampleOf(await scrape(), 'desk_event_streams') === 0);
});

test('many different paths, contacts and methods add no series', async () => {
  const paths = (n: number) => [
    `/api/contacts/1380013${n}`,
    `/api/records/${n}`,
    `/api/${n}`,
    `/chatbot/${n}`,
    `/chatbot/releases/${n}/1.0.0/a.js`,
    `/ops/releases/${n}`,
    `/${n}`,
    `/admin/${n}?q=${n}`,
  ];
  const visit = async (n: number) => {
    for (const path of paths(n))
      await (
        await fetch(api.url + path, { redirect: 'manual', method: n % 2 ? 'GET' : 'PATCH' })
      ).arrayBuffer();
  };
  await visit(1);
  await visit(2);
  await scrape();
  const before = seriesOf(await scrape());
  for (let n = 3; n < 130; n++) await visit(n);
  const after = await scrape();
  expect(sampleOf(after, 'desk_http_requests_total', { route: '/api/records/:id' })).toBeGreaterThan(60);
  // Background jobs may send commands that no request has sent.
  const ofRequests = [...seriesOf(after)].filter((series) => series.startsWith('desk_http_'));
  expect(ofRequests.filter((series) => !before.has(series))).toEqual([]);
});

test('pages are counted by composition and release, for the compositions that reported last', async () => {
  const metrics = createMetrics();
  const release = { remote: 'mfe-chat', version: '1.0.0' };
  const id = (n: number) => String(n).padStart(12, '0').padEnd(64, 'c');
  for (let n = 0; n < 100; n++) {
    metrics.page(id(n), { ...release, kind: 'load' });
    metrics.page(id(n), { ...release, kind: 'failure' });
    for (const value of [2500, 2501, 4001])
      metrics.page(id(n), { ...release, kind: 'vital', name: 'LCP', value });
    metrics.page(id(0), { ...release, kind: 'load' });
  }
  const text = await metrics.scrape();
  const loads = [...seriesOf(text)].filter((series) => series.startsWith('desk_page_loads_total'));
  expect(loads).toHaveLength(10);
  expect(sampleOf(text, 'desk_page_loads_total', { composition: id(0).slice(0, 12), ...release })).toBe(101);
  for (const rating of ['good', 'acceptable', 'poor'])
    expect([...seriesOf(text)].filter((series) => series.includes(`rating="${rating}"`))).toHaveLength(10);
});

test('an unknown HTTP method gets no label of its own', async () => {
  const metrics = createMetrics();
  const seen = { route: '/api/chat', status: 405, seconds: 0.1, isStream: false, bytes: 0 };
  for (const method of ['POST', 'MADE-UP', 'MORE']) metrics.request({ ...seen, method });
  const text = await metrics.scrape();
  const count = (method: string) => sampleOf(text, 'desk_http_requests_total', { method });
  expect([count('POST'), count('other'), count('MADE-UP')]).toEqual([1, 2, 0]);
});
