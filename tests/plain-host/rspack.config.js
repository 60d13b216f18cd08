import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

/** `OUT` is the folder of the build. */
export default {
  context: import.meta.dirname,
  mode: 'production',
  target: ['web', 'es2022'],
  entry: { page: './page.jsx' },
  output: { path: process.env.OUT, module: true, chunkFormat: 'module', filename: '[name].js' },
  resolve: {
    extensions: ['.tsx', '.ts', '.js'],
    alias: {
      'host/stand-ins$': path.join(root, 'host/src/testing/stand-in-services.ts'),
      'host/ui': path.join(root, 'host/ui/src'),
      'api/contract': path.join(root, 'api/src/contract'),
    },
  },
  module: {
    rules: [
      {
        test: /\.(tsx?|jsx)$/,
        loader: 'builtin:swc-loader',
        options: {
          jsc: {
            parser: { syntax: 'typescript', tsx: true },
            transform: { react: { runtime: 'automatic' } },
            target: 'es2022',
          },
        },
      },
      { test: /\.svg$/, type: 'asset/resource' },
    ],
  },
  optimization: { minimize: false },
};
