import { createInstance } from '@module-federation/runtime';
import { attachShareScopeMap, bundlerRuntime } from '@module-federation/webpack-bundler-runtime/bundler';
import { loadWantedEntry } from './wanted-entries.ts';

/**
 * A runtime plugin that lends the host's federation runtime to the remotes, whose builds take it from the page (see
 * shared/lent-bundler-runtime.js) and bring none of their own: 17 KB gzip less each. It also fetches their entries.
 */
export default function lendRuntime() {
  Object.assign(globalThis, {
    _FEDERATION_BUNDLER_RUNTIME: { attachShareScopeMap, bundlerRuntime, createInstance },
  });
  return {
    name: 'lend-runtime',
    loadEntry: ({ remoteInfo }: { remoteInfo: { name: string; entry: string } }) =>
      loadWantedEntry(remoteInfo.name, remoteInfo.entry),
  };
}
