import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { asFailure, type Failure } from './failure.ts';

interface Options {
  /** Shows failures as toasts; `failure` is set with and without it. */
  toasts?: { show(toast: { kind: 'error'; text: string }): unknown };
  onFailure?(failure: Failure): unknown;
}

/** `signal` is aborted by `cancel`, and when the component is unmounted. */
type Write = (signal: AbortSignal) => Promise<unknown>;

/** Runs one write at a time; returns whether one is running and why the last one failed. An aborted write has not failed. */
export function useAction({ toasts, onFailure }: Options = {}) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const running = useRef<AbortController>(undefined);
  const last = useRef<Write>(undefined);
  const handleFailure = useRef(onFailure);
  handleFailure.current = onFailure;
  useEffect(() => () => running.current?.abort(), []);

  /** Resolves with whether it succeeded; false at once if another one is running. */
  const run = useCallback(
    async (write: Write): Promise<boolean> => {
      // The state is only updated by the next render, and a second click may come before.
      if (running.current) return false;
      const controller = new AbortController();
      running.current = controller;
      last.current = write;
      setIsBusy(true);
      setFailure(null);
      try {
        await write(controller.signal);
        return true;
      } catch (thrown) {
        const reason = asFailure(thrown);
        const isAbort = thrown === controller.signal.reason || reason.error === 'aborted';
        if (controller.signal.aborted && isAbort) return false;
        setFailure(reason);
        toasts?.show({ kind: 'error', text: reason.message });
        await handleFailure.current?.(reason);
        return false;
      } finally {
        if (running.current === controller) {
          running.current = undefined;
          setIsBusy(false);
        }
      }
    },
    [toasts],
  );
  return useMemo(
    () => ({
      isBusy,
      failure,
      run,
      /** Runs the last one again. */
      retry: () => (last.current ? run(last.current) : Promise.resolve(false)),
      cancel() {
        running.current?.abort();
        running.current = undefined;
        setIsBusy(false);
      },
      clear: () => setFailure(null),
    }),
    [isBusy, failure, run],
  );
}
