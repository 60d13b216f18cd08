import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { PageReport } from 'api/contract/reports';
import type { Composition } from '../remotes/composition.ts';
import { createPageLog, type PageLog } from './page-log.ts';
import { startReports } from './start-reports.ts';

const release = (name: string, version: string) => ({
  version,
  entry: `/chatbot/releases/${name}/${version}/remoteEntry.js`,
});
const composition: Composition = {
  id: 'c1',
  host: release('host', '3.0.0'),
  remotes: {
    'mfe-chat': { ...release('mfe-chat', '2.0.0'), previous: release('mfe-chat', '1.0.0') },
    'mfe-records': { version: '1.3.1', entry: 'https://records.example/v1/remoteEntry.js', previous: null },
  },
};
const thrownIn = (address: string, message = 'broken') =>
  Object.assign(new Error(message), { stack: `Error: ${message}\n    at x (${address}:1:2)` });
const own = (path: string) => `${location.origin}/chatbot/releases/${path}`;

const pageId = '0123456789abcdef0123456789abcdef';
let bodies: Blob[];
let isTaken: boolean;

beforeEach(() => {
  jest.useFakeTimers();
  bodies = [];
  isTaken = true;
  Object.assign(navigator, {
    sendBeacon: (address: string, body: Blob) => {
      expect(address).toBe('/ops/reports');
      if (isTaken) bodies.push(body);
      return isTaken;
    },
  });
});
afterEach(() => {
  jest.useRealTimers();
});

const start = (): PageLog => {
  const log = createPageLog(window);
  startReports({ page: window, pageId, composition, log });
  return log;
};
const sent = async (): Promise<PageReport[]> => {
  await jest.advanceTimersByTimeAsync(10_000);
  jest.useRealTimers();
  const texts = await Promise.all(
    bodies.map(
      (body) =>
        new Promise<string>((resolve) => {
          const reader = new FileReader();
          reader.onload = () => resolve(String(reader.result));
          reader.readAsText(body);
        }),
    ),
  );
  return texts.map((text) => JSON.parse(text));
};

test('assigns an error reported by a remote to its release, wherever it was thrown', async () => {
  const log = start();
  const release = { remote: 'mfe-records', version: '1.3.1' };
  log.add({ kind: 'error', error: new Error('caught'), source: '', release });
  const [report] = await sent();
  expect(report?.events).toMatchObject([{ kind: 'error', ...release }]);
});

test('reports events from before and after it was loaded, when the browser is idle', async () => {
  const log = createPageLog(window);
  log.add({ kind: 'load', remote: 'mfe-chat', version: '2.0.0', ms: 120 });
  startReports({ page: window, pageId, composition, log });
  log.add({
    kind: 'failure',
    remote: 'mfe-chat',
    version: '2.0.0',
    expose: './chat',
    phase: 'load',
    error: new Error('timed out after 5000 ms'),
  });
  expect(bodies).toHaveLength(0);
  const [report] = await sent();
  expect(report).toMatchObject({
    composition: 'c1',
    events: [
      { kind: 'load', remote: 'mfe-chat', version: '2.0.0', ms: 120 },
      { kind: 'failure', remote: 'mfe-chat', version: '2.0.0', expose: './chat', phase: 'load' },
    ],
  });
  expect(report?.page).toBe(pageId);
  expect(Object.keys(report ?? {}).sort()).toEqual(['composition', 'events', 'page']);
});

test.each([
  ['a remote', own('mfe-chat/2.0.0/chat.js'), 'mfe-chat', '2.0.0'],
  ['its previous release', own('mfe-chat/1.0.0/chat.js'), 'mfe-chat', '1.0.0'],
  ['a remote of another origin', 'https://records.example/v1/report.js', 'mfe-records', '1.3.1'],
  ['the host', own('host/3.0.0/main.js'), 'host', '3.0.0'],
])('assigns an error to %s', async (_, address, remote, version) => {
  const log = start();
  log.add({ kind: 'error', error: thrownIn(address), source: '' });
  const [report] = await sent();
  expect(report?.events).toMatchObject([{ kind: 'error', remote, version }]);
});

test('ignores errors of unknown scripts, and reports each error once', async () => {
  const log = start();
  log.add({ kind: 'error', error: thrownIn('chrome-extension://abc/content.js'), source: '' });
  for (let i = 0; i < 3; i++)
    log.add({ kind: 'error', error: thrownIn(own('mfe-chat/2.0.0/chat.js')), source: '' });
  for (let i = 0; i < 100; i++)
    log.add({ kind: 'error', error: thrownIn(own('host/3.0.0/main.js'), `e${i}`), source: '' });
  const reports = await sent();
  expect(reports.flatMap(({ events }) => events)).toHaveLength(20);
});

test('reports uncaught errors', async () => {
  start();
  const error = thrownIn(own('mfe-chat/2.0.0/chat.js'));
  window.dispatchEvent(new ErrorEvent('error', { error, message: error.message }));
  const rejected = Object.assign(new Event('unhandledrejection'), {
    reason: thrownIn(own('mfe-chat/2.0.0/a.js'), 'late'),
  });
  window.dispatchEvent(rejected);
  const [report] = await sent();
  expect(report?.events).toHaveLength(2);
});

test('stores what the browser refuses until the page is closed, and never throws', async () => {
  const log = start();
  isTaken = false;
  log.add({ kind: 'load', remote: 'mfe-chat', version: '2.0.0', ms: 1 });
  await jest.advanceTimersByTimeAsync(10_000);
  const nasty = {
    get stack(): string {
      throw new Error('not even that');
    },
  };
  expect(() => log.add({ kind: 'error', error: nasty, source: '' })).not.toThrow();
  isTaken = true;
  window.dispatchEvent(new Event('pagehide'));
  expect(bodies).toHaveLength(1);
});
