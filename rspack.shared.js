/**
 * Build of the host and of every remote: a rspack.config.js just calls `defineHost()` or `defineRemote({ name, dir, exposes })`. Besides its
 * hashed files, a build writes `dist/release.json`, the description of the release. See host/build/:
 * shared.js (shared libraries), host.js, remote.js, release.js (description of a release), dev-page.js; base.js is common to all builds.
 */
export { defineCatalogue, defineHost } from './host/build/host.js';
export { defineRemote } from './host/build/remote.js';
