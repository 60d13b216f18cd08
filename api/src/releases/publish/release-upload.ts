import type { ReleaseUpload } from '../../contract/releases.ts';
import type { Release, Route, SharedLibrary } from '../data/release.ts';
import { isElsewhere } from '../data/release-keys.ts';

/** The upload by which another server gets the same release, with the same digest. */
export function uploadOf(release: Release): ReleaseUpload {
  const {
    name,
    version,
    container,
    contract,
    entry,
    entryFiles,
    links,
    standard,
    facades,
    firstStates,
    template,
  } = release;
  const { commit, base } = release;
  return {
    name,
    version,
    container,
    contract,
    entry,
    entryFiles,
    exposes: Object.fromEntries(release.exposes.map(({ name: module, ...assets }) => [module, assets])),
    shared: rangesOf(release.shared),
    routes: release.routes.every(isDeclared)
      ? release.routes.map(({ remote: _, ...route }) => route)
      : Object.fromEntries(release.routes.map(({ path, remote, module }) => [path, `${remote}/${module}`])),
    ...(links ? { links } : {}),
    ...(standard ? { standard: { ...standard, own: rangesOf(standard.own) } } : {}),
    ...(facades ? { facades } : {}),
    ...(firstStates ? { firstStates } : {}),
    template,
    styleMarks: Object.fromEntries(
      release.files.filter(({ mark }) => mark !== '').map(({ path, mark }) => [path, mark]),
    ),
    commit,
    files: release.files.map(({ path, size, integrity }) => ({ path, size, integrity })),
    ...(isElsewhere(release) ? { address: base } : {}),
  };
}

function rangesOf(libraries: readonly SharedLibrary[]): Record<string, string> {
  return Object.fromEntries(libraries.map(({ library, range }) => [library, range]));
}

/** False for the routes of hosts built before 1.5. */
function isDeclared(route: Route): route is Route & Required<Pick<Route, 'guard' | 'title'>> {
  return route.guard !== undefined && route.title !== undefined;
}
