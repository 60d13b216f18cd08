import { initContainer, type LateFailure, onLateFailure, openScreen } from './late-chunks.ts';
import { refetch } from './run-module.ts';

/** What the loader needs of Module Federation. */
export interface Federation {
  /**
   * Loads the module that the release at `entry` exposes as `expose` ('./chat'). None of its code runs before the resolved function is
   * called. Rejects if the entry or one of its files fails. An entry that arrives after `signal` is aborted is ignored.
   */
  load(entry: string, expose: string, signal: AbortSignal): Promise<() => unknown>;
  /** Sets the only listener for files that a screen or the host imported later and that failed to load. */
  onLateFailure(report: (failure: LateFailure) => void): void;
}

/** The exports of a remote entry, as defined by Module Federation. */
interface Container {
  /** Receives the shared libraries of the host. */
  init(shareScope: unknown): void | Promise<void>;
  /** Loads an exposed module; its code runs when the function is called. Rejects if the module is not exposed. */
  get(expose: string): Promise<() => unknown>;
}

declare const __webpack_init_sharing__: (scope: string) => Promise<void>;
declare const __webpack_share_scopes__: { default: unknown };

const containers = new Map<string, Promise<Container>>();
const initialised = new Map<string, Promise<void>>();

/**
 * Module Federation at run time: remotes and their addresses are only known from the composition. Opens containers itself instead of using
 * the runtime's remote handler, which is disabled at build time (`disableRemote`): that supports one address per remote, and adds 7 KB
 * (gzip) to the initial download.
 */
export const federation: Federation = {
  async load(entry, expose, signal) {
    const container = await cached(containers, entry, () => fetchContainer(entry));
    signal.throwIfAborted();
    await cached(initialised, entry, async () =>
      initContainer(entry, () => container.init(__webpack_share_scopes__.default)),
    );
    signal.throwIfAborted();
    return openScreen(() => container.get(expose));
  },
  onLateFailure,
};

/** Caches successful results only. A retry uses the same address, because the page's integrity map has no other. */
function cached<T>(known: Map<string, Promise<T>>, entry: string, work: () => Promise<T>): Promise<T> {
  const earlier = known.get(entry);
  if (earlier) return earlier;
  const result = work();
  known.set(entry, result);
  result.catch(() => known.delete(entry));
  return result;
}

async function fetchContainer(entry: string): Promise<Container> {
  const [container] = await Promise.all([
    (import(/* webpackIgnore: true */ entry) as Promise<Container>).catch(async (error: unknown) => {
      // The loader retries.
      await refetch(entry);
      throw error;
    }),
    __webpack_init_sharing__('default'),
  ]);
  return container;
}
