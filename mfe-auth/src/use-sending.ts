import type { HttpFailure } from 'host/contract';
import { useRef, useState } from 'react';

export interface Sending {
  isBusy: boolean;
  /** Why the last call was refused, in the server's own words; '' while there is nothing to say. */
  refusal: string;
  /** Runs `call` unless one is under way: a second press sends nothing. */
  send(call: () => Promise<void>): Promise<void>;
  /** Forgets the refusal. */
  clear(): void;
}

/** One form's way to the server. `call` rejects with `HttpFailure` to be refused. */
export function useSending(): Sending {
  // The state is late by a render; two presses can come before it.
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
