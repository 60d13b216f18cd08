import { useCallback, useSyncExternalStore } from 'react';
import type { BehaviorSubject } from 'rxjs';

/** The current value of a stream; renders at every new one. */
export function useStream<T>(stream$: BehaviorSubject<T>): T {
  const subscribe = useCallback(
    (notify: () => void) => {
      const subscription = stream$.subscribe(notify);
      return () => subscription.unsubscribe();
    },
    [stream$],
  );
  return useSyncExternalStore(subscribe, () => stream$.value);
}
