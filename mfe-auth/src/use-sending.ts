import type { HttpFailure } from 'host/contract';
import { useRef, useState } from 'react';

interface Sending {
  isBusy: boolean;
  /** Why the last call was rejected: the server's message, or ''. */
  refusal: string;
  /** Runs `call` unless another call is running. */
  send(call: () => Promise<void>): Promise<void>;
  /** Clears the rejection. */
  clear(): void;
}

/** Submits a form once at a time. `call` rejects with `HttpFailure`. */
export function useSending(): Sending {
  // The state is updated by the next render, before which a second press may occur.
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  const send = async (call: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setRefusal('');
    try {
      await call();
    } catch (error) {
      setRefusal((error as HttpFailure).message);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, refusal, send, clear: () => setRefusal('') };
}
