/**
 * Replaces @module-federation/webpack-bundler-runtime in a remote's build with the host's, which it finds on the page (see
 * host-bundler-runtime.js). Contains only what is specific to a remote: its share scopes, the initialisation of its container, which the
 * host's build leaves out, and an instance of its own even if two releases are on one page. On the page of another Module Federation host,
 * the container loads a runtime of its own when that host initialises it.
 */
import { initContainerEntry } from '@module-federation/webpack-bundler-runtime/dist/initContainerEntry.js';

const lent = globalThis._FEDERATION_BUNDLER_RUNTIME;

function none() {}

async function initWithOwnRuntime(options) {
  const { startRuntime } = await import(/* webpackChunkName: "own-runtime" */ './own-runtime.js');
  return startRuntime(options);
}

export const attachShareScopeMap = lent?.attachShareScopeMap;
export default {
  runtime: { init: lent?.createInstance },
  instance: undefined,
  initOptions: undefined,
  bundlerRuntime: lent
    ? { ...lent.bundlerRuntime, S: {}, initContainerEntry }
    : {
        S: {},
        init: none,
        consumes: none,
        installInitialConsumes: none,
        initContainerEntry: initWithOwnRuntime,
      },
  attachShareScopeMap,
  bundlerRuntimeOptions: {},
};
