import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import {
  type Bundle,
  initContainer,
  type LateFailure,
  noteInitialised,
  onLateFailure,
  openScreen,
  superviseChunks,
} from './late-chunks.ts';

let failures: LateFailure[];
beforeEach(() => {
  failures = [];
  onLateFailure((failure) => failures.push(failure));
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A bundle whose chunk requests have these outcomes, in order. */
function openBundle(...outcomes: Promise<unknown>[]) {
  const requested: (string | number)[] = [];
  for (const outcome of outcomes) outcome.catch(() => undefined);
  const bundle: Bundle = {
    e: (chunk) => {
      requested.push(chunk);
      return outcomes[requested.length - 1]!;
    },
  };
  superviseChunks(bundle);
  return { bundle, requested };
}
const hangs = new Promise<never>(() => undefined);
const missing = () => Promise.reject(new Error('404'));
const outcomeOf = (loading: Promise<unknown>) =>
  loading.then(
    () => 'came',
    (error: Error) => error,
  );

test('rejects and reports a hanging chunk after 5 s, with the same error', async () => {
  const { bundle, requested } = openBundle(hangs);
  initContainer('/releases/entry.js', () => noteInitialised(bundle));
  const outcome = outcomeOf(bundle.e('src_deferred-parts'));
  await jest.advanceTimersByTimeAsync(4_999);
  expect(failures).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  const error = await outcome;
  expect(error).toMatchObject({ message: 'timed out after 5000 ms' });
  expect(failures).toMatchObject([{ entry: '/releases/entry.js', chunk: 'src_deferred-parts', error }]);
  expect(failures[0]?.error).toBe(error);
  expect(requested).toEqual(['src_deferred-parts']);
});

test.each<[string, (failure: LateFailure, bundle: Bundle) => Promise<unknown>]>([
  ['a retry', (failure) => failure.retry()],
  ['another import', (_, bundle) => bundle.e('src_markdown')],
])('a chunk that was reported counts as loaded by %s', async (_, again) => {
  const { bundle } = openBundle(missing(), missing(), missing(), Promise.resolve());
  void outcomeOf(bundle.e('src_markdown'));
  await jest.advanceTimersByTimeAsync(300);
  const failure = failures[0]!;
  await expect(failure.retry()).rejects.toThrow('404');
  await again(failure, bundle);
  expect(await outcomeOf(failure.loaded)).toBe('came');
  expect(failures).toHaveLength(1);
});

test('a chunk that failed for several imports is loaded for all of them, and fails anew afterwards', async () => {
  const four = Array.from({ length: 4 }, missing);
  const { bundle } = openBundle(...four, Promise.resolve(), missing(), missing());
  for (let imports = 0; imports < 2; imports += 1) {
    void outcomeOf(bundle.e('src_markdown'));
    await jest.advanceTimersByTimeAsync(300);
  }
  expect(failures).toHaveLength(2);
  await bundle.e('src_markdown');
  expect(await Promise.all(failures.map(({ loaded }) => outcomeOf(loaded)))).toEqual(['came', 'came']);

  void outcomeOf(bundle.e('src_markdown'));
  await jest.advanceTimersByTimeAsync(300);
  let isLoaded = false;
  void failures[2]!.loaded.then(() => {
    isLoaded = true;
  });
  await jest.advanceTimersByTimeAsync(0);
  expect(isLoaded).toBe(false);
});

test('a container that names no bundle does not take over that of another', async () => {
  const { bundle } = openBundle(missing(), missing());
  initContainer('/one/entry.js', () => noteInitialised(bundle));
  initContainer('/other/entry.js', () => undefined);
  void outcomeOf(bundle.e('axios'));
  await jest.advanceTimersByTimeAsync(300);
  expect(failures).toMatchObject([{ entry: '/one/entry.js' }]);
});

test('retries a failed chunk once', async () => {
  const { bundle, requested } = openBundle(missing(), Promise.resolve());
  const outcome = outcomeOf(bundle.e(7));
  await jest.advanceTimersByTimeAsync(300);
  expect(await outcome).toBe('came');
  expect(requested).toEqual([7, 7]);
  expect(failures).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});

test('reports a chunk that fails twice; without a container as a file of the host', async () => {
  const { bundle } = openBundle(missing(), missing());
  const outcome = outcomeOf(bundle.e('axios'));
  await jest.advanceTimersByTimeAsync(300);
  expect(await outcome).toMatchObject({ message: '404' });
  expect(failures).toMatchObject([{ entry: undefined, chunk: 'axios' }]);
});

test('rejects a chunk that hangs after a failure, too', async () => {
  const { bundle } = openBundle(missing(), hangs);
  const outcome = outcomeOf(bundle.e('axios'));
  await jest.advanceTimersByTimeAsync(5_300);
  expect(await outcome).toMatchObject({ message: 'timed out after 5000 ms' });
  expect(failures).toHaveLength(1);
});

test('does not handle chunks that the loader requests from a container', async () => {
  const { bundle, requested } = openBundle(missing());
  expect(await outcomeOf(openScreen(() => bundle.e('chat')))).toMatchObject({ message: '404' });
  expect(requested).toEqual(['chat']);
  expect(failures).toEqual([]);
});

test('bypasses the browser’s cache before the second attempt', async () => {
  const original = globalThis.fetch;
  const fetched: unknown[] = [];
  globalThis.fetch = async (url, init) => {
    fetched.push([url, init?.cache]);
    throw new Error('offline');
  };
  try {
    const { bundle } = openBundle(missing(), Promise.resolve());
    Object.assign(bundle, {
      p: '/files/',
      u: (chunk: string) => `${chunk}.1.js`,
      k: (chunk: string) => `${chunk}.undefined.css`,
    });
    const outcome = outcomeOf(bundle.e('calendar'));
    await jest.advanceTimersByTimeAsync(300);
    expect(await outcome).toBe('came');
    expect(fetched).toEqual([['/files/calendar.1.js', 'reload']]);
    expect(bundle.u?.('other')).toBe('other.1.js');
  } finally {
    globalThis.fetch = original;
  }
});
