import path from 'node:path';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { rspack } from '@rspack/core';
import { base } from './base.js';
import { API, DEV_PORT, devHead, page } from './dev-page.js';
import { folderOf, root } from './project.js';
import { ReleasePlugin } from './release.js';
import { sharedByHost } from './shared.js';

/** @param {Record<string, string | undefined>} [env] */
export function defineHost(env = process.env) {
  const dir = path.join(root, 'host');
  const isDev = env.NODE_ENV !== 'production';
  const trimRouter = {
    test: /[\\/]react-router[\\/]dist[\\/].*\.mjs$/,
    use: path.join(root, 'host/src/shared/trim-router.cjs'),
  };
  const config = base({
    dir,
    name: 'host',
    isDev,
    texts: { main: ['frame'] },
    alias: {
      tslib$: path.join(root, 'host/src/shared/async-helpers.js'),
      // Only for calls with a scheduler, of which the shared part of rxjs has none.
      [path.join(folderOf('rxjs'), 'dist/esm/internal/scheduled/scheduled.js')]: false,
    },
    rules: isDev ? [] : [trimRouter],
  });
  return {
    ...config,
    entry: { main: [...(isDev ? ['./src/remotes/refresh-remotes.ts'] : []), './src/bootstrap.tsx'] },
    plugins: [
      ...config.plugins,
      new ModuleFederationPlugin({
        name: 'host',
        dts: false,
        manifest: false,
        remotes: {},
        shareStrategy: 'loaded-first',
        shared: sharedByHost(),
        experiments: {
          // The host's loader opens containers itself, see host/src/remotes/federation.ts.
          optimization: { target: 'web', disableSnapshot: true, disableRemote: true },
        },
      }),
      ...(isDev
        ? [new rspack.HtmlRspackPlugin({ templateContent: () => page(devHead()), scriptLoading: 'module' })]
        : []),
    ],
    devServer: {
      ...config.devServer,
      open: false,
      historyApiFallback: { index: '/chatbot/index.html' },
      devMiddleware: { publicPath: '/chatbot/' },
      proxy: [{ context: ['/api', '/admin', '/ops'], target: API }],
    },
  };
}

/** The catalogue of host/ui: `npm run catalogue -w host/ui` serves it, and the browser tests build it. */
export function defineCatalogue(env = process.env) {
  const dir = path.join(root, 'host/ui');
  const isDev = env.NODE_ENV !== 'production';
  const config = base({ dir, name: 'catalogue', isDev });
  return {
    ...config,
    entry: { catalogue: './catalogue/catalogue.tsx' },
    output: { ...config.output, path: path.join(dir, 'catalogue/dist'), publicPath: '/' },
    plugins: [
      ...config.plugins.filter((plugin) => !(plugin instanceof ReleasePlugin)),
      new rspack.HtmlRspackPlugin({
        templateContent: () => page('<link rel="icon" href="data:," />'),
        scriptLoading: 'module',
      }),
    ],
    devServer: { ...config.devServer, port: DEV_PORT, proxy: [] },
  };
}
