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
