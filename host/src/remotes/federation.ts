/** The little that the loader needs of the federation. */
export interface Federation {
  /** From now on `remote` means the release at `entry`. */
  register(remote: string, entry: string): void;
  /**
   * Fetches the module that `remote` exposes as `expose` ('./chat'). None of its code has run before the function is called that
   * this resolves with. Rejects when the entry or one of its files does not run.
   */
  load(remote: string, expose: string): Promise<() => unknown>;
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

const entries = new Map<string, string>();
const containers = new Map<string, Promise<Container>>();

/**
 * Module Federation at run time: no remote and no address is known before the composition names it. Containers are opened here and
 * not by the runtime's remote handler, which is built out (`disableRemote`): it knows one address of a remote at a time, and weighs
 * 7 KB (gzip) before anybody sees anything.
 */
export const federation: Federation = {
  register: (remote, entry) => void entries.set(remote, entry),
  async load(remote, expose) {
    const entry = entries.get(remote);
    if (entry === undefined) throw new Error(`${remote} must be registered before it is loaded`);
    const container = await containerAt(entry, () => {
      // Who comes after the tab has gone on to another release is turned away: none of its chunks and styles are fetched any more.
      if (entries.get(remote) !== entry) throw new Error(`${entry} came too late`);
    });
    return container.get(expose);
  },
};

/** What failed is fetched anew by the next call, from the same address: the page's integrity map knows no other. */
function containerAt(entry: string, assertWanted: () => void): Promise<Container> {
  const known = containers.get(entry);
  if (known) return known;
  const opening = openContainer(entry, assertWanted);
  containers.set(entry, opening);
  opening.catch(() => containers.delete(entry));
  return opening;
}

async function openContainer(entry: string, assertWanted: () => void): Promise<Container> {
  const [container] = await Promise.all([
    import(/* webpackIgnore: true */ entry) as Promise<Container>,
    __webpack_init_sharing__('default'),
  ]);
  assertWanted();
  await container.init(__webpack_share_scopes__.default);
  return container;
}
