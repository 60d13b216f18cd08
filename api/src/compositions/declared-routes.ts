import type { Release, Route } from './release.ts';

type RoutedRelease = Pick<Release, 'name' | 'routes'>;

/** Where `/` leads. */
const HOME = '/index';

/**
 * All routes of a composition: those that its remotes declare, and the host's own. Hosts of before 1.5 declare the routes of all remotes;
 * they count for remotes that declare none themselves. A path that two releases declare, which no check lets go live, is the first one's.
 */
export function routesOf(host: RoutedRelease, remotes: readonly RoutedRelease[]): Route[] {
  const declaring = new Set(remotes.filter(({ routes }) => routes.length > 0).map(({ name }) => name));
  const all = [
    ...remotes.flatMap(({ routes }) => routes),
    ...host.routes.filter(({ remote }) => !declaring.has(remote)),
  ];
  return [...new Map(all.reverse().map((route) => [route.path, route])).values()].reverse();
}

/** The route at `path` below /chatbot, with or without a slash at its end. */
export function routeAt(routes: readonly Route[], path: string): Route | undefined {
  const wanted = path.replace(/\/+$/, '') || HOME;
  return routes.find((route) => route.path === wanted);
}
