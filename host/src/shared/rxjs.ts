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
  timer,
} from 'rxjs-real';
