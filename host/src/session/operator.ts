import { BehaviorSubject } from 'rxjs';
import type { Storage } from '../contract.ts';

export type Operator = ReturnType<typeof createOperator>;

/** Whether the account may operate, or has entered an ops token in this browser since it signed in: it sees the menu entries for operators. */
export function createOperator(storage: Pick<Storage, 'get' | 'set' | 'owner$'>) {
  const read = () => storage.get<boolean>('operator') === true;
  const isKnown$ = new BehaviorSubject(read());
  storage.owner$.subscribe(() => isKnown$.next(read()));
  return {
    isKnown$,
    note(): void {
      storage.set('operator', true);
      isKnown$.next(true);
    },
  };
}
