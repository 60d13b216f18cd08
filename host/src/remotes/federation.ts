import type { Release } from './composition.ts';
import { type Container, importContainer, type ShareScope } from './import-module.ts';
import { initContainer, type LateFailure, onLateFailure, openScreen } from './late-chunks.ts';

/** The functions of Module Federation that the loader uses. */
export interface Federation {
  /**
   * Loads the module that the release exposes as `expose` ('./chat'). None of its code runs before the resolved function is called. Rejects
   * if the entry or one of its files fails. An entry that arrives after `signal` is aborted is ignored.
   */
  load(release: Release, expose: string, signal: AbortSignal): Promise<() => unknown>;
  /** Sets the only listener for files that a screen or the host imported later and that failed to load. */
  onLateFailure(report: (failure: LateFailure) => void): void;
}

/** Complete libraries are in `default`; libraries of which the host provides only a part are in `desk`. */
const SCOPES = ['default', 'desk'] as const;
type ShareScopes = Record<(typeof SCOPES)[number], ShareScope>;

declare const __webpack_init_sharing__: (scope: string) => Promise<void>;
declare const __webpack_share_scopes__: ShareScopes;

const containers = new Map<string, Promise<Container>>();
const initialised = new Map<string, Promise<void>>();

/**
 * Module Federation at run time: remotes and their addresses are only known from the composition. Opens containers itself instead of using
 * the runtime's remote handler, which is disabled at build time (`disableRemote`): that supports one address per remote, and adds 7 KB
 * (gzip) to the initial download.
 */
export const federation: Federation = {
  async load(release, expose, signal) {
    const { entry } = release;
    const container = await cached(containers, entry, () => fetchContainer(release));
    signal.throwIfAborted();
    await cached(initialised, entry, async () => initContainer(entry, () => initialise(container, release)));
    signal.throwIfAborted();
    return openScreen(() => container.get(expose));
  },
  onLateFailure,
};

/** Caches successful results only. */
function cached<T>(known: Map<string, Promise<T>>, entry: string, work: () => Promise<T>): Promise<T> {
  const earlier = known.get(entry);
  if (earlier) return earlier;
  const result = work();
  known.set(entry, result);
  result.catch(() => known.delete(entry));
  return result;
}

/**
 * Gives the container the host's libraries. The scopes are copied, so that libraries added by a release do not reach other releases. `id`
 * and `version` distinguish the federation instances of two releases of one remote.
 */
function initialise(container: Container, { entry, version, contract }: Release): void | Promise<void> {
  const libraries = Object.fromEntries(
    SCOPES.map((name) => [name, copyOf(__webpack_share_scopes__[name])]),
  ) as ShareScopes;
  // Remotes built for an earlier contract look for all libraries in one scope.
  if (/^1\.[0-5]\./.test(contract ?? '')) Object.assign(libraries.default, libraries.desk);
  const options = { id: entry, version, shareScopeKeys: SCOPES, shareScopeMap: libraries };
  return container.init(libraries.default, [], options);
}

function copyOf(scope: ShareScope = {}): ShareScope {
  return Object.fromEntries(Object.entries(scope).map(([library, versions]) => [library, { ...versions }]));
}

async function fetchContainer(release: Release): Promise<Container> {
  const [container] = await Promise.all([
    open(release),
    ...SCOPES.map((scope) => __webpack_init_sharing__(scope)),
  ]);
  return container;
}

async function open(release: Release): Promise<Container> {
  if (!release.standard) return importContainer(release.entry);
  const { openStandard } = await import(/* webpackChunkName: "standard" */ './standard-release.ts');
  return openStandard(release, window);
}
