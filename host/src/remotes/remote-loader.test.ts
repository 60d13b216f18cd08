import { afterEach, expect, jest, test } from '@jest/globals';
import { skip } from 'rxjs';
import type { Composition } from './composition.ts';
import type { FallbackMemory } from './fallback-memory.ts';
import type { Federation } from './federation.ts';
import type { LateFailure } from './late-chunks.ts';
import { createRemoteLoader, type LoadedScreen, type RemoteFailure } from './remote-loader.ts';

const Live = () => null;
const Previous = () => null;
const CHAT = 'mfe-chat/./chat';
const OTHER = 'mfe-chat/./other';
const composition: Composition = {
  id: 'c1',
  host: { version: '1.0.0' },
  remotes: {
    'mfe-chat': { version: '2.0.0', entry: '/chat/2', previous: { version: '1.0.0', entry: '/chat/1' } },
    'mfe-records': { version: '1.0.0', entry: '/records/1' },
  },
};

afterEach(() => {
  jest.useRealTimers();
});

type Files = Record<string, (expose: string) => unknown>;

/** A federation over a table of entries, which either return a module or throw. */
const open = (
  files: Files,
  options: {
    timeoutMs?: number;
    memory?: FallbackMemory;
    composition?: Composition;
    isOnline?(): boolean;
  } = {},
) => {
  const late: { report(failure: LateFailure): void } = { report: () => undefined };
  const calls: string[] = [];
  const failures: RemoteFailure[] = [];
  const arrivals: string[] = [];
  const signals: AbortSignal[] = [];
  const federation: Federation = {
    onLateFailure: (report) => {
      late.report = report;
    },
    load: async ({ entry }, expose, signal) => {
      signals.push(signal);
      calls.push(`load ${entry} ${expose}`);
      const file = files[entry];
      if (!file) throw new Error(`404 ${entry}`);
      const content = file(expose);
      if (content === HANGS) return new Promise(() => undefined);
      return () => (content instanceof Error ? raise(content) : content);
    },
  };
  const styles: string[] = [];
  const shown: string[] = [];
  const loader = createRemoteLoader({
    composition,
    federation,
    styles: {
      load: ({ entry }) => styles.push(`load ${entry}`),
      show: ({ entry }, all) => styles.push(`show ${entry} of ${all.map((one) => one.entry).join(' ')}`),
    },
    language: () => 'zh',
    loadTexts: async ({ files }) => {
      for (const file of files) await file('zh');
    },
    report: (failure) => failures.push(failure),
    onLoad: ({ remote, version }) => arrivals.push(`${remote}@${version}`),
    onShown: ({ remote, version, at }) => shown.push(`${remote}@${version} ${typeof at}`),
    ...options,
  });
  return { loader, calls, signals, failures, styles, shown, arrivals, late };
};
const raise = (error: Error) => {
  throw error;
};
/** The file fails to load. */
const broken = () => raise(new Error('at load'));
/** The file loads, and its code throws. */
const throwing = () => new Error('at load');
const HANGS = Symbol('hangs');
const hanging = () => HANGS;

test('loads the live release once for all callers', async () => {
  const { loader, calls } = open({ '/chat/2': () => ({ default: Live }) });
  const [one, other] = await Promise.all([loader.load(CHAT), loader.load(CHAT)]);
  expect(one).toBe(other);
  expect(one).toMatchObject({ Screen: Live, release: 'mfe-chat@2.0.0' });
  expect(loader.loaded(CHAT)).toBe(one);
  expect(await loader.load(CHAT)).toBe(one);
  expect(calls).toEqual(['load /chat/2 ./chat']);
});

test('retries a temporary failure once, at the same address', async () => {
  let count = 0;
  const { loader, calls, failures } = open({
    '/chat/2': () => (++count === 1 ? broken() : { default: Live }),
  });
  expect((await loader.load(CHAT)).Screen).toBe(Live);
  expect(calls).toEqual(['load /chat/2 ./chat', 'load /chat/2 ./chat']);
  expect(failures).toEqual([]);
});

test('waits before the second attempt', async () => {
  jest.useFakeTimers();
  const { loader, calls } = open({ '/records/1': broken });
  const outcome = loader.load('mfe-records/./history').catch((error: Error) => error.message);
  const tries = () => calls.filter((call) => call.startsWith('load ')).length;
  await jest.advanceTimersByTimeAsync(299);
  expect(tries()).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(tries()).toBe(2);
  expect(await outcome).toBe('at load');
  expect(jest.getTimerCount()).toBe(0);
});

