import { initialising, type LateFailure, onLateFailure, opening } from './late-chunks.ts';
import { refetch } from './run-module.ts';

/** The little that the loader needs of the federation. */
export interface Federation {
  /**
   * Fetches the module that the release at `entry` exposes as `expose` ('./chat'). None of its code has run before the function is
   * called that this resolves with. Rejects when the entry or one of its files does not run. An entry that arrives after `signal` is
   * aborted is ignored.
   */
  load(entry: string, expose: string, signal: AbortSignal): Promise<() => unknown>;
  /** Reports files that a screen, or the host, imported later and did not get. There is one listener. */
  onLateFailure(report: (failure: LateFailure) => void): void;
}

/** What a remote's entry exports, by Module Federation's own protocol. */
interface Container {
  /** Takes the libraries that the host provides. */
  init(shareScope: unknown): void | Promise<void>;
  /** Fetches an exposed module; its code runs when the function is called. Rejects for one that is not exposed. */
  get(expose: string): Promise<() => unknown>;
}

declare const __webpack_init_sharing__: (scope: string) => Promise<void>;
declare const __webpack_share_scopes__: { default: unknown };

const containers = new Map<string, Promise<Container>>();
const initialised = new Map<string, Promise<void>>();

/**
 * Module Federation at run time: no remote and no address is known before the composition names it. Containers are opened here and
 * not by the runtime's remote handler, which is built out (`disableRemote`): it knows one address of a remote at a time, and weighs
 * 7 KB (gzip) before anybody sees anything.
 */
export const federation: Federation = {
  async load(entry, expose, signal) {
    const container = await once(containers, entry, () => fetchContainer(entry));
    signal.throwIfAborted();
    await once(initialised, entry, async () =>
      initialising(entry, () => container.init(__webpack_share_scopes__.default)),
    );
    signal.throwIfAborted();
    return opening(() => container.get(expose));
  },
  onLateFailure,
};

/** What failed is done anew by the next call, from the same address: the page's integrity map knows no other. */
function once<T>(known: Map<string, Promise<T>>, entry: string, work: () => Promise<T>): Promise<T> {
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
      // The loader tries again.
      await refetch(entry);
      throw error;
    }),
    __webpack_init_sharing__('default'),
  ]);
  return container;
}
