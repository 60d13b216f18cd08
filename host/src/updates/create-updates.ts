import { BehaviorSubject } from 'rxjs';
import type { Updates } from '../contract.ts';

export interface HeldUpdates extends Updates {
  /** Whether somebody is in the middle of something. */
  isHeld$: BehaviorSubject<boolean>;
}

/** Counts who is in the middle of something. */
export function createUpdates(): HeldUpdates {
  const isHeld$ = new BehaviorSubject(false);
  const holders = new Set<symbol>();
  const tell = () => {
    if (isHeld$.value !== holders.size > 0) isHeld$.next(holders.size > 0);
  };
  return {
    isHeld$,
    hold() {
      const holder = Symbol('holder');
      holders.add(holder);
      tell();
      return () => {
        holders.delete(holder);
        tell();
      };
    },
  };
}
