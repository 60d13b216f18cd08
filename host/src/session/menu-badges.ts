import { BehaviorSubject, distinctUntilChanged, skip } from 'rxjs';
import type { RouteTable } from '../routes.ts';

interface Options {
  routes: Pick<RouteTable, 'menu'>;
  token$: BehaviorSubject<string>;
  /** GETs a badge's address as the visitor. */
  ask(url: string): Promise<unknown>;
  page: Pick<Window, 'addEventListener'>;
}

/** Numbers beside entries of the main navigation, such as questions that wait for an editor. */
export interface MenuBadges {
  /** By path of the route; without an entry, or 0, nothing is shown. Empty for guests. */
  counts$: BehaviorSubject<Readonly<Record<string, number>>>;
  /** Takes the numbers from the answer to any GET of the page. */
  read(url: string, body: unknown): void;
  /** Asks now, after every sign-in, and when the visitor returns to the page. Guests ask nothing. */
  watch(): void;
}

/** Within this time a return to the page asks nothing. */
const FRESH_MS = 60_000;

/** A number that cannot be read is not shown: the screen itself reports what is wrong. */
export function createMenuBadges({ routes, token$, ask, page }: Options): MenuBadges {
  const badges = routes.menu.flatMap(({ path, menu }) => (menu.badge ? [{ path, ...menu.badge }] : []));
  const counts$ = new BehaviorSubject<Readonly<Record<string, number>>>({});
  let askedAt = Number.NEGATIVE_INFINITY;

  const askAll = () => {
    if (!token$.value || badges.length === 0) return;
    askedAt = Date.now();
    // `read` gets every answer from the page's HTTP client.
    for (const url of new Set(badges.map((badge) => badge.url))) void ask(url).catch(() => undefined);
  };
  const askWhereOld = () => {
    if (Date.now() - askedAt > FRESH_MS) askAll();
  };
  const changed$ = token$.pipe(distinctUntilChanged(), skip(1));
  changed$.subscribe(() => counts$.next({}));

  return {
    counts$,
    read(url, body) {
      for (const { path, field, url: source } of badges) {
        if (source !== url) continue;
        askedAt = Date.now();
        const value = (body as Record<string, unknown> | null | undefined)?.[field];
        const count = typeof value === 'number' && token$.value ? value : 0;
        if (count !== (counts$.value[path] ?? 0)) counts$.next({ ...counts$.value, [path]: count });
      }
    },
    watch() {
      askWhereOld();
      changed$.subscribe(askAll);
      page.addEventListener('focus', askWhereOld);
    },
  };
}
