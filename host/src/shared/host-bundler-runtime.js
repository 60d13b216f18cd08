/**
 * Replaces @module-federation/webpack-bundler-runtime in the host's build with only the parts that share libraries. The host opens
 * containers itself (see remotes/federation.ts), and shared libraries are not tree-shaken per composition, so that the code for both is
 * left out.
 */
import { createInstance } from '@module-federation/runtime';
import { attachShareScopeMap } from '@module-federation/webpack-bundler-runtime/dist/attachShareScopeMap.js';
import { consumes } from '@module-federation/webpack-bundler-runtime/dist/consumes.js';
import { initializeSharing } from '@module-federation/webpack-bundler-runtime/dist/initializeSharing.js';
import { installInitialConsumes } from '@module-federation/webpack-bundler-runtime/dist/installInitialConsumes.js';
import { noteInitialised, superviseChunks } from '../remotes/late-chunks.ts';

/** Creates the federation instance of the build that `webpackRequire` belongs to. Called first by every build. */
function init({ webpackRequire }) {
  superviseChunks(webpackRequire);
  const { federation } = webpackRequire;
  return federation.runtime.init(federation.initOptions);
}

function initializeSharingOf(options) {
  noteInitialised(options.webpackRequire);
  return initializeSharing(options);
}

const bundlerRuntime = { consumes, I: initializeSharingOf, S: {}, installInitialConsumes, init };

globalThis._FEDERATION_BUNDLER_RUNTIME = { attachShareScopeMap, bundlerRuntime, createInstance };

export { attachShareScopeMap };
export default {
  runtime: { init: createInstance },
  instance: undefined,
  initOptions: undefined,
  bundlerRuntime,
  attachShareScopeMap,
  bundlerRuntimeOptions: {},
};
