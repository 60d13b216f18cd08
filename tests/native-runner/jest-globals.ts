/**
 * Replaces '@jest/globals' for tests that run in plain Node with jest-light-runner: the runner's own
 * functions, plus features it lacks: time limits, and all fake timers of Jest.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { ModernFakeTimers } from '@jest/fake-timers';
import type * as Jest from '@jest/globals';

type Fn = (...args: unknown[]) => unknown;
type Declare = (name: string, fn?: Fn) => void;

const runner = globalThis as unknown as typeof Jest;

/**
 * Least time limit of a test or hook, in ms: it ends what hangs. What must be fast is measured by `npm run bench`; a
 * busy machine may take ten times as long.
 */
const LEAST_LIMIT = process.env.LONG === '1' ? 1_800_000 : 180_000;
/** Values of `jest.setTimeout` by test file: all files of a worker share this module. */
const limits = new Map<string | undefined, number>();
const currentFile = () => runner.expect.getState().testPath;

/** Fails `fn` after its time limit. Its running work continues, as in Jest itself. */
function limited<T extends Fn | undefined>(fn: T): T {
  if (!fn) return fn;
  const own = Math.max(limits.get(currentFile()) ?? 0, LEAST_LIMIT);
  const run = async (...args: unknown[]) => {
    const end = Promise.withResolvers<never>();
    const timer = setTimeout(() => end.reject(new Error(`exceeded timeout of ${own} ms`)), own);
    try {
      return await Promise.race([fn(...args), end.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  return run as unknown as T;
}

const declare =
  (original: Declare): Declare =>
  (name, fn) =>
    original(name, limited(fn));

/** `test.each(rows)(title, fn)`, also as a tagged template. */
const declareEach =
  (each: (...table: unknown[]) => Declare) =>
  (...table: unknown[]) =>
    declare(each(...table));

function limitedTest(original: typeof Jest.test): typeof Jest.test {
  const { each, skip, only } = original as never as Record<'each' | 'skip' | 'only', never>;
  const own = declare(original as never);
  return Object.assign(own, { each: declareEach(each), skip, only }) as never;
}

const hook = (original: (fn: Fn) => void) => (fn: Fn) => original(limited(fn));

export const describe: typeof Jest.describe = runner.describe;
export const expect: typeof Jest.expect = runner.expect;
export const test: typeof Jest.test = limitedTest(runner.test);
export const it: typeof Jest.test = test;
export const beforeAll = hook(runner.beforeAll as never);
export const beforeEach = hook(runner.beforeEach as never);
export const afterEach = hook(runner.afterEach as never);
export const afterAll = hook(runner.afterAll as never);

const timers = new ModernFakeTimers({ config: { fakeTimers: {} } as never, global: globalThis });

export const jest = {
  ...runner.jest,
  setTimeout(ms: number) {
    limits.set(currentFile(), ms);
  },
  useFakeTimers(options?: Parameters<typeof Jest.jest.useFakeTimers>[0]) {
    timers.useFakeTimers(options as never);
    return jest;
  },
  useRealTimers() {
    timers.useRealTimers();
    return jest;
  },
  setSystemTime: (now?: number | Date) => timers.setSystemTime(now),
  advanceTimersByTime: (ms: number) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms: number) => timers.advanceTimersByTimeAsync(ms),
  runAllTimers: () => timers.runAllTimers(),
  /** Number of fake timers that are still to run. */
  getTimerCount: () => timers.getTimerCount(),
};
// Testing Library looks for it.
Object.assign(globalThis, { jest });
