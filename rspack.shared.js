/**
 * Build configuration of the host and every remote: `defineHost()` and `defineRemote({ name, dir, exposes
 * })`, and the only table of shared libraries. A rspack.config.js just calls one of the two.
 * Besides its hashed files, a build writes `dist/release.json`: the description of the release, from which
 * the API derives the page's import map, preload links and composition.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { rspack } from '@rspack/core';
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh';

/** This project's folder, or that of its contract package: where the host's files are, not the remote's. */
const root = import.meta.dirname;
const require = createRequire(import.meta.url);

/** The share scope of facades, which must not replace a complete library that a remote of another build asks for. */
const FACADE_SCOPE = 'desk';

/**
 * Shared at run time, provided by the host only. `facade` is the module with the agreed exports that is
 * shipped instead of the whole package, as a path below host/, so that the build contains no path of the
 * machine.
 */
const SHARED = {
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
const RANGES = readJson(path.join(root, 'host/src/shared/ranges.json'));

/**
 * Part of every file name: the content hash, with as many digits as the release store requires for files
 * shared by releases, see api/src/compositions/release-keys.ts.
 */
const HASH = '[contenthash:12]';

/** Files of a remote's build that only other Module Federation hosts load, see host/src/shared/own-runtime.js. */
const FOR_OTHER_HOSTS = /^(own-(runtime|libraries)\.|mf-(manifest|stats)\.json$)/;

/** Part of a constant in the federation's runtime, which must be the same for every version: files are named by their content. */
process.env.MF_BUILD_VERSION = 'any';

/** Workspaces that are released, by name: those of package.json with a desk.json. None in the contract package. */
const RELEASED = (readJson(path.join(root, 'package.json')).workspaces ?? []).filter((name) =>
  existsSync(path.join(root, name, 'desk.json')),
);

/**
 * Ports of the dev servers, starting at DEV_PORT, in the order of the workspaces. The API uses 8080. A remote in its own repository has
 * the port of its configuration, or DEV_PORT.
 */
const DEV_PORT = Number(process.env.DEV_PORT || 3000);
const DEV_PORTS = Object.fromEntries(RELEASED.map((name, index) => [name, DEV_PORT + index]));
/** Hosts of deployed servers, from DESK_URL: comma-separated addresses. */
const DESK_HOSTS = (process.env.DESK_URL ?? '')
  .split(',')
  .filter(Boolean)
  .map((url) => new URL(url).hostname);
const API = process.env.API_URL ?? 'http://127.0.0.1:8080';

/** @param {Record<string, string | undefined>} [env] */
export function defineHost(env = process.env) {
  const dir = path.join(root, 'host');
  const isDev = env.NODE_ENV !== 'production';
  const config = base({ dir, name: 'host', isDev });
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

/**
 * @param {{ name: string, dir: string, exposes: Record<string, string>, port?: number }} remote `name` is the release's
 * name, `dir` the remote's folder, in this project or anywhere else, `exposes` maps './screen' to its file,
 * whose default export is the screen; `port` is that of the dev server in a repository of its own, unless DEV_PORT is set.
 * @param {Record<string, string | undefined>} [env]
 */
export function defineRemote({ name, dir, exposes, port }, env = process.env) {
  const isDev = env.NODE_ENV !== 'production';
  const config = base({ dir, name, isDev, exposes: Object.keys(exposes), port: portOf(name, port) });
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

/**
 * The remote as a standalone page, with typed stand-ins for the host: run `npm run dev -w mfe-chat`, then
 * open its port.
 */
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

function base({ dir, name, isDev, exposes, port = portOf(name) }) {
  const version = versionOf(dir);
  const address = `http://127.0.0.1:${port}`;
  const file = isDev ? '[name]' : `[name].${HASH}`;
  return {
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
        ...Object.fromEntries(
          Object.entries(SHARED)
            .filter(([, { alias }]) => alias)
            .map(([library, { alias, real }]) => [`${alias}$`, path.join(folderOf(library), real)]),
        ),
        ...(isDev
          ? {}
          : { 'react-router$': path.join(folderOf('react-router'), 'dist/production/index.mjs') }),
        ...(isDev && name !== 'host' ? { ...devJsx(), ...standIns() } : {}),
        // The design system is compiled from source into the host and into every remote.
        'host/ui': path.join(root, 'host/ui/src'),
        // The runtime's package resolves to its CommonJS build, which would be bundled whole (15 KB after gzip). Not
        // with `$`: the federation's plugin adds such an alias itself, which would win.
        '@module-federation/runtime': require.resolve('@module-federation/runtime/bundler'),
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
        ...(isDev || name !== 'host'
          ? []
          : [
              {
                test: /[\\/]react-router[\\/]dist[\\/].*\.mjs$/,
                use: path.join(root, 'host/src/shared/trim-router.cjs'),
              },
            ]),
        { test: /\.css$/, type: 'css/auto' },
        { test: /\.svg$/, type: 'asset/resource' },
        ...['worker-code', 'character-maps'].map((name) => ({
          resourceQuery: new RegExp(`^\\?${name}$`),
          type: 'javascript/esm',
          use: path.join(root, `host/ui/src/pdf-pages/${name}.cjs`),
        })),
      ],
      // Custom properties are shared between sheets, so they keep their names.
      parser: { 'css/auto': { namedExports: false, dashedIdents: false } },
      generator: {
        'css/auto': {
          // Derived from the sheet's content: two releases of one remote can be in one page, where a class
          // must not have two meanings.
          localIdentName: isDev ? '[local]--[hash:6]' : `${name.replace('mfe-', '')}-[contenthash:6][hash]`,
        },
      },
    },
    plugins: [
      new rspack.DefinePlugin({ __DEV__: JSON.stringify(isDev) }),
      new rspack.NormalModuleReplacementPlugin(
        /[\\/]webpack-bundler-runtime[\\/]dist[\\/]index\.cjs$/,
        path.join(root, `host/src/shared/${name === 'host' ? 'host' : 'lent'}-bundler-runtime.js`),
      ),
      ...(isDev
        ? [new ReactRefreshRspackPlugin({ overlay: false })]
        : [new ReleasePlugin({ name, version, exposes })]),
    ],
    optimization: {
      chunkIds: 'named',
      moduleIds: 'deterministic',
      // Chunks under short names: the names of all chunks are in the remote's entry, which the textarea waits for.
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
          minimizerOptions: { targets: ['chrome >= 111', 'firefox >= 113', 'safari >= 16.4'] },
        }),
      ],
    },
    performance: { hints: false },
    // A lazily compiled chunk of a remote would be requested from the host's dev server.
    lazyCompilation: false,
    stats: 'errors-warnings',
    // The manifest's plugin warns of publicPath 'auto', which is meant.
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
}

