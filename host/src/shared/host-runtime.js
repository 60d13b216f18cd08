/**
 * Replaces Module Federation's runtime in the host's build, and is lent to remotes (see remote-runtime.js): only the part that shares
 * libraries. The host opens containers itself (see remotes/federation.ts), all shared libraries are in its main script, and every remote
 * takes them from there, so that none has to be loaded or chosen.
 */
import { noteInitialised, superviseChunks } from '../remotes/late-chunks.ts';

const { f: chunkHandlers, m: modules } = __webpack_require__;
const { consumesLoadingData, initializeSharingData } = __webpack_require__;
const host = createInstance({ name: 'host' });

superviseChunks(__webpack_require__);
for (const [scope, libraries] of Object.entries(initializeSharingData.scopeToSharingDataMapping))
  host.shareScopeMap[scope] = Object.fromEntries(
    libraries.map((library) => [library.name, { [library.version]: provided(library, scope) }]),
  );
for (const [id, { fallback }] of Object.entries(consumesLoadingData.moduleIdToConsumeDataMapping))
  modules[id] = (module) => {
    module.exports = fallback()();
  };
chunkHandlers.consumes = () => undefined;
attachShareScopeMap(__webpack_require__, host);
__webpack_require__.I = async () => true;

/** A library in the form in which Module Federation's own runtime, which standard builds contain, registers it. */
function provided({ version, requiredVersion, factory }, scope) {
  return {
    from: 'host',
    version,
    scope: [scope],
    shareConfig: { requiredVersion, singleton: true, eager: true, strictVersion: false },
    strategy: 'loaded-first',
    deps: [],
    useIn: ['host'],
    get: factory,
    lib: factory(),
    loaded: true,
  };
}

/** A federation instance, which identifies a build for initContainerEntry.js of the runtime and for developer tools. */
function createInstance({ name }) {
  const instance = {
    name,
    options: { name },
    shareScopeMap: {},
    initOptions(options) {
      Object.assign(instance.options, options, { name });
    },
    initShareScopeMap(scope, libraries) {
      instance.shareScopeMap[scope] = libraries;
    },
  };
  globalThis.__FEDERATION__ ??= { moduleInfo: {}, __INSTANCES__: [] };
  globalThis.__FEDERATION__.__INSTANCES__.push(instance);
  return instance;
}

function attachShareScopeMap(webpackRequire, instance = webpackRequire.federation.instance) {
  if (instance) webpackRequire.S = instance.shareScopeMap;
}

/** Called by the entry of each remote, before its other modules. */
function init({ webpackRequire }) {
  superviseChunks(webpackRequire);
  return createInstance(webpackRequire.federation.initOptions);
}

/** Called while a container is initialised. */
function initializeSharing({ webpackRequire }) {
  noteInitialised(webpackRequire);
  attachShareScopeMap(webpackRequire);
  return true;
}

/** Makes the modules with these ids shared libraries, which are looked up each time they are required. */
function share(ids, { moduleToHandlerMapping, webpackRequire }) {
  for (const id of ids)
    webpackRequire.m[id] = (module) => {
      delete webpackRequire.c[id];
      module.exports = findLibrary(moduleToHandlerMapping[id], webpackRequire.federation.instance);
    };
}

/** Throws if the page has no version of the library in the required range. */
function findLibrary({ shareKey, shareInfo }, { name, shareScopeMap }) {
  const { requiredVersion } = shareInfo.shareConfig;
  const versions = shareScopeMap[shareInfo.scope[0]]?.[shareKey] ?? {};
  const found = Object.values(versions).find(({ version }) => isInRange(version, requiredVersion));
  if (!found) throw new Error(`${name} needs ${shareKey} ${requiredVersion}, got ${Object.keys(versions)}`);
  if (!found.useIn.includes(name)) found.useIn.push(name);
  return found.lib();
}

/** All ranges of shared libraries are caret ranges, see ranges.json. */
function isInRange(version, range) {
  const [major, ...rest] = version.split('.');
  const [leastMajor, ...least] = range.replace('^', '').split('.');
  const difference = rest.map((part, index) => Number.parseInt(part, 10) - least[index]).find(Boolean);
  return major === leastMajor && !(difference < 0);
}

const bundlerRuntime = {
  init,
  S: {},
  I: initializeSharing,
  consumes(options) {
    share(options.chunkMapping[options.chunkId] ?? [], options);
  },
  installInitialConsumes(options) {
    share(options.initialConsumes, options);
  },
};

/** remote-runtime.js reads this global, also that of releases built earlier. */
globalThis._FEDERATION_BUNDLER_RUNTIME = { attachShareScopeMap, bundlerRuntime, createInstance };
