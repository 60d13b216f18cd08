/**
 * Replaces @module-federation/webpack-bundler-runtime in a remote's build with the host's, which it finds on the page (see
 * host-bundler-runtime.js). Contains only what is specific to a remote: its share scopes, the initialisation of its container, which the
 * host's build leaves out, and an instance of its own even if two releases are on one page.
 */
import { initContainerEntry } from '@module-federation/webpack-bundler-runtime/dist/initContainerEntry.js';

const { attachShareScopeMap, bundlerRuntime, createInstance } = globalThis._FEDERATION_BUNDLER_RUNTIME;

export { attachShareScopeMap };
export default {
  runtime: { init: createInstance },
  instance: undefined,
  initOptions: undefined,
  bundlerRuntime: { ...bundlerRuntime, S: {}, initContainerEntry },
  attachShareScopeMap,
  bundlerRuntimeOptions: {},
};
