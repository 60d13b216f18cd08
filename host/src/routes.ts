import type { PageRoute } from 'api/contract/pages';

export type ScreenId = PageRoute['screen'];

/** The desk's path of pages; the basename of the router is its `deskAddress`. */
export const BASE = '/chatbot';

/** Target of the redirect from `/`. */
export const HOME = '/index';

/** Guests are redirected here from guarded routes. */
export const LOGIN = '/login';

/** The address that the first start prints; the form is a one-time link of the sign-in screen. */
export const SETUP = '/setup';

export type MenuRoute = PageRoute & { menu: NonNullable<PageRoute['menu']> };

export type RouteTable = ReturnType<typeof createRouteTable>;

/** The routes declared by the page's releases, from its composition. */
export function createRouteTable(routes: readonly PageRoute[]) {
  const byPath = new Map(routes.map((route) => [route.path, route]));
  return {
    all: routes,
    /** Routes with an entry in the main navigation, in its order. */
    menu: routes
      .filter((route): route is MenuRoute => route.menu !== undefined)
      .sort((a, b) => a.menu.order - b.menu.order || (a.path < b.path ? -1 : 1)),
    /** The route of `path` (without the base; with or without trailing slash), or undefined. */
    at: (path: string): PageRoute | undefined => byPath.get(withoutSlash(path)),
  };
}

export function isRoot(path: string): boolean {
  return withoutSlash(path) === '';
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}
