import { BehaviorSubject } from 'rxjs';

export type HeldUpdates = ReturnType<typeof createUpdates>;

/** Counts active holds. */
export function createUpdates() {
  /** True while any hold is active. */
  const isHeld$ = new BehaviorSubject(false);
  const holders = new Set<symbol>();
  const publish = () => {
    if (isHeld$.value !== holders.size > 0) isHeld$.next(holders.size > 0);
  };
  return {
    isHeld$,
    hold(): () => void {
      const holder = Symbol('holder');
      holders.add(holder);
      publish();
      return () => {
        holders.delete(holder);
        publish();
      };
    },
  };
}
