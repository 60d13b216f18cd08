/** What the builds of the host, of remotes and of the catalogue have in common. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { rspack } from '@rspack/core';
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh';
import { API, DESK_HOSTS, portOf } from './dev-page.js';
import { FirstStatePlugin } from './first-state.js';
import { containerName, folderOf, resolvePackage, root, versionOf } from './project.js';
import { FOR_OTHER_HOSTS, ReleasePlugin } from './release.js';
import { realLibraries } from './shared.js';

/** Part of every file name, as long as shared files require, see release-keys.ts of the API. */
export const HASH = '[contenthash:12]';

/** Part of a constant in the federation's runtime, which must be the same for every version: files are named by their content. */
process.env.MF_BUILD_VERSION = 'any';

/** `alias` and `rules` are added to those of every build. */
export function base({
  dir,
  name,
  isDev,
  exposes,
  texts,
  screens,
  port = portOf(name),
  alias = {},
  rules = [],
}) {
  const version = versionOf(dir);
  const address = `http://127.0.0.1:${port}`;
  const file = isDev ? '[name]' : `[name].${HASH}`;
  const config = {
    name,
    context: dir,
    mode: isDev ? 'development' : 'production',
    target: ['web', 'es2022'],
    // Hidden in a release: scripts do not reference their maps, and the server does not send them. They are
    // stored with the release for `compose resolve-stack`.
    devtool: isDev ? 'cheap-module-source-map' : 'hidden-source-map',
    output: {
      path: path.join(dir, 'dist'),
      publicPath: isDev ? `${address}/${name === 'host' ? 'chatbot/' : ''}` : 'auto',
      // The same for every release, so that unchanged sources give identical files. Different in development,
      // since a remote under development may be in the page of a release.
      uniqueName: isDev ? `${name}-dev` : name,
      hashFunction: 'sha256',
      // In development two compilers write here and must not delete each other's files.
      clean: !isDev,
      module: true,
      chunkFormat: 'module',
      chunkLoading: 'import',
      crossOriginLoading: 'anonymous',
      filename: `${file}.js`,
      chunkFilename: `${file}.js`,
      cssFilename: `${file}.css`,
      cssChunkFilename: `${file}.css`,
      assetModuleFilename: isDev ? '[name][ext]' : `[name].${HASH}[ext]`,
    },
    resolve: {
      extensions: ['.tsx', '.ts', '.js'],
      alias: {
        ...realLibraries(),
        ...(isDev
          ? {}
          : { 'react-router$': path.join(folderOf('react-router'), 'dist/production/index.mjs') }),
        ...alias,
        // The design system is compiled from source into the host and into every remote.
        'host/ui': path.join(root, 'host/ui/src'),
        'api/contract': path.join(root, 'api/src/contract'),
        // The runtime's package resolves to its CommonJS build, which would be bundled whole (15 KB after gzip). Not
        // with `$`: the federation's plugin adds such an alias itself, which would win.
        '@module-federation/runtime': resolvePackage('@module-federation/runtime/bundler'),
      },
    },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          use: {
            loader: 'builtin:swc-loader',
            options: {
              jsc: {
                parser: { syntax: 'typescript', tsx: true },
                transform: { react: { runtime: 'automatic', development: isDev, refresh: isDev } },
                target: 'es2022',
              },
            },
          },
        },
        ...rules,
        {
          test: /[\\/]locales[\\/][\w-]+[\\/][\w-]+\.json$/,
          type: 'javascript/esm',
          use: path.join(root, 'host/src/shared/text-module.cjs'),
        },
        { test: /\.css$/, type: 'css/auto' },
        { test: /\.svg$/, type: 'asset/resource' },
        ...['worker-code', 'character-maps'].map((name) => ({
          resourceQuery: new RegExp(`^\\?${name}$`),
          type: 'javascript/esm',
          use: path.join(root, `host/ui/src/documents/${name}.cjs`),
        })),
      ],
      // Custom properties are shared between sheets, so they keep their names.
      parser: {
        'css/auto': { namedExports: false, dashedIdents: false },
        // `import.meta.url` stays the address of the script: the bundler would replace it by the file's path on this machine.
        ...(isDev ? {} : { javascript: { importMeta: false } }),
      },
      generator: {
        'css/auto': {
          // Derived from the sheet's content: two releases of one remote can be in one page, where a class
          // must not have two meanings.
          localIdentName: isDev ? '[local]--[hash:6]' : `${name.replace('mfe-', '')}-[contenthash:6]-[local]`,
        },
      },
    },
    plugins: [
      new rspack.DefinePlugin({
        __CONTAINER__: JSON.stringify(containerName(name)),
        __DEV__: JSON.stringify(isDev),
      }),
      ...(isDev ? [] : [new SharedModuleIds()]),
      // The module that the federation's plugin generates, whose text is in its address.
      new rspack.NormalModuleReplacementPlugin(
        /^@module-federation\/runtime\/rspack\.js!=!data:/,
        path.join(root, `host/src/shared/${name === 'host' ? 'host' : 'remote'}-runtime.js`),
      ),
      ...(isDev ? [new ReactRefreshRspackPlugin({ overlay: false })] : []),
    ],
    optimization: {
      chunkIds: 'named',
      moduleIds: 'deterministic',
      // Short names, because the remote's entry contains those of all chunks, and the textarea waits for it.
      splitChunks: {
        // Like 'async', except that chunks for other hosts contain all of their libraries.
        chunks: (chunk) => !chunk.canBeInitial() && !FOR_OTHER_HOSTS.test(`${chunk.name}.`),
        cacheGroups: {
          queries: { test: /[\\/]@tanstack[\\/](react-query|query-core)[\\/]/, name: 'queries' },
          pdf: { test: /[\\/]pdfjs-dist[\\/]legacy[\\/]/, name: 'pdf' },
        },
      },
      minimizer: [
        new rspack.SwcJsMinimizerRspackPlugin({
          minimizerOptions: {
            // No unsafe transformations: functions converted to arrows or methods cannot be used as
            // constructors, which would break the page.
            compress: { passes: 3, ecma: 2022 },
            format: { comments: false },
          },
        }),
        // For older browsers `:is(…)` would become `:-webkit-any(…)`, whose specificity is higher: other
        // rules would win.
        new rspack.LightningCssMinimizerRspackPlugin({
          minimizerOptions: { targets: ['chrome >= 119', 'firefox >= 124', 'safari >= 17.4'] },
        }),
      ],
    },
    performance: { hints: false },
    // A lazily compiled chunk of a remote would be requested from the host's dev server.
    lazyCompilation: false,
    stats: 'errors-warnings',
    // The manifest's plugin warns of publicPath 'auto', which is intended.
    infrastructureLogging: { level: 'error' },
    devServer: {
      host: '127.0.0.1',
      port,
      hot: true,
      // The logging level hides the dev server's own message.
      onListening: () => process.stdout.write(`${name}: ${address}/${name === 'host' ? 'chatbot/' : ''}\n`),
      headers: { 'Access-Control-Allow-Origin': '*' },
      // Deployed pages may connect for change notifications: an override loads this server's remote into
      // them.
      allowedHosts: ['127.0.0.1', 'localhost', ...DESK_HOSTS],
      client: { overlay: false, webSocketURL: `ws://127.0.0.1:${port}/ws` },
      ...(name === 'host'
        ? {}
        : { historyApiFallback: true, proxy: [{ context: ['/api', '/admin'], target: API }] }),
    },
  };
  if (!isDev) config.plugins.push(...releasePlugins(config, { name, version, exposes, texts, screens }));
  return config;
}

/** The host and remotes with `screens` have first states. */
function releasePlugins(config, { screens, ...release }) {
  const firstState =
    screens || release.name === 'host' ? new FirstStatePlugin({ ...config }, screens) : undefined;
  return [...(firstState ? [firstState] : []), new ReleasePlugin({ ...release, firstState })];
}

/**
 * Assigns the ids of shared modules. Their identifiers contain absolute paths, from which the bundler would derive ids that differ between
 * folders, and so would the names of all files that refer to them. The bundler derives the other ids from relative paths.
 */
class SharedModuleIds {
  apply(compiler) {
    compiler.hooks.compilation.tap('SharedModuleIds', (compilation) =>
      compilation.hooks.beforeModuleIds.tap('SharedModuleIds', (modules) => {
        const used = new Set();
        for (const module of modules) {
          const [name] = /^(?:consume|provide) shared module \(\S+\) \S+/.exec(module.identifier) ?? [];
          if (!name) continue;
          let id = createHash('sha256').update(name).digest().readUInt32BE() % 10_000;
          while (used.has(id)) id += 1;
          used.add(id);
          module.id = id;
        }
      }),
    );
  }
}