test('reports the first failure, not the second', async () => {
  let count = 0;
  const { loader, failures } = open({ '/records/1': () => raise(new Error(`failure ${++count}`)) });
  await expect(loader.load('mfe-records/./history')).rejects.toThrow('failure 1');
  expect(failures).toMatchObject([{ error: { message: 'failure 1' } }]);
  expect(count).toBe(2);
});

test('does not run code again that has thrown', async () => {
  const { loader, calls } = open({ '/chat/2': throwing, '/chat/1': () => ({ default: Previous }) });
  expect((await loader.load(CHAT)).Screen).toBe(Previous);
  expect(calls.filter((call) => call.startsWith('load /chat/2'))).toHaveLength(1);
});

test.each([
  ['is missing', {}],
  ['does not come', { '/chat/2': broken }],
  ['throws at load', { '/chat/2': throwing }],
  ['exports no screen', { '/chat/2': () => ({}) }],
  ['comes out empty', { '/chat/2': () => undefined }],
  ['exports something else by default', { '/chat/2': () => ({ default: 'text' }) }],
] as [string, Files][])('gives the previous release when the live one %s', async (_, files) => {
  const { loader, failures } = open({ ...files, '/chat/1': () => ({ default: Previous }) });
  expect(await loader.load(CHAT)).toMatchObject({ Screen: Previous, release: 'mfe-chat@1.0.0' });
  expect(failures.map(({ version, phase }) => `${version} ${phase}`)).toEqual(['2.0.0 load']);
});

test('loads the texts of a screen before it is shown; without them the release has failed', async () => {
  const loaded: string[] = [];
  const files = [async (language: string) => ({ default: { a: loaded.push(language).toString() } })];
  const missing = [() => raise(new Error('no texts'))];
  const { loader, failures } = open({
    '/chat/2': (expose) => ({ default: Live, texts: [{ files: expose === './chat' ? missing : files }] }),
    '/chat/1': () => ({ default: Previous, texts: [{ files }] }),
    '/records/1': () => ({ default: Live, texts: [{ files }] }),
  });
  expect((await loader.load('mfe-records/./history')).Screen).toBe(Live);
  expect(loaded).toEqual(['zh']);
  expect(await loader.load(CHAT)).toMatchObject({ Screen: Previous, release: 'mfe-chat@1.0.0' });
  expect(failures).toMatchObject([{ version: '2.0.0', phase: 'load', error: { message: 'no texts' } }]);
});

test('waits for a hanging release once within its timeout, then loads the previous one', async () => {
  const { loader, calls } = open(
    { '/chat/2': hanging, '/chat/1': () => ({ default: Previous }) },
    { timeoutMs: 20 },
  );
  expect((await loader.load(CHAT)).Screen).toBe(Previous);
  expect(calls.filter((call) => call.startsWith('load /chat/2'))).toHaveLength(1);
});

test.each([
  ['gives the previous one', CHAT, () => ({ default: Previous }), undefined],
  ['rejects where there is none', 'mfe-records/./history', undefined, 'timed out after 5000 ms'],
] as const)('a release that hangs has 5 s, then the loader %s', async (_, id, previous, failure) => {
  jest.useFakeTimers();
  const { loader } = open({
    '/chat/2': hanging,
    '/records/1': hanging,
    ...(previous && { '/chat/1': previous }),
  });
  const settled = jest.fn();
  const outcome = loader.load(id).catch((error: Error) => error.message);
  void outcome.then(settled);
  await jest.advanceTimersByTimeAsync(4_999);
  expect(settled).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  expect(settled).toHaveBeenCalled();
  expect(await outcome).toEqual(failure ?? expect.objectContaining({ Screen: Previous }));
});

test('rejects when all releases fail, and starts with the live release when called again', async () => {
  const files: Files = {};
  const { loader, calls } = open(files);
  await expect(loader.load(CHAT)).rejects.toThrow('404 /chat/1');
  files['/chat/2'] = () => ({ default: Live });
  calls.length = 0;
  expect((await loader.load(CHAT)).Screen).toBe(Live);
  expect(calls[0]).toBe('load /chat/2 ./chat');
});

