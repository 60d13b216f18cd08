import type { Composition, Release } from './composition.ts';

/** What Module Federation's developer tools read from `__FEDERATION__`. */
interface FederationGlobal {
  moduleInfo: Record<string, ModuleInfo>;
  __INSTANCES__: readonly Instance[];
}

interface Instance {
  name: string;
  /** By scope, library and version. */
  shareScopeMap: Record<string, Record<string, Record<string, { useIn?: readonly string[] }>>>;
}

interface ModuleInfo {
  version: string;
  buildVersion: string;
  globalName: string;
  remoteEntry: string;
  remoteEntryType: string;
  publicPath: string;
  modules: { moduleName: string; modulePath: string; assets: object }[];
  remotesInfo: Record<string, { matchedVersion: string }>;
  shared: { sharedName: string; version: string }[];
}

/**
 * Describes the page's composition to Module Federation's developer tools: the host, the live release of each remote, and the shared
 * libraries that each one uses by now. The host opens containers itself, so that the runtime does not know their addresses.
 */
export function describeToDevtools({ host, remotes }: Composition, page: Window): void {
  const { __FEDERATION__: federation } = page as { __FEDERATION__?: FederationGlobal };
  const runtime = federation?.__INSTANCES__.find(({ name }) => name === 'host');
  if (!federation || !runtime) return;
  const releases = Object.entries(remotes).map(
    ([name, release]) => [release.container || name, release] as const,
  );
  const matched = releases.map(([name, { version }]) => [name, { matchedVersion: version }] as const);
  const info = (name: string, release: Release): ModuleInfo => ({
    version: release.version,
    buildVersion: release.version,
    globalName: name,
    remoteEntry: release.entry,
    remoteEntryType: release.standard?.type === 'script' ? 'global' : 'module',
    publicPath: '',
    modules: Object.entries(release.exposes ?? {}).map(([path, { css }]) => ({
      moduleName: path.replace(/^\.\//, ''),
      modulePath: path,
      assets: { js: { sync: [], async: [] }, css: { sync: css, async: [] } },
    })),
    remotesInfo: {},
    get shared() {
      return libraries(runtime).filter(({ useIn }) => useIn.includes(name));
    },
  });
  federation.moduleInfo.host = {
    ...info('host', { ...host, entry: host.entry ?? '' }),
    remotesInfo: Object.fromEntries(matched),
    get shared() {
      return libraries(runtime);
    },
  };
  for (const [name, release] of releases)
    federation.moduleInfo[`${name}:${release.version}`] = info(name, release);
}

function libraries({ shareScopeMap }: Instance) {
  return Object.values(shareScopeMap).flatMap((scope) =>
    Object.entries(scope).flatMap(([sharedName, versions]) =>
      Object.entries(versions).map(([version, { useIn = [] }]) => ({ sharedName, version, useIn })),
    ),
  );
}
