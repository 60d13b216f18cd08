import type { HttpFailure } from 'host/contract';
import { useCallback, useEffect, useState } from 'react';

export interface Answer<T> {
  /** The newest answer; that of an earlier key stays until its follower is there. */
  value: T | undefined;
  /** The key that `value` answers. */
  key: string | undefined;
  isLoading: boolean;
  failure: HttpFailure | undefined;
  retry(): void;
}

interface State<T> {
  value?: T | undefined;
  key?: string | undefined;
  failure?: HttpFailure | undefined;
  isLoading: boolean;
  /** The key that was asked last. */
  asked: string | null;
}

/**
 * Asks whenever the key changes, and gives up the question before. A failure for want of a network is asked again once the browser
 * is back online. Without a key nothing is asked.
 *
 * @param load Must ask for what the key names, and reject with an HttpFailure.
 * @param delay Milliseconds to wait, as more of the key may be typed.
 */
export function useAnswer<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  delay = 0,
): Answer<T> {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<State<T>>({ isLoading: true, asked: key });
  const retry = useCallback(() => setAttempt((before) => before + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that `load` depends on
  useEffect(() => {
    if (key === null) {
      setState({ isLoading: false, asked: null });
      return;
    }
    const leaving = new AbortController();
    const settle = (next: Partial<State<T>>) => {
      if (!leaving.signal.aborted) setState((before) => ({ ...before, failure: undefined, ...next }));
    };
    const ask = () =>
      load(leaving.signal).then(
        (value) => settle({ value, key, isLoading: false }),
        (failure: HttpFailure) => settle({ failure, isLoading: false }),
      );
    settle({ isLoading: true, asked: key });
    const timer = delay ? setTimeout(ask, delay) : void ask();
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [key, attempt, delay]);

  const isOffline = state.failure?.error === 'offline';
  useEffect(() => {
    if (!isOffline) return;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [isOffline, retry]);

  // A key that is new in this very render is about to be asked.
  const isLoading = key !== null && (state.isLoading || state.asked !== key);
  return { value: state.value, key: state.key, isLoading, failure: state.failure, retry };
}
