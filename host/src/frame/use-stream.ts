import { useSyncExternalStore } from 'react';
import type { BehaviorSubject } from 'rxjs';

/** The current value of a stream; renders at every new one. */
export function useStream<T>(stream$: BehaviorSubject<T>): T {
  return useSyncExternalStore(
    (notify) => {
      const subscription = stream$.subscribe(notify);
      return () => subscription.unsubscribe();
    },
    () => stream$.value,
  );
}
