import type { Release, Route } from './release.ts';

type RoutedRelease = Pick<Release, 'name' | 'routes'>;

/** Target of `/`. */
const HOME = '/index';

/**
 * All routes of a composition: those that its remotes declare, and the host's own. Hosts before 1.5 declare
 * the routes of all remotes; these apply to remotes that declare none. If two releases declare the same path,
 * which a check would refuse, the first one applies.
 */
export function routesOf(host: RoutedRelease, remotes: readonly RoutedRelease[]): Route[] {
  const declaring = new Set(remotes.filter(({ routes }) => routes.length > 0).map(({ name }) => name));
  const all = [
    ...remotes.flatMap(({ routes }) => routes),
    ...host.routes.filter(({ remote }) => !declaring.has(remote)),
  ];
  return [...new Map(all.reverse().map((route) => [route.path, route])).values()].reverse();
}

/** The route at `path` below /chatbot, with or without a trailing slash. */
export function routeAt(routes: readonly Route[], path: string): Route | undefined {
  const wanted = path.replace(/\/+$/, '') || HOME;
  return routes.find((route) => route.path === wanted);
}
