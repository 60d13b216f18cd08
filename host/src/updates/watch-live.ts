import { BehaviorSubject } from 'rxjs';

interface Options {
  page: Window;
  /** The composition of this page. */
  own: string;
  fetchLive(): Promise<string>;
  /** Polling interval in ms while the page is visible; varied randomly by 25 %. */
  everyMs?: number;
  /** Minimum time between requests in ms. */
  gapMs?: number;
}

/** Checks for a new composition when the page becomes visible or online, and periodically while it is visible. */
export function watchLive({ page, own, fetchLive, everyMs = 300_000, gapMs = 5_000 }: Options) {
  const { document, navigator } = page;
  /** The live composition; '' while it is this page's own or unknown. */
  const next$ = new BehaviorSubject('');
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;

  const isActive = () => document.visibilityState === 'visible' && navigator.onLine;

  const check = async () => {
    const now = performance.now();
    if (now - checkedAt < gapMs) return;
    checkedAt = now;
    const id = await fetchLive().catch(() => '');
    if (ending.signal.aborted || !id) return;
    const next = id === own ? '' : id;
    if (next !== next$.value) next$.next(next);
  };

  const schedule = () => {
    clearTimeout(timer);
    if (!isActive()) return;
    timer = setTimeout(
      () => {
        if (isActive()) void check();
        schedule();
      },
      everyMs * (0.75 + Math.random() / 2),
    );
  };

  const onChange = () => {
    if (isActive()) void check();
    schedule();
  };

  const { signal } = ending;
  document.addEventListener('visibilitychange', onChange, { signal });
  for (const event of ['focus', 'online', 'offline']) page.addEventListener(event, onChange, { signal });
  schedule();
  return {
    next$,
    stop(): void {
      ending.abort();
      clearTimeout(timer);
    },
  };
}