/**
 * The workspace's version, unless RELEASE_VERSION overrides it. Only contained in release.json: files of two
 * versions may be the same.
 */
function versionOf(dir) {
  return process.env.RELEASE_VERSION || readJson(path.join(dir, 'package.json')).version;
}

/** What mf-manifest.json is made of, with the version of the release. */
function withVersion(stats, buildVersion) {
  stats.metaData.buildInfo.buildVersion = buildVersion;
  return stats;
}

/**
 * `desk.json` of a release's folder: `routes`, the routes it declares (`RouteDeclaration` of the API's contract), and `links`, paths of other
 * releases' routes that its screens link to.
 */
function deskOf(dir) {
  const file = path.join(dir, 'desk.json');
  if (!existsSync(file)) throw new Error(`${file} must list the routes of the release`);
  const { routes, links = [] } = readJson(file);
  return { routes, links };
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
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

function sharedByHost() {
  return Object.fromEntries(
    Object.entries(SHARED).map(([library, { facade, scope }]) => [
      library,
      {
        ...(scope ? { shareScope: scope } : {}),
        singleton: true,
        eager: true,
        version: installed(library),
        requiredVersion: RANGES[library],
        ...(facade ? { import: facade } : {}),
      },
    ]),
  );
}

function sharedByRemote() {
  return Object.fromEntries(
    Object.entries(SHARED).map(([library, { scope }]) => [
      library,
      {
        ...(scope ? { shareScope: scope } : {}),
        singleton: true,
        strictVersion: true,
        requiredVersion: RANGES[library],
        import: false,
      },
    ]),
  );
}

function installed(library) {
  return require(`${library}/package.json`).version;
}

/** Where a library is installed: next to this file's package, or above it. */
function folderOf(library) {
  return path.dirname(require.resolve(`${library}/package.json`));
}

/** The dev server's port; `own` is that of a remote in its own repository. */
function portOf(name, own = DEV_PORT) {
  return DEV_PORTS[name] ?? (process.env.DEV_PORT ? DEV_PORT : own);
}

function containerName(name) {
  return name.replaceAll('-', '_');
}

/**
 * The host's page with `head`: the API inserts a composition, the dev server the addresses of dev servers.
 */
function page(head) {
  return readFileSync(path.join(root, 'host/src/index.html'), 'utf8')
    .replace('<!--icons-->', () => readFileSync(path.join(root, 'host/src/icons.svg'), 'utf8'))
    .replace('<!--head-->', () => head);
}

/**
 * The composition of a development page: every remote from its dev server. In the format of PageComposition
 * in the API's contract.
 */
function devHead() {
  const release = (name) => ({
    name,
    version: 'dev',
    entry: `http://127.0.0.1:${DEV_PORTS[name]}/remoteEntry.js`,
    container: name === 'host' ? '' : containerName(name),
    contract: contractVersion(),
    exposes: {},
  });
  const part = (name) => ({ ...release(name), previous: null });
  const remotes = Object.keys(DEV_PORTS).filter((name) => name !== 'host');
  const composition = {
    id: '',
    host: part('host'),
    remotes: Object.fromEntries(remotes.map((name) => [name, part(name)])),
    routes: RELEASED.flatMap((name) =>
      deskOf(path.join(root, name)).routes.map(({ module, ...route }) => ({
        ...route,
        screen: `${name}/${module}`,
      })),
    ),
    avatars: {},
  };
  return `<script type="application/json" id="composition">${JSON.stringify(composition)}</script>`;
}

/**
 * Runs before a lazy style sheet is fetched: sets its integrity from the page, since import maps do not cover
 * style sheets. Another release of the remote in this page has chunks with the same names, so the loader must
 * recognise a sheet by its URL only.
 */
const PREPARE_STYLE = `link.integrity = JSON.parse(document.getElementById('styles')?.textContent || '{}')[link.href.replace(location.origin, '')] || '';
link.removeAttribute('data-rspack');`;

/**
 * Writes `release.json`; the host's contains the page's HTML, with its icons and a placeholder for the head.
 */
class ReleasePlugin {
  constructor({ name, version, exposes = [] }) {
    Object.assign(this, { name, version, exposes });
  }

  apply(compiler) {
    compiler.hooks.thisCompilation.tap('ReleasePlugin', (compilation) => {
      compilation.hooks.finishModules.tap('ReleasePlugin', (modules) => refuseStandIns(compilation, modules));
      compiler.rspack.RuntimePlugin.getCompilationHooks(compilation).createLink.tap(
        'ReleasePlugin',
        (code) => `${code}\n${PREPARE_STYLE}`,
      );
      const stage = compiler.rspack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'ReleasePlugin', stage }, () =>
        this.emit(compiler, compilation),
      );
    });
  }

  emit(compiler, compilation) {
    nameMapsByContent(compilation, compiler.rspack.sources);
    const write = (name, text) => compilation.emitAsset(name, new compiler.rspack.sources.RawSource(text));
    const isHost = this.name === 'host';
    const filesOf = (chunk) => [...chunk.files];
    const assetsOf = (chunks) => {
      const files = [...new Set(chunks.flatMap(filesOf))];
      return {
        js: files.filter((file) => file.endsWith('.js')),
        css: files.filter((file) => file.endsWith('.css')),
      };
    };
    const exposes = Object.fromEntries(
      this.exposes.map((key) => [
        key,
        assetsOf([...(compilation.namedChunkGroups.get(key.slice(2))?.chunks ?? [])]),
      ]),
    );
    const entryName = isHost ? 'main' : containerName(this.name);
    const entry = assetsOf([...(compilation.entrypoints.get(entryName)?.chunks ?? [])]);
    const release = {
      name: this.name,
      version: this.version,
      container: isHost ? undefined : containerName(this.name),
      contract: contractVersion(),
      commit: commitOf(compiler.context),
      entry: entry.js.at(-1),
      entryFiles: entry,
      exposes,
      shared: Object.fromEntries(
        Object.keys(SHARED).map((library) => [library, isHost ? installed(library) : RANGES[library]]),
      ),
      facades: isHost ? Object.keys(SHARED).filter((library) => SHARED[library].facade) : undefined,
      ...deskOf(compiler.context),
      template: isHost ? page('<!--head-->') : undefined,
      styleMarks: styleMarks(compilation),
      files: Object.keys(compilation.assets)
        .filter((file) => !FOR_OTHER_HOSTS.test(file))
        .sort(),
    };
    write('release.json', `${JSON.stringify(release, null, 2)}\n`);
  }
}

