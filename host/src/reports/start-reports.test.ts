import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { PageReport, VitalName } from 'api/contract/reports';
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

test('a failure while the browser is offline does not count for the release', async () => {
  const log = start();
  const failed = {
    kind: 'failure',
    remote: 'mfe-chat',
    version: '2.0.0',
    expose: './chat',
    phase: 'load',
  } as const;
  const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  log.add({ ...failed, error: new Error('offline') });
  online.mockRestore();
  document.documentElement.dataset.savedAt = '2026-01-01T00:00:00.000Z';
  log.add({ ...failed, error: new Error('not stored') });
  delete document.documentElement.dataset.savedAt;
  log.add({ ...failed, error: new Error('timed out') });
  const [report] = await sent();
  expect(report?.events).toMatchObject([{ kind: 'failure', error: expect.stringContaining('timed out') }]);
});

const loads = (count: number) =>
  Array.from(
    { length: count },
    (_, ms) => ({ kind: 'load', remote: 'mfe-chat', version: '2.0.0', ms }) as const,
  );

test('sends at most 20 events in a report and 200 in all, in order', async () => {
  const log = start();
  for (const load of loads(250)) log.add(load);
  const reports = await sent();
  expect(reports.map(({ events }) => events.length)).toEqual(Array(10).fill(20));
  expect(reports.flatMap(({ events }) => events)).toEqual(loads(200));
});

test('sends what was collected at once when the page is hidden', () => {
  const log = start();
  const isVisible = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  for (const load of loads(1)) log.add(load);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(bodies).toHaveLength(0);
  isVisible.mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(bodies).toHaveLength(1);
  isVisible.mockRestore();
});

test('reports a web vital once per release, for the screen that was shown at its time', async () => {
  const log = createPageLog(window);
  let addVital: (name: VitalName, value: number, at: number) => void = () => undefined;
  const vitals = (add: typeof addVital) => {
    addVital = add;
  };
  startReports({ page: window, pageId, composition, log, vitals });
  addVital('LCP', 1, 0);
  log.add({ kind: 'shown', remote: 'mfe-chat', version: '2.0.0', at: 100 });
  log.add({ kind: 'shown', remote: 'mfe-records', version: '1.3.1', at: 500 });
  addVital('LCP', 50, 50);
  addVital('INP', 40, 499);
  addVital('INP', 90, 500);
  addVital('INP', 70, 200);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(bodies).toHaveLength(0);
  const isVisible = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  addVital('CLS', 0.1, 700);
  isVisible.mockRestore();

  const [report] = await sent();
  expect(report?.events).toEqual([
    { kind: 'vital', remote: 'mfe-chat', version: '2.0.0', name: 'LCP', value: 50 },
    { kind: 'vital', remote: 'mfe-chat', version: '2.0.0', name: 'INP', value: 40 },
    { kind: 'vital', remote: 'mfe-records', version: '1.3.1', name: 'INP', value: 90 },
    { kind: 'vital', remote: 'mfe-records', version: '1.3.1', name: 'CLS', value: 0.1 },
  ]);
});

test('an error of scripts that two releases share is that of the release shown last', async () => {
  const shared = { ...composition.remotes['mfe-chat']!, entry: '/shared/entry.js' };
  const previous = { version: '1.0.0', entry: '/shared/entry.js' };
  const log = createPageLog(window);
  const remotes = { 'mfe-chat': { ...shared, previous } };
  startReports({ page: window, pageId, composition: { ...composition, remotes }, log });
  log.add({ kind: 'shown', remote: 'mfe-chat', version: '2.0.0', at: 1 });
  log.add({ kind: 'shown', remote: 'mfe-chat', version: '1.0.0', at: 2 });
  log.add({ kind: 'error', error: thrownIn(`${location.origin}/shared/a.js`), source: '' });
  const [report] = await sent();
  expect(report?.events).toMatchObject([{ kind: 'error', version: '1.0.0' }]);
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