test('names a remote that is not part of the composition', async () => {
  await expect(open({}).loader.load('mfe-auth/./login')).rejects.toThrow('has no remote mfe-auth');
});

test('replaces a screen that throws while rendering by the previous release', async () => {
  const { loader, failures } = open({
    '/chat/2': () => ({ default: Live }),
    '/chat/1': () => ({ default: Previous }),
  });
  await loader.load(CHAT);
  expect((await loader.replace(CHAT, new Error('at render'))).Screen).toBe(Previous);
  expect(failures).toMatchObject([{ version: '2.0.0', phase: 'render' }]);
  expect(loader.loaded(CHAT)?.Screen).toBe(Previous);
});

test('a load in progress does not bring back a screen that threw', async () => {
  const { loader, failures } = open({
    '/chat/2': () => ({ default: Live }),
    '/chat/1': () => ({ default: Previous }),
  });
  await loader.load(CHAT);
  const under = loader.load(CHAT);
  expect((await loader.replace(CHAT, new Error('in an effect'))).Screen).toBe(Previous);
  await under;
  expect((await loader.load(CHAT)).Screen).toBe(Previous);
  expect(failures).toHaveLength(1);
});

test('rejects when the previous release throws while rendering, too, until it is reset', async () => {
  const { loader } = open({ '/chat/2': () => ({ default: Live }), '/chat/1': () => ({ default: Previous }) });
  await loader.load(CHAT);
  await loader.replace(CHAT, new Error('one'));
  await expect(loader.replace(CHAT, new Error('two'))).rejects.toThrow('two');
  loader.reset(CHAT);
  expect((await loader.load(CHAT)).Screen).toBe(Live);
});

test('rejects immediately when there is no previous release', async () => {
  const { loader } = open({ '/records/1': () => ({ default: Live }) });
  await loader.load('mfe-records/./history');
  await expect(loader.replace('mfe-records/./history', new Error('at render'))).rejects.toThrow('at render');
});

test('a prefetched screen that hangs does not delay other screens of its remote', async () => {
  const { loader } = open({ '/records/1': (expose) => (expose === './report' ? HANGS : { default: Live }) });
  loader.prefetch('mfe-records/./report');
  expect((await loader.load('mfe-records/./history')).Screen).toBe(Live);
});

test('uses the previous release for a loading screen when another screen of the remote needs it', async () => {
  const live = Promise.withResolvers<void>();
  const { loader } = open({
    '/chat/2': (expose) => (expose === './chat' ? throwing() : live.promise.then(() => ({ default: Live }))),
    '/chat/1': () => ({ default: Previous }),
  });
  const other = loader.load(OTHER);
  await loader.load(CHAT);
  live.resolve();
  expect((await other).Screen).toBe(Previous);
});

test('loads the other screens of a remote after one of them failed', async () => {
  const { loader } = open({
    '/records/1': (expose) => (expose === './report' ? broken() : { default: Live }),
  });
  const report = loader.load('mfe-records/./report');
  const history = loader.load('mfe-records/./history');
  await expect(report).rejects.toThrow('at load');
  expect((await history).Screen).toBe(Live);
});

test('uses the previous release for every screen of a remote once one has needed it', async () => {
  const { loader, failures, arrivals, styles, shown } = open({
    '/chat/2': (expose) => (expose === './chat' ? throwing() : { default: Live }),
    '/chat/1': () => ({ default: Previous }),
  });
  const before = await loader.load(OTHER);
  expect(before.Screen).toBe(Live);
  before.enter?.();
  (await loader.load(CHAT)).enter?.();
  expect(loader.loaded(OTHER)).toBeUndefined();
  expect((await loader.load(OTHER)).Screen).toBe(Previous);
  expect(failures).toHaveLength(1);
  expect(arrivals).toEqual(['mfe-chat@2.0.0', 'mfe-chat@1.0.0']);
  expect(styles.filter((what) => what.startsWith('show'))).toEqual([
    'show /chat/2 of /chat/2 /chat/1',
    'show /chat/1 of /chat/2 /chat/1',
  ]);
  expect(shown).toEqual(['mfe-chat@2.0.0 number', 'mfe-chat@1.0.0 number']);
});

