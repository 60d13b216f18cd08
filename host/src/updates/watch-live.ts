import { BehaviorSubject } from 'rxjs';

export interface LiveWatch {
  /** The composition that the next page would have, '' as long as it is this page's own or nobody knows. */
  next$: BehaviorSubject<string>;
  stop(): void;
}

interface Options {
  page: Window;
  /** The composition of this page. */
  own: string;
  /** Asks which composition a page would have now. */
  ask(): Promise<string>;
  /** Milliseconds between two questions of a page that is looked at; jittered by a quarter. */
  everyMs?: number;
  /** Milliseconds that have to lie between two questions in any case. */
  gapMs?: number;
}

/** Asks when the page comes to the front or back to a network, and now and then while it is looked at. Otherwise it is silent. */
export function watchLive({ page, own, ask, everyMs = 300_000, gapMs = 5_000 }: Options): LiveWatch {
  const { document, navigator } = page;
  const next$ = new BehaviorSubject('');
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  const isAwake = () => document.visibilityState === 'visible' && navigator.onLine;

  const look = async () => {
    const now = performance.now();
    if (now - askedAt < gapMs) return;
    askedAt = now;
    const id = await ask().catch(() => '');
    if (ending.signal.aborted || !id) return;
    const next = id === own ? '' : id;
    if (next !== next$.value) next$.next(next);
  };

  const wait = () => {
    clearTimeout(timer);
    if (!isAwake()) return;
    timer = setTimeout(
      () => {
        if (isAwake()) void look();
        wait();
      },
      everyMs * (0.75 + Math.random() / 2),
    );
  };

  const wake = () => {
    if (isAwake()) void look();
    wait();
  };

  const { signal } = ending;
  document.addEventListener('visibilitychange', wake, { signal });
  for (const event of ['focus', 'online', 'offline']) page.addEventListener(event, wake, { signal });
  wait();
  return {
    next$,
    stop() {
      ending.abort();
      clearTimeout(timer);
    },
  };
}
