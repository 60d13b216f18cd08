import { asFailure, type Failure } from 'host/ui/failure.ts';
import { useEffect, useRef, useState } from 'react';

/** Calls `read` when the component is mounted and on `again`. The previous data stays meanwhile and after a failure. */
export function useRead<T>(read: (signal: AbortSignal) => Promise<T>) {
  const [data, setData] = useState<T>();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt reads again
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    setFailure(null);
    latest.current(signal).then(
      (found) => signal.aborted || setData(found),
      (thrown) => signal.aborted || setFailure(asFailure(thrown)),
    );
    return () => leaving.abort();
  }, [attempt]);
  return { data, setData, failure, again: () => setAttempt((before) => before + 1) };
}
