/** The only table of shared libraries, and what host and remotes derive from it. */
import path from 'node:path';
import { folderOf, installed, readJson, root } from './project.js';

/** The share scope of facades, which must not replace a complete library that a remote of another build asks for. */
const FACADE_SCOPE = 'desk';

/**
 * Shared at run time, provided by the host only. `facade` is the module with the agreed exports that is
 * shipped instead of the whole package, as a path below host/, so that the build contains no path of the
 * machine.
 */
export const SHARED = {
  react: {},
  'react-dom': {},
  'react-router-dom': {
    scope: FACADE_SCOPE,
    facade: './src/shared/react-router-dom.ts',
    real: 'dist/index.mjs',
    alias: 'router-real',
  },
  rxjs: {
    scope: FACADE_SCOPE,
    facade: './src/shared/rxjs.ts',
    real: 'dist/esm/index.js',
    alias: 'rxjs-real',
  },
};

/**
 * The version ranges of shared libraries that belong to the contract of the host: what a build demands must not depend on the version
 * that happens to be installed, which may be newer than that of every host. A range is raised together with HostContractVersion.
 */
export const RANGES = readJson(path.join(root, 'host/src/shared/ranges.json'));

/** Names by which facades import the complete libraries. */
export function realLibraries() {
  const facades = Object.entries(SHARED).filter(([, { alias }]) => alias);
  return Object.fromEntries(
    facades.map(([library, { alias, real }]) => [`${alias}$`, path.join(folderOf(library), real)]),
  );
}

export function sharedByHost() {
  return share((library, { facade }) => ({
    eager: true,
    version: installed(library),
    ...(facade ? { import: facade } : {}),
  }));
}

export function sharedByRemote() {
  return share(() => ({ strictVersion: true, import: false }));
}

function share(own) {
  const shared = Object.entries(SHARED).map(([library, entry]) => {
    const scope = entry.scope ? { shareScope: entry.scope } : {};
    return [library, { ...scope, singleton: true, requiredVersion: RANGES[library], ...own(library, entry) }];
  });
  return Object.fromEntries(shared);
}
