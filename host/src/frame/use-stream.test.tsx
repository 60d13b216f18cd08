import { expect, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { useStream } from 'host/ui/use-stream.ts';
import { BehaviorSubject, type Observable } from 'rxjs';

test('returns every value with a single subscription', () => {
  const stream$ = new BehaviorSubject(1);
  let subscriptions = 0;
  const own = stream$.subscribe.bind(stream$);
  stream$.subscribe = ((...observer: Parameters<typeof own>) => {
    subscriptions++;
    return own(...observer);
  }) as Observable<number>['subscribe'];
  const { result, rerender, unmount } = renderHook(() => useStream(stream$));
  rerender();
  act(() => stream$.next(2));
  expect(result.current).toBe(2);
  expect(subscriptions).toBe(1);
  unmount();
  expect(stream$.observed).toBe(false);
});
