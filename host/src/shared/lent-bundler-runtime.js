/**
 * What a remote's build gets in place of @module-federation/webpack-bundler-runtime: the host's, which it finds on the page
 * (see host-bundler-runtime.js). Only what is a remote's own is here: its share scopes, its way to be initialised as a
 * container, which a host's build leaves out, and an instance of its own even when two releases of it are on one page.
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
