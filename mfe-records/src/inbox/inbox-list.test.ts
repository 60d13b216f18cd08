import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { useMinute } from './inbox.tsx';

beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

test('follows the time minute by minute, and leaves no timer', () => {
  const { result, unmount } = renderHook(() => useMinute());
  act(() => jest.advanceTimersByTime(59_999));
  expect(result.current).toBe(0);
  act(() => jest.advanceTimersByTime(1));
  expect(result.current).toBe(60_000);
  unmount();
  expect(jest.getTimerCount()).toBe(0);
});
