// The agreed surface of rxjs that host and remotes share at run time. Whatever is not on this list does not compile,
// and what nobody needs is not shipped: a whole shared package cannot be tree-shaken.
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
