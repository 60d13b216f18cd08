import { useCallback, useSyncExternalStore } from 'react';
import type { BehaviorSubject } from 'rxjs';

/** The current value of a stream; the component renders anew when it changes. */
export function useValue<T>(subject$: BehaviorSubject<T>): T {
  const subscribe = useCallback(
    (listener: () => void) => {
      const subscription = subject$.subscribe(listener);
      return () => subscription.unsubscribe();
    },
    [subject$],
  );
  return useSyncExternalStore(subscribe, () => subject$.value);
}
