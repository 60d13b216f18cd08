import { BehaviorSubject } from 'rxjs';

export interface ConnectionState {
  isOnline: boolean;
  /** Time of the next attempt, in ms since the epoch; null during an attempt or if none is needed. */
  retryAt: number | null;
}

export type Connection = ReturnType<typeof createConnection>;

interface Options {
  page: Window;
  /** True if the page was stored by an earlier visit, because the server cannot be reached, even if the browser has a network. */
  isStored?: boolean;
  /** Resolves if the server can be reached. */
  probe(): Promise<unknown>;
}

/** Delay before each attempt, in ms; the last one repeats. */
const DELAYS = [5_000, 10_000, 20_000, 30_000];

/**
 * Whether the browser is online. Browsers detect a restored network late or not at all, so the server is polled while offline; when it
 * answers, an `online` event is dispatched for all code that waits for the network.
 */
export function createConnection({ page, isStored = false, probe }: Options) {
  const online: ConnectionState = { isOnline: true, retryAt: null };
  const state$ = new BehaviorSubject<ConnectionState>(online);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let isTrying = false;

  const onOffline = () => {
    if (!state$.value.isOnline) return;
    tries = 0;
    scheduleRetry();
  };
  const scheduleRetry = () => {
    const delay = DELAYS[Math.min(tries, DELAYS.length - 1)]!;
    timer = setTimeout(retry, delay);
    state$.next({ isOnline: false, retryAt: Date.now() + delay });
  };
  const onOnline = () => {
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
        // Also handled by `onOnline`.
        if (!state$.value.isOnline) page.dispatchEvent(new Event('online'));
      },
      () => {
        isTrying = false;
        if (!state$.value.isOnline) scheduleRetry();
      },
    );
  };

  page.addEventListener('offline', onOffline);
  page.addEventListener('online', onOnline);
  if (isStored || !page.navigator.onLine) onOffline();
  return { state$, retry };
}
