import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { rspack } from '@rspack/core';

const isModule = process.env.LIBRARY === 'module';

export default {
  mode: 'production',
  entry: './src/index.js',
  output: { path: process.env.OUT, publicPath: 'auto', uniqueName: 'tickets', module: isModule },
  resolve: { extensions: ['.jsx', '.js'] },
  module: {
    rules: [
      {
        test: /\.jsx$/,
        use: {
          loader: 'builtin:swc-loader',
          options: {
            jsc: {
              parser: { syntax: 'ecmascript', jsx: true },
              transform: { react: { runtime: 'automatic' } },
            },
          },
        },
      },
      { test: /\.css$/, type: 'css/auto' },
      { test: /\.svg$/, type: 'asset' },
    ],
  },
  plugins: [
    new rspack.HtmlRspackPlugin(),
    new ModuleFederationPlugin({
      name: 'tickets',
      filename: 'remoteEntry.js',
      exposes: { './Tickets': './src/tickets.jsx' },
      shared: { react: { singleton: true }, 'react-dom': { singleton: true } },
      manifest: true,
      dts: false,
      ...(isModule ? { library: { type: 'module' } } : {}),
    }),
  ],
};
