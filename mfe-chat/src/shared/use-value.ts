import { useCallback, useSyncExternalStore } from 'react';
import type { BehaviorSubject } from 'rxjs';

/** The current value of a stream; the component renders anew when it changes. */
export function useValue<T>(subject$: BehaviorSubject<T>): T {
  return useValueOr(subject$, subject$.value);
}

/** What `select` takes out of the current value; the component renders anew only when that changes. `select` returns a primitive. */
export function useSelected<T, S extends string | number | boolean | null>(
  subject$: BehaviorSubject<T>,
  select: (value: T) => S,
): S {
  const subscribe = useSubscribe(subject$);
  return useSyncExternalStore(subscribe, () => select(subject$.value));
}

/** As `useValue`, for a stream that is still to come: until then, `fallback`. */
export function useValueOr<T, F>(subject$: BehaviorSubject<T> | undefined, fallback: F): T | F {
  const subscribe = useSubscribe(subject$);
  return useSyncExternalStore(subscribe, () => (subject$ ? subject$.value : fallback));
}

function useSubscribe<T>(subject$: BehaviorSubject<T> | undefined) {
  return useCallback(
    (listener: () => void) => {
      const subscription = subject$?.subscribe(listener);
      return () => subscription?.unsubscribe();
    },
    [subject$],
  );
}