/**
 * `chat.1a2b….js.map` becomes `chat.1a2b….0f1e….map`: every file of a release is named by its own content.
 */
function nameMapsByContent(compilation, { RawSource }) {
  for (const name of Object.keys(compilation.assets)) {
    if (!name.endsWith('.map')) continue;
    const map = compilation.assets[name].source().toString();
    compilation.deleteAsset(name);
    // Style sheets need no maps.
    if (!name.endsWith('.js.map')) continue;
    const text = withoutPlaces(map);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
    compilation.emitAsset(name.replace(/js\.map$/, `${hash}.map`), new RawSource(text));
  }
}

/**
 * Removes paths of the machine from a source map: modules are named relative to the workspace or
 * node_modules, generated code has no text.
 */
function withoutPlaces(text) {
  const map = JSON.parse(text);
  const isGenerated = (source) => source.startsWith('data:') || !/\/src\/|\/node_modules\//.test(source);
  map.sourcesContent = map.sourcesContent?.map((content, at) =>
    isGenerated(map.sources[at]) ? null : content,
  );
  map.sources = map.sources.map((source) =>
    source.startsWith('data:')
      ? 'webpack:///generated'
      : source
          .replace(/^(webpack:\/\/[^/]*\/).*\/node_modules\//, '$1node_modules/')
          .replace(/\/(?:\.\.?\/)+/, '/'),
  );
  return JSON.stringify(map);
}

/** Stand-ins for a host or a server are for tests and standalone pages: a release must not contain them. */
function refuseStandIns(compilation, modules) {
  for (const { resource } of modules)
    if (/[\\/]src[\\/]testing[\\/]/.test(resource ?? ''))
      compilation.errors.push(new Error(`a release must not carry ${path.relative(root, resource)}`));
}

/**
 * The mark by which the bundler's loader recognises a style sheet that is already in the page, so that it
 * does not add it again.
 */
function styleMarks({ chunks, outputOptions }) {
  const marks = [...chunks].flatMap((chunk) =>
    [...chunk.files]
      .filter((file) => file.endsWith('.css'))
      .map((file) => [file, `${outputOptions.uniqueName}:chunk-${chunk.id}`]),
  );
  return Object.fromEntries(marks.sort());
}

/**
 * The git commit of the sources, with the suffix `-dirty` for uncommitted changes; null outside a repository.
 */
function commitOf(dir) {
  const git = (...words) =>
    execFileSync('git', words, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return git('rev-parse', 'HEAD') + (git('status', '--porcelain', '--', '.') === '' ? '' : '-dirty');
  } catch {
    return null; // No repository, no commit yet, or no git.
  }
}

function contractVersion() {
  const text = readFileSync(path.join(root, 'host/src/contract.ts'), 'utf8');
  const found = /HostContractVersion = '([\d.]+)'/.exec(text);
  if (!found) throw new Error('host/src/contract.ts must name HostContractVersion');
  return found[1];
}