test('stays with the live release when the previous one fails to load, too', async () => {
  const files: Files = { '/chat/2': (expose) => (expose === './chat' ? broken() : { default: Live }) };
  const { loader } = open(files);
  await expect(loader.load(CHAT)).rejects.toThrow('404 /chat/1');
  expect((await loader.load(OTHER)).Screen).toBe(Live);
});

test('reports a repeatedly failing release once per phase', async () => {
  const { loader, failures } = open({ '/records/1': broken });
  for (const id of ['mfe-records/./history', 'mfe-records/./report', 'mfe-records/./history'] as const)
    await expect(loader.load(id)).rejects.toThrow('at load');
  await expect(loader.replace('mfe-records/./history', new Error('at render'))).rejects.toThrow();
  expect(failures.map(({ phase }) => phase)).toEqual(['load', 'render']);
});

test('an exception while rendering is reported also while the browser is offline', async () => {
  let isOnline = true;
  const { loader, failures } = open(
    { '/records/1': () => ({ default: Live }) },
    { isOnline: () => isOnline },
  );
  await loader.load('mfe-records/./history');
  isOnline = false;
  await expect(loader.replace('mfe-records/./history', new Error('at render'))).rejects.toThrow();
  expect(failures).toMatchObject([{ remote: 'mfe-records', phase: 'render' }]);
});

test('a release that cannot be loaded offline is reported once it fails online as well', async () => {
  let isOnline = false;
  const { loader, failures } = open({}, { isOnline: () => isOnline });
  await expect(loader.load(CHAT)).rejects.toThrow('404');
  await expect(loader.load('mfe-records/./history')).rejects.toThrow('404');
  expect(failures).toEqual([]);
  isOnline = true;
  await expect(loader.load(CHAT)).rejects.toThrow('404');
  expect(failures.map(({ remote, version, phase }) => [remote, version, phase])).toEqual([
    ['mfe-chat', '2.0.0', 'load'],
    ['mfe-chat', '1.0.0', 'load'],
  ]);
});

test('a fallback leaves the screens of other remotes as they are', async () => {
  const { loader } = open({
    '/chat/2': throwing,
    '/chat/1': () => ({ default: Previous }),
    '/records/1': () => ({ default: Live }),
  });
  const history = await loader.load('mfe-records/./history');
  await loader.load(CHAT);
  expect(loader.loaded('mfe-records/./history')).toBe(history);
  loader.reset(CHAT);
  expect(loader.loaded('mfe-records/./history')).toBe(history);
  expect(loader.loaded(CHAT)).toBeUndefined();
});

test('publishes which remotes use their previous release, until the listener unsubscribes', async () => {
  const { loader } = open({ '/chat/2': throwing, '/chat/1': () => ({ default: Previous }) });
  const seen: (readonly string[])[] = [];
  const watching = loader.fallenBack$.pipe(skip(1)).subscribe((remotes) => seen.push(remotes));
  await loader.load(CHAT);
  loader.reset(CHAT);
  expect(seen).toEqual([['mfe-chat'], []]);
  watching.unsubscribe();
  await loader.load(CHAT);
  expect(seen).toHaveLength(2);
  expect(loader.fallenBack$.value).toEqual(['mfe-chat']);
});

test('publishes which files are missing, until the listener unsubscribes', async () => {
  const { loader } = await failLate({});
  let changes = 0;
  const watching = loader.missing$.pipe(skip(1)).subscribe(() => {
    changes += 1;
  });
  watching.unsubscribe();
  loader.noteLateFailure('mfe-chat', 'import', new Error('404'));
  await settled();
  expect([loader.missing$.value.length, changes]).toEqual([1, 0]);
});

test.each<[string, Files]>([
  ['has loaded', { '/chat/2': () => ({ default: Live }) }],
  ['has failed', { '/chat/2': throwing }],
])('ends what an attempt left unfinished once the screen %s', async (_, files) => {
  const { loader, signals } = open(files);
  await loader.load(CHAT).catch(() => undefined);
  expect(signals.length).toBeGreaterThan(0);
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});

