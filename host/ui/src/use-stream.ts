import { useCallback, useSyncExternalStore } from 'react';
import type { BehaviorSubject } from 'rxjs';

/** The current value of a stream; the component renders again when it changes. */
export function useStream<T>(stream$: BehaviorSubject<T>): T {
  const subscribe = useSubscribe(stream$);
  return useSyncExternalStore(subscribe, () => stream$.value);
}

/** As `useStream`, for a stream that does not exist yet: until then, `fallback`. */
export function useStreamOr<T, F>(stream$: BehaviorSubject<T> | undefined, fallback: F): T | F {
  const subscribe = useSubscribe(stream$);
  return useSyncExternalStore(subscribe, () => (stream$ ? stream$.value : fallback));
}

/** What `select` derives from the current value; the component renders again only when that changes. `select` returns a primitive. */
export function useSelected<T, S extends string | number | boolean | null>(
  stream$: BehaviorSubject<T>,
  select: (value: T) => S,
): S {
  const subscribe = useSubscribe(stream$);
  return useSyncExternalStore(subscribe, () => select(stream$.value));
}

function useSubscribe<T>(stream$: BehaviorSubject<T> | undefined) {
  return useCallback(
    (notify: () => void) => {
      const subscription = stream$?.subscribe(notify);
      return () => subscription?.unsubscribe();
    },
    [stream$],
  );
}
