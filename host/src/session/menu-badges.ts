import { BehaviorSubject, distinctUntilChanged, skip } from 'rxjs';
import type { RouteTable } from '../routes.ts';

interface Options {
  routes: Pick<RouteTable, 'menu'>;
  token$: BehaviorSubject<string>;
  /** GET request with the current session. */
  get(url: string): Promise<unknown>;
  page: Pick<Window, 'addEventListener'>;
}

/** Counters beside entries of the main navigation, such as questions that wait for an editor. */
export interface MenuBadges {
  /** By path of the route; a missing entry or 0 is not shown. Empty for guests. */
  counts$: BehaviorSubject<Readonly<Record<string, number>>>;
  /** Updates the counters from the response to any GET of the page. */
  read(url: string, body: unknown): void;
  /** Starts refreshing: now, after every sign-in, and when the page becomes visible. Sends no requests for guests. */
  watch(): void;
}

/** Minimum time between refreshes in ms. */
const MIN_INTERVAL_MS = 60_000;

/** Errors are ignored here: the screen itself reports them. */
export function createMenuBadges({ routes, token$, get, page }: Options): MenuBadges {
  const badges = routes.menu.flatMap(({ path, menu }) => (menu.badge ? [{ path, ...menu.badge }] : []));
  const counts$ = new BehaviorSubject<Readonly<Record<string, number>>>({});
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
    read(url, body) {
      for (const { path, field, url: source } of badges) {
        if (source !== url) continue;
        requestedAt = Date.now();
        const value = (body as Record<string, unknown> | null | undefined)?.[field];
        const count = typeof value === 'number' && token$.value ? value : 0;
        if (count !== (counts$.value[path] ?? 0)) counts$.next({ ...counts$.value, [path]: count });
      }
    },
    watch() {
      requestIfOld();
      changed$.subscribe(requestAll);
      page.addEventListener('focus', requestIfOld);
    },
  };
}
