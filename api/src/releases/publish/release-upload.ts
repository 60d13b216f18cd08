import { ReleaseUpload } from '../../contract/releases.ts';
import { describeAs } from '../../store/describe-as.ts';
import { type Release, type Route, rangesOf } from '../data/release.ts';
import { isElsewhere } from '../data/release-keys.ts';

/** The upload by which another server gets the same release, with the same digest. */
export function uploadOf(release: Release): ReleaseUpload {
  const { exposes, shared, routes, standard, files, base } = release;
  return describeAs(ReleaseUpload, {
    ...release,
    exposes: Object.fromEntries(exposes.map(({ name, ...assets }) => [name, assets])),
    shared: rangesOf(shared),
    routes: routes.every(isDeclared) ? routes.map(({ remote: _, ...route }) => route) : routeTable(routes),
    standard: standard && { ...standard, own: rangesOf(standard.own) },
    styleMarks: Object.fromEntries(
      files.filter(({ mark }) => mark !== '').map(({ path, mark }) => [path, mark]),
    ),
    files: files.map(({ path, size, integrity }) => ({ path, size, integrity })),
    address: isElsewhere(release) ? base : undefined,
  });
}

/** Paths with the screens that they show: 'mfe-chat/./chat'. */
export function routeTable(routes: readonly Route[]): Record<string, string> {
  return Object.fromEntries(routes.map(({ path, remote, module }) => [path, `${remote}/${module}`]));
}

/** False for the routes of hosts built before 1.5. */
function isDeclared(route: Route): route is Route & Required<Pick<Route, 'guard' | 'title'>> {
  return route.guard !== undefined && route.title !== undefined;
}