test.each([
  [
    'on the host’s origin, by its folder',
    '/releases/mfe-chat/2/entry.js',
    '/releases/mfe-chat/2/',
    '/releases/mfe-chat/1/',
  ],
  [
    'on an origin of its own, by that',
    'https://team.example/v2/entry.js',
    'https://team.example/v1/',
    'https://other.example/v2/',
  ],
])('recognises the scripts of a release %s', async (_, entry, own, other) => {
  const { loader } = open(
    { [entry]: () => ({ default: Live }) },
    { composition: { ...composition, remotes: { 'mfe-chat': { version: '2.0.0', entry } } } },
  );
  const { owns } = await loader.load(CHAT);
  const stackOf = (folder: string) =>
    `Error\n    at x (${new URL('a.js', new URL(folder, document.baseURI))}:1:2)`;
  expect([owns?.(stackOf(own)), owns?.(stackOf(other))]).toEqual([true, false]);
});

test('a failed prefetch has no effect and is not reported', async () => {
  let count = 0;
  const { loader, failures } = open({ '/chat/2': () => (++count === 1 ? broken() : { default: Live }) });
  loader.prefetch(CHAT);
  expect((await loader.load(CHAT)).Screen).toBe(Live);
  expect(failures).toEqual([]);
});

test('does not wait again for a prefetch that hung', async () => {
  const { loader, calls } = open(
    { '/chat/2': hanging, '/chat/1': () => ({ default: Previous }) },
    { timeoutMs: 20 },
  );
  loader.prefetch(CHAT);
  expect((await loader.load(CHAT)).Screen).toBe(Previous);
  expect(calls.filter((call) => call.startsWith('load /chat/2'))).toHaveLength(1);
});

test('a later prefetch retries one that hung', async () => {
  jest.useFakeTimers();
  const files: Files = { '/chat/2': hanging, '/chat/1': () => ({ default: Previous }) };
  const { loader } = open(files);
  loader.prefetch(CHAT);
  await jest.advanceTimersByTimeAsync(5_000);
  files['/chat/2'] = () => ({ default: Live });
  expect((await loader.load(CHAT)).Screen).toBe(Live);
});

test('prefetches a screen once', async () => {
  const { loader, calls } = open({ '/chat/2': () => ({ default: Live }) });
  loader.prefetch(CHAT);
  loader.prefetch(CHAT);
  await loader.load(CHAT);
  loader.prefetch(CHAT);
  await loader.load(OTHER);
  expect(calls).toEqual(['load /chat/2 ./chat', 'load /chat/2 ./other']);
});

test('a prefetch that began before the tab switched to the previous release does not bring back the live one', async () => {
  const live = Promise.withResolvers<void>();
  const { loader } = open({
    '/chat/2': (expose) =>
      expose === './chat' ? { default: Live } : live.promise.then(() => ({ default: Live })),
    '/chat/1': () => ({ default: Previous }),
  });
  await loader.load(CHAT);
  loader.prefetch(OTHER);
  await loader.replace(CHAT, new Error('while rendering'));

  const other = loader.load(OTHER);
  live.resolve();

  expect(await other).toMatchObject({ Screen: Previous, release: 'mfe-chat@1.0.0' });
  expect(loader.loaded(OTHER)?.Screen).toBe(Previous);
});

test('prefetches the previous release once the tab uses it', async () => {
  const { loader, calls } = open({
    '/chat/2': throwing,
    '/chat/1': () => ({ default: Previous }),
  });
  await loader.load(CHAT);
  calls.length = 0;
  loader.prefetch(OTHER);
  expect((await loader.load(OTHER)).Screen).toBe(Previous);
  expect(calls).toEqual(['load /chat/1 ./other']);
});

