/** The Module Federation runtime of a release on the page of another host, in a separate chunk. On the desk's page the host provides it. */
import { createInstance, satisfy } from '@module-federation/runtime';
import { attachShareScopeMap } from '@module-federation/webpack-bundler-runtime/dist/attachShareScopeMap.js';
import { consumes } from '@module-federation/webpack-bundler-runtime/dist/consumes.js';
import { initContainerEntry } from '@module-federation/webpack-bundler-runtime/dist/initContainerEntry.js';
import { initializeSharing } from '@module-federation/webpack-bundler-runtime/dist/initializeSharing.js';
import { installInitialConsumes } from '@module-federation/webpack-bundler-runtime/dist/installInitialConsumes.js';

const loadLibraries = () => import(/* webpackChunkName: "own-libraries" */ './own-libraries.tsx');

/** Adds the runtime to the container's build and initialises the container. */
export async function startRuntime(options) {
  const { federation } = options.webpackRequire;
  federation.attachShareScopeMap = attachShareScopeMap;
  Object.assign(federation.bundlerRuntime, { consumes, I: initializeSharing, installInitialConsumes });
  federation.instance = createInstance(federation.initOptions);
  await initContainerEntry(options);
  provideFacades(options.webpackRequire);
}

/** Provides the libraries that the desk has in its share scope: the page's own copy if it is complete and fits, otherwise the remote's. */
function provideFacades({ federation, consumesLoadingData, initializeExposesData }) {
  const { instance } = federation;
  for (const needed of Object.values(consumesLoadingData.moduleIdToConsumeDataMapping)) {
    const { shareScope, shareKey, requiredVersion } = needed;
    if (shareScope !== 'desk') continue;
    const provided = Object.entries(instance.shareScopeMap.default?.[shareKey] ?? {});
    const fitting = provided.find(([version]) => satisfy(version, requiredVersion));
    if (fitting) {
      instance.shareScopeMap.desk ??= {};
      instance.shareScopeMap.desk[shareKey] = Object.fromEntries([fitting]);
      continue;
    }
    const get = async () => {
      const { facades } = await loadLibraries();
      return () => facades[shareKey];
    };
    const shareConfig = { singleton: true, requiredVersion };
    const shared = { version: requiredVersion.slice(1), scope: ['desk'], shareConfig, get };
    instance.registerShared({ [shareKey]: shared });
    if (shareKey === 'react-router-dom') wrapScreens(initializeExposesData.moduleMap);
  }
}

/** Gives each screen a router of its own if the page shares none. */
function wrapScreens(modules) {
  for (const [name, load] of Object.entries(modules))
    modules[name] = async () => {
      const [run, { withRouter }] = await Promise.all([load(), loadLibraries()]);
      return () => {
        const module = run();
        return { ...module, default: withRouter(module.default) };
      };
    };
}
