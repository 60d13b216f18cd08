import { useCallback, useSyncExternalStore } from 'react';
import type { BehaviorSubject } from 'rxjs';

/** The current value of a stream; the component renders again when it changes. */
export function useStream<T>(stream$: BehaviorSubject<T>): T {
  return useStored(useSubscribe(stream$), () => stream$.value);
}

/** Like `useStream`, with `fallback` as long as the stream does not exist. */
export function useStreamOr<T, F>(stream$: BehaviorSubject<T> | undefined, fallback: F): T | F {
  return useStored(useSubscribe(stream$), () => (stream$ ? stream$.value : fallback));
}

/** What `select` derives from the current value; the component renders again only when that changes. `select` returns a primitive. */
export function useSelected<T, S extends string | number | boolean | null>(
  stream$: BehaviorSubject<T>,
  select: (value: T) => S,
): S {
  return useStored(useSubscribe(stream$), () => select(stream$.value));
}

/** React's `useSyncExternalStore`, which also works when the first state of a screen is rendered at build time. */
export function useStored<T>(subscribe: (notify: () => void) => () => void, read: () => T): T {
  return useSyncExternalStore(subscribe, read, read);
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
