import type { HttpFailure } from 'host/contract';
import { useRef, useState } from 'react';

interface Submission {
  isBusy: boolean;
  /** Why the last call was rejected: the server's message, or ''. */
  error: string;
  /** Runs `call` unless another call is running. */
  submit(call: () => Promise<void>): Promise<void>;
  /** Clears the rejection. */
  clear(): void;
}

/** Submits a form once at a time. `call` rejects with `HttpFailure`. */
export function useSubmit(): Submission {
  // The state is updated by the next render, before which a second press may occur.
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const submit = async (call: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setError('');
    try {
      await call();
    } catch (thrown) {
      setError((thrown as HttpFailure).message);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, error, submit, clear: () => setError('') };
}
