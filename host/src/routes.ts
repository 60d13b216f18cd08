import type { PageRoute } from 'api/contract/pages';

export type ScreenId = PageRoute['screen'];

/** Base of the router. */
export const BASE = '/chatbot';
/** Where `/` leads. */
export const HOME = '/index';
/** Where visitors without a session are sent from a guarded route. */
export const LOGIN = '/login';

/** The routes that the page's releases declare, as the page's composition lists them. */
export interface RouteTable {
  /** Routes with an entry in the main navigation, in its order. */
  menu: readonly MenuRoute[];
  all: readonly PageRoute[];
  /** The route at `path` below BASE, with or without a slash at its end. */
  at(path: string): PageRoute | undefined;
}

export type MenuRoute = PageRoute & { menu: NonNullable<PageRoute['menu']> };

export function createRouteTable(routes: readonly PageRoute[]): RouteTable {
  const byPath = new Map(routes.map((route) => [route.path, route]));
  return {
    all: routes,
    menu: routes
      .filter((route): route is MenuRoute => route.menu !== undefined)
      .sort((a, b) => a.menu.order - b.menu.order || (a.path < b.path ? -1 : 1)),
    at: (path) => byPath.get(withoutSlash(path)),
  };
}

export function isRoot(path: string): boolean {
  return withoutSlash(path) === '';
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}
