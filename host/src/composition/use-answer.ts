import { useCallback, useEffect, useRef, useState } from 'react';
import type { OpsFailure } from './ops-calls.ts';

export interface Asked<T> {
  /** The newest answer, kept while another is on its way and when that fails. */
  data: T | undefined;
  /** When it came. */
  at: Date | undefined;
  /** Why the newest attempt gave none. */
  failure: OpsFailure | undefined;
  isBusy: boolean;
  /** Asks at once. Resolves with the answer, or undefined where there is none. */
  ask(): Promise<T | undefined>;
  /** Puts in place what another call has brought. */
  put(data: T): void;
}

/**
 * Asks when it is mounted and when `key` changes; with `everyMs` again and again while the page is seen, and at once when it comes
 * back to the front. A newer question gives up the older one. A null key asks nothing.
 */
export function useAnswer<T>(
  key: string | null,
  question: (signal: AbortSignal) => Promise<T>,
  everyMs = 0,
): Asked<T> {
  const [state, setState] = useState<Pick<Asked<T>, 'data' | 'at' | 'failure'>>({
    data: undefined,
    at: undefined,
    failure: undefined,
  });
  const [isBusy, setBusy] = useState(key !== null);
  const latest = useRef(question);
  latest.current = question;
  const flight = useRef<AbortController>(undefined);
  const askedAt = useRef(0);

  const ask = useCallback(async () => {
    flight.current?.abort();
    const mine = new AbortController();
    flight.current = mine;
    askedAt.current = Date.now();
    setBusy(true);
    try {
      const data = await latest.current(mine.signal);
      if (mine.signal.aborted) return undefined;
      setState({ data, at: new Date(), failure: undefined });
      setBusy(false);
      return data;
    } catch (thrown) {
      if (mine.signal.aborted) return undefined;
      setState((old) => ({ ...old, failure: thrown as OpsFailure }));
      setBusy(false);
      return undefined;
    }
  }, []);

  const put = useCallback((data: T) => {
    flight.current?.abort();
    setBusy(false);
    setState({ data, at: new Date(), failure: undefined });
  }, []);

  useEffect(() => {
    if (key === null) return;
    let isHere = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isSeen = () => document.visibilityState === 'visible';
    const wait = () => {
      clearTimeout(timer);
      if (isHere && everyMs > 0 && isSeen()) timer = setTimeout(again, everyMs);
    };
    const again = async () => {
      await ask();
      wait();
    };
    const appear = () => {
      if (everyMs > 0 && isSeen() && Date.now() - askedAt.current >= everyMs) void again();
      else wait();
    };
    void again();
    document.addEventListener('visibilitychange', appear);
    return () => {
      isHere = false;
      clearTimeout(timer);
      flight.current?.abort();
      document.removeEventListener('visibilitychange', appear);
    };
  }, [key, everyMs, ask]);

  return { ...state, isBusy, ask, put };
}
