/**
 * Replaces the module that Module Federation generates for a remote: what its container needs to share libraries. On the desk's page the host
 * lends the functions (see host-runtime.js). On the page of another Module Federation host, the container loads a runtime of its own when that
 * host initialises it.
 */
const { consumesLoadingData, federation, f: chunkHandlers, initializeExposesData } = __webpack_require__;
const lent = globalThis._FEDERATION_BUNDLER_RUNTIME;
const whole = { webpackRequire: __webpack_require__ };
const sharing = { initPromises: {}, initTokens: {}, ...whole };
const consuming = {
  chunkMapping: consumesLoadingData.chunkMapping,
  installedModules: {},
  moduleToHandlerMapping: Object.fromEntries(
    Object.entries(consumesLoadingData.moduleIdToConsumeDataMapping).map(([id, library]) => [
      id,
      { shareKey: library.shareKey, shareInfo: { shareConfig: library, scope: [library.shareScope] } },
    ]),
  ),
  ...whole,
};

Object.assign(federation, {
  // Hosts before 1.9, which use the runtime of Module Federation, read this.
  runtime: { init: lent?.createInstance },
  bundlerRuntimeOptions: {},
  libraryType: 'module',
  initOptions: { name: __CONTAINER__, remotes: [], shared: {}, plugins: [], shareStrategy: 'loaded-first' },
  attachShareScopeMap: lent?.attachShareScopeMap,
  bundlerRuntime: { ...lent?.bundlerRuntime },
});
const { bundlerRuntime, initOptions } = federation;
federation.instance = bundlerRuntime.init?.(whole);

__webpack_require__.S = {};
__webpack_require__.I = (shareScopeName, initScope) =>
  bundlerRuntime.I({ shareScopeName, initScope, ...sharing });
__webpack_require__.initContainer = async (shareScope, initScope, options) => {
  if (lent) return initByHost(initScope, options);
  const { startRuntime } = await import(/* webpackChunkName: "own-runtime" */ './own-runtime.js');
  const shareScopeKey = initializeExposesData.shareScope;
  return startRuntime({ shareScope, initScope, remoteEntryInitOptions: options, shareScopeKey, ...whole });
};
__webpack_require__.getContainer = async (name) => {
  const { [name]: load } = initializeExposesData.moduleMap;
  if (!load) throw new Error(`Module "${name}" does not exist in container.`);
  return load();
};
// Without the host's runtime, the chunk of the release's own runtime is loaded first, which shares nothing.
chunkHandlers.consumes = (chunkId, promises) =>
  bundlerRuntime.consumes?.({ chunkId, promises, ...consuming });

/** `options`: an id and version of the release, and the host's libraries by scope. */
function initByHost(initScope, options) {
  const { instance } = federation;
  const { shareScopeKeys, shareScopeMap } = options;
  instance.initOptions({ ...options, name: initOptions.name, remotes: [] });
  for (const key of shareScopeKeys)
    instance.initShareScopeMap(key, shareScopeMap[key], { hostShareScopeMap: shareScopeMap });
  lent.attachShareScopeMap(__webpack_require__);
  return __webpack_require__.I('default', initScope);
}
