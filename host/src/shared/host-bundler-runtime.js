/**
 * What the host's build gets in place of @module-federation/webpack-bundler-runtime: the parts of it that share libraries. The
 * host's loader opens the containers of remotes itself (see remotes/federation.ts), and no library is tree-shaken per composition,
 * so that what does either of the two is not shipped.
 *
 * It is lent to the remotes, whose builds take it from the page (see lent-bundler-runtime.js) and bring none of their own: 17 KB
 * gzip less each.
 */
import { createInstance } from '@module-federation/runtime';
import { attachShareScopeMap } from '@module-federation/webpack-bundler-runtime/dist/attachShareScopeMap.js';
import { consumes } from '@module-federation/webpack-bundler-runtime/dist/consumes.js';
import { initializeSharing } from '@module-federation/webpack-bundler-runtime/dist/initializeSharing.js';
import { installInitialConsumes } from '@module-federation/webpack-bundler-runtime/dist/installInitialConsumes.js';
import { noteInitialised, superviseChunks } from '../remotes/late-chunks.ts';

/** Makes the instance of the build that `webpackRequire` belongs to. The first call that every build makes. */
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
