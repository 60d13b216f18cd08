import * as core from '@module-federation/runtime-core';

/**
 * A runtime plugin that lends the host's federation core to the remotes, which are built with `externalRuntime` and bring none
 * of their own (14 KB gzip each).
 */
export default function provideRuntimeCore() {
  Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: core });
  return { name: 'provide-runtime-core' };
}
