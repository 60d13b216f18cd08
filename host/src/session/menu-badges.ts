import { BehaviorSubject, distinctUntilChanged, skip } from 'rxjs';
import type { RouteTable } from '../routes.ts';

interface Options {
  routes: Pick<RouteTable, 'menu'>;
  token$: BehaviorSubject<string>;
  /** GET request with the current session. */
  get(url: string): Promise<unknown>;
  page: Pick<Window, 'addEventListener'>;
}

type Counts = Readonly<Record<string, number | undefined>>;

/** Minimum time between refreshes in ms. */
const MIN_INTERVAL_MS = 60_000;

export type MenuBadges = ReturnType<typeof createMenuBadges>;

/** Counters of menu entries, such as the number of unanswered questions. Errors are ignored, because the screens report them. */
export function createMenuBadges({ routes, token$, get, page }: Options) {
  const badges = routes.menu.flatMap(({ path, menu }) => (menu.badge ? [{ path, ...menu.badge }] : []));
  /** Counts by path of the route; 0 is not shown. Missing until known, and if the API returns none. Empty for guests. */
  const counts$ = new BehaviorSubject<Counts>({});
  let requestedAt = Number.NEGATIVE_INFINITY;

  const requestAll = () => {
    if (!token$.value || badges.length === 0) return;
    requestedAt = Date.now();
    // The HTTP client passes the response to `read`.
    for (const url of new Set(badges.map((badge) => badge.url))) void get(url).catch(() => undefined);
  };
  const requestIfOld = () => {
    if (Date.now() - requestedAt > MIN_INTERVAL_MS) requestAll();
  };
  const changed$ = token$.pipe(distinctUntilChanged(), skip(1));
  changed$.subscribe(() => counts$.next({}));

  return {
    counts$,
    /** Updates the counters from the response to any GET of the page. */
    read(url: string, body: unknown): void {
      for (const { path, field, url: source } of badges) {
        if (source !== url) continue;
        requestedAt = Date.now();
        const value = (body as Record<string, unknown> | null | undefined)?.[field];
        const count = typeof value === 'number' && token$.value ? value : undefined;
        if (count !== counts$.value[path]) counts$.next({ ...counts$.value, [path]: count });
      }
    },
    /** Starts refreshing: now, after every sign-in, and when the page becomes visible. Sends no requests for guests. */
    watch(): void {
      requestIfOld();
      changed$.subscribe(requestAll);
      page.addEventListener('focus', requestIfOld);
    },
  };
}
