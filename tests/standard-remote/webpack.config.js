import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';

const isModule = process.env.LIBRARY === 'module';

export default {
  mode: 'production',
  entry: './src/index.js',
  output: { path: process.env.OUT, publicPath: 'auto', module: isModule },
  experiments: { outputModule: isModule },
  resolve: { extensions: ['.jsx', '.js'] },
  module: {
    rules: [
      {
        test: /\.jsx$/,
        loader: 'swc-loader',
        options: {
          jsc: {
            parser: { syntax: 'ecmascript', jsx: true },
            transform: { react: { runtime: 'automatic' } },
          },
        },
      },
      { test: /\.css$/, use: [MiniCssExtractPlugin.loader, 'css-loader'] },
      { test: /\.svg$/, type: 'asset' },
    ],
  },
  plugins: [
    new MiniCssExtractPlugin(),
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
