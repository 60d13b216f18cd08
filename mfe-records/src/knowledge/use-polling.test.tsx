import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { usePolling } from './use-polling.ts';

let visibility: DocumentVisibilityState = 'visible';
const turn = (to: DocumentVisibilityState) => {
  visibility = to;
  document.dispatchEvent(new Event('visibilitychange'));
};
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  jest.useFakeTimers();
  visibility = 'visible';
  jest.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
});
afterEach(() => {
  jest.useRealTimers();
});

function open(isActive = true) {
  const look = jest.fn(async () => undefined);
  const hook = renderHook(({ on }) => usePolling(on, 'key', look), { initialProps: { on: isActive } });
  return { look, ...hook };
}

test('looks after a second, and less and less often', async () => {
  const { look } = open();

  await pass(1000);
  expect(look).toHaveBeenCalledTimes(1);
  await pass(1000);
  expect(look).toHaveBeenCalledTimes(1);
  await pass(60_000);
  const busy = look.mock.calls.length;
  await pass(60_000);
  expect(look.mock.calls.length - busy).toBeLessThanOrEqual(6);
});

test('waits while the page is hidden', async () => {
  const { look } = open();

  turn('hidden');
  await pass(60_000);
  expect(look).not.toHaveBeenCalled();
  turn('visible');
  await pass(1000);
  expect(look).toHaveBeenCalledTimes(1);
});

test('stops when there is nothing to wait for, and when nobody is there', async () => {
  const { look, rerender, unmount } = open();

  rerender({ on: false });
  await pass(60_000);
  expect(look).not.toHaveBeenCalled();
  rerender({ on: true });
  unmount();
  await pass(60_000);
  expect(look).not.toHaveBeenCalled();
});
