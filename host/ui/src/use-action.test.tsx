import { expect, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { useAction } from './use-action.ts';

const refusal = Object.assign(new Error('the server is busy'), { status: 503, error: 'unavailable' });

test('runs one write at a time, and returns its failure until it is repeated', async () => {
  const shown: string[] = [];
  const toasts = { show: ({ text }: { text: string }) => shown.push(text) };
  const { result } = renderHook(() => useAction({ toasts }));
  let isRefused = true;
  let count = 0;
  const write = async () => {
    count += 1;
    if (isRefused) throw refusal;
  };

  const [first, second] = await act(() =>
    Promise.all([result.current.run(write), result.current.run(write)]),
  );
  expect([first, second, count]).toEqual([false, false, 1]);
  expect(result.current).toMatchObject({ isBusy: false, failure: { status: 503 } });
  expect(shown).toEqual(['the server is busy']);

  isRefused = false;
  expect(await act(() => result.current.retry())).toBe(true);
  expect(result.current.failure).toBeNull();
  expect(count).toBe(2);
});

test.each(['cancel', 'unmount'] as const)('%s aborts the write, which is no failure', async (how) => {
  const { result, unmount } = renderHook(() => useAction());
  const aborted = Object.assign(new Error('aborted'), { status: 0, error: 'aborted' });
  let done: Promise<boolean> | undefined;
  act(() => {
    done = result.current.run(
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(aborted))),
    );
  });
  expect(result.current.isBusy).toBe(true);
  act(() => (how === 'cancel' ? result.current.cancel() : unmount()));
  expect(await act(() => done!)).toBe(false);
  expect(result.current.failure).toBeNull();
});

test('a failure after the cancellation is shown', async () => {
  const { result } = renderHook(() => useAction());
  const held = Promise.withResolvers<void>();
  let done: Promise<boolean> | undefined;
  act(() => {
    done = result.current.run(() => held.promise);
  });
  act(() => result.current.cancel());
  held.reject(refusal);
  expect(await act(() => done!)).toBe(false);
  expect(result.current.failure).toMatchObject({ status: 503 });
});
