import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Configuration, rspack } from '@rspack/core';

/**
 * Bundles `desk-release` with all of its imports into `<to>/desk-release.js`: Node does not run TypeScript
 * below node_modules.
 */
export async function bundleRelease(to: string): Promise<void> {
  const config: Configuration = {
    context: import.meta.dirname,
    mode: 'production',
    target: 'node24',
    devtool: false,
    entry: { 'desk-release': './desk-release.ts' },
    output: {
      path: to,
      filename: '[name].js',
      module: true,
      chunkFormat: 'module',
      library: { type: 'module' },
    },
    module: {
      rules: [
        {
          test: /\.ts$/,
          loader: 'builtin:swc-loader',
          options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' } },
        },
      ],
    },
    plugins: [
      new rspack.BannerPlugin({ banner: '#!/usr/bin/env node', raw: true }),
      // The texts are files of the package, found from the path of the module that reads them.
      new rspack.DefinePlugin({ 'import.meta.dirname': `(import.meta.dirname + '/api/src/i18n')` }),
    ],
    // Not minimised, so that it can be read.
    optimization: { minimize: false },
  };
  const compiler = rspack(config);
  const problems = await new Promise<string>((resolve, reject) => {
    compiler.run((error, stats) => {
      compiler.close(() => undefined);
      if (error) reject(error);
      else resolve(stats?.hasErrors() ? stats.toString('errors-only') : '');
    });
  });
  if (!problems) return;
  await rm(join(to, 'desk-release.js'), { force: true });
  throw new Error(`desk-release does not bundle:\n${problems}`);
}
