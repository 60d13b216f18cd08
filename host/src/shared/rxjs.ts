import { Observable } from 'rxjs-real';

// The part of rxjs that host and remotes share at run time. Other imports do not compile; unused exports are not shipped, although a shared
// package cannot be tree-shaken.
export {
  BehaviorSubject,
  distinctUntilChanged,
  firstValueFrom,
  fromEvent,
  map,
  merge,
  Observable,
  Subject,
  Subscription,
  skip,
  take,
} from 'rxjs-real';

/** Like `timer` of rxjs, but without schedulers, which nothing else uses. `due` and `period` are in ms; without `period` it emits once. */
export function timer(due: number | Date, period = -1): Observable<number> {
  return new Observable((subscriber) => {
    let count = 0;
    const emit = () => {
      subscriber.next(count++);
      if (period < 0) subscriber.complete();
      else if (!subscriber.closed) timeout = setTimeout(emit, period);
    };
    let timeout = setTimeout(emit, Number(due) - (due instanceof Date ? Date.now() : 0));
    return () => clearTimeout(timeout);
  });
}
