import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { useDelayed } from './use-delayed.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('becomes true after the delay, and starts again after it was off', () => {
  const { result, rerender, unmount } = renderHook(({ isOn }) => useDelayed(isOn, 300), {
    initialProps: { isOn: true },
  });
  const after = (ms: number) => {
    act(() => jest.advanceTimersByTime(ms));
    return result.current;
  };
  expect([after(299), after(1)]).toEqual([false, true]);
  rerender({ isOn: false });
  expect(result.current).toBe(false);
  rerender({ isOn: true });
  expect([after(299), after(1)]).toEqual([false, true]);
  unmount();
  expect(jest.getTimerCount()).toBe(0);
});
