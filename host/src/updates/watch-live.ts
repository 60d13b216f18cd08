import { BehaviorSubject } from 'rxjs';

export interface LiveWatch {
  /** The live composition; '' while it is this page's own or unknown. */
  next$: BehaviorSubject<string>;
  stop(): void;
}

interface Options {
  page: Window;
  /** The composition of this page. */
  own: string;
  /** Requests the id of the live composition. */
  ask(): Promise<string>;
  /** Polling interval in ms while the page is visible; varied randomly by 25 %. */
  everyMs?: number;
  /** Minimum time between requests in ms. */
  gapMs?: number;
}

/** Checks for a new composition when the page becomes visible or online, and periodically while it is visible. */
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