/** Shows the live mfe-chat; a file that it imports later then fails. */
async function failLate(files: Files, options: Parameters<typeof open>[1] = {}) {
  const loading = Promise.withResolvers<void>();
  const opened = open({ '/chat/2': () => ({ default: Live }), ...files }, options);
  await opened.loader.load(CHAT);
  const shown: LoadedScreen[] = [];
  const end = opened.loader.onFallback(CHAT, (screen) => shown.push(screen));
  const error = new Error('timed out after 5000 ms');
  const again = { loaded: loading.promise, retry: async () => loading.resolve() };
  const fail = (entry: string | undefined = '/chat/2') =>
    opened.late.report({ entry, chunk: 'src_markdown', error, ...again });
  return { ...opened, shown, end, error, fail };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

test('reports a file that a screen imports later, and shows the previous release', async () => {
  const { loader, fail, shown, failures, arrivals, error } = await failLate({
    '/chat/1': () => ({ default: Previous }),
  });
  fail();
  fail();
  await settled();
  expect(shown).toMatchObject([{ Screen: Previous, release: 'mfe-chat@1.0.0' }]);
  expect(loader.loaded(CHAT)).toBe(shown[0]);
  expect(failures).toEqual([
    { remote: 'mfe-chat', version: '2.0.0', phase: 'load', expose: 'src_markdown', error },
  ]);
  expect(arrivals).toEqual(['mfe-chat@2.0.0', 'mfe-chat@1.0.0']);
  expect((await loader.load(OTHER)).Screen).toBe(Previous);
  expect(loader.missing$.value).toEqual([]);
});

test.each<[string, Files]>([
  ['without a previous release', {}],
  ['where the previous release does not come either', { '/chat/1': broken }],
])('%s a late file is missing until it has loaded', async (_, files) => {
  const { loader, fail, error } = await failLate(files);
  let changes = 0;
  loader.missing$.pipe(skip(1)).subscribe(() => changes++);
  fail();
  fail();
  await settled();
  expect(loader.missing$.value).toMatchObject([
    { remote: 'mfe-chat', version: '2.0.0', file: 'src_markdown' },
  ]);
  expect(loader.whenLoaded(new Error('another'))).toBeUndefined();
  await loader.missing$.value[0]?.retry();
  await loader.whenLoaded(error);
  expect(loader.missing$.value).toEqual([]);
  expect(changes).toBe(2);
});

test('reports a missing file of the previous release like any other', async () => {
  const { loader, fail } = await failLate({ '/chat/1': () => ({ default: Previous }) });
  fail();
  await settled();
  fail('/chat/1');
  await settled();
  expect(loader.missing$.value).toMatchObject([{ remote: 'mfe-chat', version: '1.0.0' }]);
});

test('a screen that unmounts after the next one was mounted does not unsubscribe it', async () => {
  const { loader, fail, shown, end } = await failLate({ '/chat/1': () => ({ default: Previous }) });
  const next: LoadedScreen[] = [];
  loader.onFallback(CHAT, (screen) => next.push(screen));
  end();
  fail();
  await settled();
  expect(next).toMatchObject([{ release: 'mfe-chat@1.0.0' }]);
  expect(shown).toEqual([]);
});

test('requests files that failed offline again when the browser is online', async () => {
  const { loader, fail } = await failLate({}, { isOnline: () => false });
  fail();
  await settled();
  expect(loader.missing$.value).toHaveLength(1);
  window.dispatchEvent(new Event('online'));
  await settled();
  expect(loader.missing$.value).toEqual([]);
});

test('files of the live release are no longer missing once the tab uses the previous one', async () => {
  const { loader, fail } = await failLate(
    { '/chat/1': () => ({ default: Previous }) },
    { isOnline: () => false },
  );
  fail();
  await settled();
  expect(loader.missing$.value).toHaveLength(1);
  await loader.replace(CHAT, new Error('while rendering'));
  expect(loader.missing$.value).toEqual([]);
});

test('lets the remote import a file again that it loaded itself', async () => {
  const { loader, failures } = await failLate({});
  const error = new Error('Failed to fetch dynamically imported module');
  loader.noteLateFailure('mfe-chat', 'import', error);
  await settled();
  expect(failures[0]).toMatchObject({ remote: 'mfe-chat', expose: 'import' });
  await loader.missing$.value[0]?.retry();
  await loader.whenLoaded(error);
  expect(loader.missing$.value).toEqual([]);
});

test('keeps the live screen when the previous release fails to load, too', async () => {
  const { loader, fail, shown, failures, styles } = await failLate({ '/chat/1': broken });
  fail();
  await settled();
  expect(shown).toEqual([]);
  expect(styles).toEqual(['load /chat/2', 'load /chat/1', 'load /chat/2']);
  expect(loader.loaded(CHAT)?.Screen).toBe(Live);
  expect(failures.map(({ version }) => version)).toEqual(['2.0.0', '1.0.0']);
});

test('a late file that fails offline has no effect and is not reported', async () => {
  const { fail, shown, failures } = await failLate(
    { '/chat/1': () => ({ default: Previous }) },
    { isOnline: () => false },
  );
  fail();
  await settled();
  expect(shown).toEqual([]);
  expect(failures).toEqual([]);
});

test('does not replace a screen that was left', async () => {
  const { fail, end, shown, calls } = await failLate({ '/chat/1': () => ({ default: Previous }) });
  end();
  fail();
  await settled();
  expect(shown).toEqual([]);
  expect(calls).toEqual(['load /chat/2 ./chat']);
});

test('reports a late file of the previous release for that release', async () => {
  const { fail, shown, failures } = await failLate({ '/chat/1': () => ({ default: Previous }) });
  fail('/chat/1');
  fail('/somewhere/else');
  expect(failures).toMatchObject([{ remote: 'mfe-chat', version: '1.0.0' }]);
  expect(shown).toEqual([]);
});

test('a late file of two releases that share their files is that of the release in use', async () => {
  const remotes = {
    'mfe-chat': {
      version: '2.0.0',
      entry: '/chat/same',
      previous: { version: '1.0.0', entry: '/chat/same' },
    },
  };
  const { loader, late, failures } = open(
    { '/chat/same': () => ({ default: Previous }) },
    { composition: { ...composition, remotes } },
  );
  await loader.load(CHAT);
  await loader.replace(CHAT, new Error('at render'));
  const loaded = new Promise<void>(() => undefined);
  late.report({
    entry: '/chat/same',
    chunk: 'src_markdown',
    error: new Error('404'),
    retry: () => loaded,
    loaded,
  });
  expect(failures.at(-1)).toMatchObject({ phase: 'load', version: '1.0.0' });
});

test('reports late files of the host for the host', () => {
  const { late, loader, failures } = open({});
  const never = new Promise<void>(() => undefined);
  late.report({
    entry: undefined,
    chunk: 'axios',
    error: new Error('404'),
    retry: () => never,
    loaded: never,
  });
  expect(failures).toMatchObject([{ remote: 'host', version: '1.0.0', phase: 'load', expose: 'axios' }]);
  expect(loader.missing$.value).toMatchObject([{ remote: 'host', file: 'axios' }]);
});

/** The memory that survives a reload. */
function createMemory(): FallbackMemory & { remotes: readonly string[] } {
  const memory = {
    remotes: [] as readonly string[],
    read: () => [...memory.remotes],
    write: (remotes: readonly string[]) => {
      memory.remotes = remotes;
    },
  };
  return memory;
}

test('starts with the previous release after a reload if the tab already needed it', async () => {
  const memory = createMemory();
  const files: Files = { '/chat/2': throwing, '/chat/1': () => ({ default: Previous }) };
  await open(files, { memory }).loader.load(CHAT);
  const { loader, calls } = open(files, { memory });
  expect((await loader.load(CHAT)).Screen).toBe(Previous);
  expect(loader.versionInUse('mfe-chat')).toBe('1.0.0');
  expect(calls).toEqual(['load /chat/1 ./chat']);
});

test('tries the live release again where the remembered one fails to load', async () => {
  const memory = createMemory();
  memory.write(['mfe-chat']);
  const { loader } = open({ '/chat/2': () => ({ default: Live }) }, { memory });
  expect((await loader.load(CHAT)).Screen).toBe(Live);
  expect(memory.remotes).toEqual([]);
});

test('ends when neither the remembered nor the live release can be loaded', async () => {
  const memory = createMemory();
  memory.write(['mfe-chat']);
  const { loader, calls } = open({ '/chat/2': throwing, '/chat/1': throwing }, { memory });
  await expect(loader.load(CHAT)).rejects.toThrow('at load');
  expect(calls.map((call) => call.split(' ')[1])).toEqual(['/chat/1', '/chat/2', '/chat/1']);
});

test('does not remember a fallback of a remote that has no previous release any more', () => {
  const memory = createMemory();
  memory.write(['mfe-records', 'mfe-gone', 'mfe-chat']);
  const { loader } = open({}, { memory });
  expect(loader.fallenBack$.value).toEqual(['mfe-chat']);
});

test('a retry clears the fallback', async () => {
  const memory = createMemory();
  const { loader } = open({ '/chat/2': throwing, '/chat/1': () => ({ default: Previous }) }, { memory });
  await loader.load(CHAT);
  loader.reset(CHAT);
  expect(memory.remotes).toEqual([]);
});
