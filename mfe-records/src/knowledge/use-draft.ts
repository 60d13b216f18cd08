import type { Storage } from 'host/contract';
import { useCallback, useState } from 'react';

export interface Draft<T> {
  value: T;
  /** It was there from an earlier visit. */
  isRestored: boolean;
  /** It says something else than what is there. */
  isChanged: boolean;
  change(value: T): void;
  /** Forgets what was typed and goes back to what there is. */
  discard(): void;
}

/** What somebody types, kept in this browser under `key` until it is saved or discarded. `start` is what is there without it. */
export function useDraft<T>(storage: Storage, key: string, start: T): Draft<T> {
  const [state, setState] = useState(() => {
    const kept = storage.get<T>(key);
    const isRestored = kept !== undefined && JSON.stringify(kept) !== JSON.stringify(start);
    return { value: isRestored ? kept : start, isRestored };
  });
  const change = useCallback(
    (value: T) => {
      storage.set(key, value);
      setState((before) => ({ ...before, value }));
    },
    [storage, key],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what there was when it was opened
  const discard = useCallback(() => {
    storage.remove(key);
    setState({ value: start, isRestored: false });
  }, [storage, key]);
  const isChanged = JSON.stringify(state.value) !== JSON.stringify(start);
  return { ...state, isChanged, change, discard };
}
