import { useCallback, useSyncExternalStore } from 'react';
import type { BehaviorSubject } from 'rxjs';

/** The current value of a stream; the component renders anew when it changes. */
export function useValue<T>(subject$: BehaviorSubject<T>): T {
  return useValueOr(subject$, subject$.value);
}

/** The same for a stream that is still to come: until then, `fallback`. */
export function useValueOr<T, F>(subject$: BehaviorSubject<T> | undefined, fallback: F): T | F {
  const subscribe = useCallback(
    (listener: () => void) => {
      const subscription = subject$?.subscribe(listener);
      return () => subscription?.unsubscribe();
    },
    [subject$],
  );
  return useSyncExternalStore(subscribe, () => (subject$ ? subject$.value : fallback));
}
