import { BehaviorSubject } from 'rxjs';
import type { Updates } from '../contract.ts';

export interface HeldUpdates extends Updates {
  /** True while any hold is active. */
  isHeld$: BehaviorSubject<boolean>;
}

/** Counts active holds. */
export function createUpdates(): HeldUpdates {
  const isHeld$ = new BehaviorSubject(false);
  const holders = new Set<symbol>();
  const publish = () => {
    if (isHeld$.value !== holders.size > 0) isHeld$.next(holders.size > 0);
  };
  return {
    isHeld$,
    hold() {
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
