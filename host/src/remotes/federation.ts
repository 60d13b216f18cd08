import { loadRemote, registerRemotes } from '@module-federation/enhanced/runtime';

/** The little that the loader needs of the federation runtime. */
export interface Federation {
  /** From now on `remote` means the release at `entry`; whatever the runtime knew of it is forgotten. */
  register(remote: string, entry: string): void;
  /** The module that `remote` exposes as `expose` ('./chat'). Rejects when the entry or one of its files does not run. */
  load(remote: string, expose: string): Promise<unknown>;
}

/** Module Federation at run time: no remote and no address is known before the composition names it. */
export const federation: Federation = {
  register: (remote, entry) => registerRemotes([{ name: remote, entry, type: 'module' }], { force: true }),
  load: (remote, expose) => loadRemote(`${remote}${expose.slice(1)}`),
};
