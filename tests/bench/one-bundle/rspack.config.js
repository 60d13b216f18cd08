/**
 * Host and remotes as one app without federation: the baseline for the composed page. Same sources, loaders,
 * aliases and targets; only the federation is removed.
 */
import path from 'node:path';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { defineHost } from '../../../rspack.shared.js';

const here = import.meta.dirname;
const root = path.join(here, '../../..');
const host = defineHost({ ...process.env, NODE_ENV: 'production' });

export default {
  ...host,
  output: { ...host.output, path: path.join(here, 'dist') },
  resolve: {
    ...host.resolve,
    alias: {
      ...host.resolve.alias,
      [path.join(root, 'host/src/remotes/federation.ts')]: path.join(here, 'federation.js'),
      // The part of the library that host and remotes use: here it can be tree-shaken.
      'react-router-dom$': path.join(root, 'host/src/shared/react-router-dom.ts'),
      rxjs$: path.join(root, 'host/src/shared/rxjs.ts'),
    },
  },
  plugins: host.plugins.filter((plugin) => !(plugin instanceof ModuleFederationPlugin)),
};
