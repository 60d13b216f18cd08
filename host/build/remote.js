import path from 'node:path';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { rspack } from '@rspack/core';
import { base, HASH } from './base.js';
import { page, portOf } from './dev-page.js';
import { containerName, folderOf, root, versionOf } from './project.js';
import { sharedByRemote } from './shared.js';

/**
 * @param {{ name: string, dir: string, exposes: Record<string, string>, texts?: Record<string, string[]>, screens?: Record<string, string>, port?: number }} remote `name` is the release's
 * name, `dir` the remote's folder, in this project or anywhere else, `exposes` maps './screen' to its file,
 * whose default export is the screen; `texts` maps it to the files of `locales/<language>` that it exports as `texts`, which the page preloads
 * in the visitor's language; `screens` are the files whose first state is rendered into the release, by path ('/index'); `port` is that of the dev server in a repository of its own, unless DEV_PORT is set.
 * @param {Record<string, string | undefined>} [env]
 */
export function defineRemote({ name, dir, exposes, texts, screens, port }, env = process.env) {
  const isDev = env.NODE_ENV !== 'production';
  const config = base({
    dir,
    name,
    isDev,
    exposes: Object.keys(exposes),
    texts,
    screens,
    port: portOf(name, port),
    alias: isDev ? { ...devJsx(), ...standIns() } : {},
  });
  const remote = {
    ...config,
    entry: {},
    plugins: [
      ...config.plugins,
      ...(isDev
        ? [new rspack.EntryPlugin(dir, path.join(root, 'host/src/shared/dev-reload.js'), { name: undefined })]
        : []),
      new ModuleFederationPlugin({
        name: containerName(name),
        filename: isDev ? 'remoteEntry.js' : `remoteEntry.${HASH}.js`,
        dts: false,
        // For other Module Federation hosts and tools; not part of a release.
        manifest: !isDev && { additionalData: ({ stats }) => withVersion(stats, versionOf(dir)) },
        exposes: Object.fromEntries(
          Object.entries(exposes).map(([key, file]) => [key, { import: file, name: key.slice(2) }]),
        ),
        library: { type: 'module' },
        shareStrategy: 'loaded-first',
        shared: sharedByRemote(),
        experiments: {
          // Only the host loads remotes.
          optimization: { target: 'web', disableSnapshot: true, disableRemote: true },
        },
      }),
    ],
  };
  return isDev ? [remote, standalone(config, { name, dir })] : remote;
}

/** A page of its own with typed stand-ins for the host: `npm run dev -w mfe-chat`. */
function standalone(config, { name, dir }) {
  return {
    ...config,
    name: `${name}-alone`,
    entry: { alone: './src/standalone.tsx' },
    output: {
      ...config.output,
      uniqueName: `${name}-alone`,
      publicPath: '/alone/',
      path: path.join(dir, 'dist/alone'),
    },
    plugins: [
      ...config.plugins,
      new rspack.HtmlRspackPlugin({
        filename: '../index.html',
        templateContent: () =>
          page('<link rel="icon" href="data:," />').replace(/<title>.*<\/title>/, `<title>${name}</title>`),
        scriptLoading: 'module',
      }),
    ],
    devServer: undefined,
  };
}

/** What mf-manifest.json is made of, with the version of the release. */
function withVersion(stats, buildVersion) {
  stats.metaData.buildInfo.buildVersion = buildVersion;
  return stats;
}

/** A remote in development also runs in the page of a deployed host, whose React is the production build. */
function devJsx() {
  const forRemotes = path.join(root, 'host/src/shared/dev-jsx-runtime.js');
  return {
    'react/jsx-runtime$': forRemotes,
    'react/jsx-dev-runtime$': forRemotes,
    'react-jsx-development$': path.join(folderOf('react'), 'cjs/react-jsx-dev-runtime.development.js'),
    'react-jsx-production$': path.join(folderOf('react'), 'cjs/react-jsx-runtime.production.js'),
  };
}

/** For a remote's standalone page: outside of this project no workspace has these names. */
function standIns() {
  return {
    'host/stand-ins$': path.join(root, 'host/src/testing/stand-in-services.ts'),
    'host/stand-ins/page$': path.join(root, 'host/src/testing/stand-in-page.tsx'),
  };
}
