import { loadRemote, registerRemotes } from '@module-federation/enhanced/runtime';
import { wantEntry } from './wanted-entries.ts';

/** The little that the loader needs of the federation runtime. */
export interface Federation {
  /** From now on `remote` means the release at `entry`; whatever the runtime knew of it is forgotten. */
  register(remote: string, entry: string): void;
  /**
   * Fetches the module that `remote` exposes as `expose` ('./chat'). None of its code has run before the function is called that
   * this resolves with. Rejects when the entry or one of its files does not run.
   */
  load(remote: string, expose: string): Promise<() => unknown>;
}

/** Module Federation at run time: no remote and no address is known before the composition names it. */
export const federation: Federation = {
  register(remote, entry) {
    wantEntry(remote, entry);
    registerRemotes([{ name: remote, entry, type: 'module' }], { force: true });
  },
  async load(remote, expose) {
    const id = `${remote}${expose.slice(1)}`;
    const run = await loadRemote<() => unknown>(id, { loadFactory: false, from: 'runtime' });
    if (typeof run !== 'function') throw new Error(`${remote} exposes no ${expose}`);
    return run;
  },
};
