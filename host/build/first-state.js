/** Renders the first state of a release's screens at build time: what the page shows before its scripts have run. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rspack } from '@rspack/core';
import { folderOf, root } from './project.js';

/** What the server replaces by the address of the release's folder. */
const BASE = '{{base}}';

/**
 * Compiles the screens for Node, with the same modules, class names and names of pictures as `config`, runs them, and adds one HTML file for each
 * screen and language to the release: `states` lists them for release.json.
 *
 * `screens` are modules of remotes by path ('/index': './src/chat.tsx'); undefined for the host, whose frame is rendered.
 */
export class FirstStatePlugin {
  states = [];

  constructor(config, screens) {
    Object.assign(this, { config, screens });
  }

  apply(compiler) {
    compiler.hooks.beforeCompile.tapPromise('FirstStatePlugin', async () => {
      this.rendered ??= await this.render();
    });
    compiler.hooks.thisCompilation.tap('FirstStatePlugin', (compilation) => {
      const stage = compiler.rspack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tap({ name: 'FirstStatePlugin', stage }, () => {
        this.states = this.rendered.map(({ path: at, language, html }) => {
          const hash = createHash('sha256').update(html).digest('hex').slice(0, 12);
          const file = `first-${at.replace(/\W+/g, '-').replace(/^-|-$/g, '')}-${language}.${hash}.html`;
          compilation.emitAsset(file, new compiler.rspack.sources.RawSource(html));
          return { path: at, language, file };
        });
      });
    });
  }

  async render() {
    const output = await mkdtemp(path.join(tmpdir(), 'first-state-'));
    try {
      await run(rspack(forNode(this.config, this.screens, output)));
      const { default: render } = await import(pathToFileURL(path.join(output, 'render.mjs')));
      return await render();
    } finally {
      await rm(output, { recursive: true, force: true });
    }
  }
}

function forNode(config, screens, output) {
  const { assetModuleFilename, uniqueName, hashFunction } = config.output;
  const { 'css/auto': css } = config.module.generator;
  return {
    name: `${config.name}-first-state`,
    context: config.context,
    mode: 'production',
    target: 'node20',
    devtool: false,
    entry: { render: `data:text/javascript,${encodeURIComponent(entryOf(screens))}` },
    output: {
      path: output,
      filename: '[name].mjs',
      chunkFilename: '[name].mjs',
      module: true,
      chunkFormat: 'module',
      chunkLoading: 'import',
      library: { type: 'module' },
      publicPath: BASE,
      assetModuleFilename,
      uniqueName,
      hashFunction,
    },
    resolve: {
      ...config.resolve,
      alias: {
        ...config.resolve.alias,
        'react-router-dom$': path.join(root, 'host/src/shared/react-router-dom.ts'),
        'react-router$': path.join(folderOf('react-router'), 'dist/production/index.mjs'),
        rxjs$: path.join(folderOf('rxjs'), 'dist/esm/index.js'),
      },
    },
    module: {
      ...config.module,
      generator: { 'css/auto': { ...css, exportsOnly: true }, 'asset/resource': { emit: false } },
    },
    plugins: [new rspack.DefinePlugin({ __DEV__: 'false' })],
    optimization: { minimize: false, chunkIds: 'named' },
    performance: { hints: false },
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'error' },
  };
}

function entryOf(screens) {
  const folder = path.join(root, 'host/src/first-state');
  if (!screens)
    return `export { renderFrame as default } from ${JSON.stringify(path.join(folder, 'render-frame.tsx'))};`;
  const files = Object.entries(screens);
  return [
    `import { renderScreens } from ${JSON.stringify(path.join(folder, 'render-screens.tsx'))};`,
    ...files.map(([, file], at) => `import * as screen${at} from ${JSON.stringify(file)};`),
    `export default () => renderScreens({${files.map(([at], index) => `${JSON.stringify(at)}: screen${index}`)}});`,
  ].join('\n');
}

function run(compiler) {
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      const problem =
        error ?? (stats.hasErrors() ? new Error(stats.toString({ all: false, errors: true })) : undefined);
      compiler.close(() => (problem ? reject(problem) : resolve()));
    });
  });
}
