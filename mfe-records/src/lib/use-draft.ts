import type { Storage } from 'host/contract';
import { useCallback, useState } from 'react';

/** A draft stored in this browser under `key` until it is saved or discarded. `start` is the saved value. */
export function useDraft<T>(storage: Storage, key: string, start: T) {
  const [state, setState] = useState(() => {
    const kept = storage.get<T>(key);
    /** Whether the draft is from an earlier visit. */
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
  /** Discards the draft and restores the saved value. */
  // biome-ignore lint/correctness/useExhaustiveDependencies: uses the value at the time of opening
  const discard = useCallback(() => {
    storage.remove(key);
    setState({ value: start, isRestored: false });
  }, [storage, key]);
  /** Whether the value differs from the saved one. */
  const isChanged = JSON.stringify(state.value) !== JSON.stringify(start);
  return { ...state, isChanged, change, discard };
}
