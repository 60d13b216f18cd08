import { BehaviorSubject } from 'rxjs';

export interface ConnectionState {
  isOnline: boolean;
  /** Time of the next try, in ms since the epoch; null while one is under way or none is needed. */
  retryAt: number | null;
}

export interface Connection {
  state$: BehaviorSubject<ConnectionState>;
  /** Tries at once. */
  retry(): void;
}

interface Options {
  page: Window;
  /** Resolves when the server can be reached. */
  probe(): Promise<unknown>;
}

/** Time before each try, in ms; the last one is repeated. */
const DELAYS = [5_000, 10_000, 20_000, 30_000];

/**
 * Whether the browser has a network. Browsers notice late that it is back, and some never do, so that the server is asked now and then;
 * when it answers, the page gets the event `online` that whatever waits for a network listens to.
 */
export function createConnection({ page, probe }: Options): Connection {
  const online: ConnectionState = { isOnline: true, retryAt: null };
  const state$ = new BehaviorSubject<ConnectionState>(online);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let isTrying = false;

  const lose = () => {
    if (!state$.value.isOnline) return;
    tries = 0;
    wait();
  };
  const wait = () => {
    const delay = DELAYS[Math.min(tries, DELAYS.length - 1)]!;
    timer = setTimeout(retry, delay);
    state$.next({ isOnline: false, retryAt: Date.now() + delay });
  };
  const find = () => {
    clearTimeout(timer);
    if (!state$.value.isOnline) state$.next(online);
  };
  const retry = () => {
    if (isTrying || state$.value.isOnline) return;
    clearTimeout(timer);
    isTrying = true;
    tries++;
    state$.next({ isOnline: false, retryAt: null });
    probe().then(
      () => {
        isTrying = false;
        // `find` hears it as well.
        if (!state$.value.isOnline) page.dispatchEvent(new Event('online'));
      },
      () => {
        isTrying = false;
        if (!state$.value.isOnline) wait();
      },
    );
  };

  page.addEventListener('offline', lose);
  page.addEventListener('online', find);
  if (!page.navigator.onLine) lose();
  return { state$, retry };
}
