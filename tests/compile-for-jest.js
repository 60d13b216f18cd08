/**
 * Jest's transformer for TypeScript and JSX: uses the SWC in @rspack/core, so that tests are compiled like
 * builds.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rspack } from '@rspack/core';

const OPTIONS = {
  jsc: {
    parser: { syntax: 'typescript', tsx: true },
    // `hidden.jest` moves jest.mock() above the imports.
    transform: { react: { runtime: 'automatic' }, hidden: { jest: true } },
    target: 'es2022',
  },
  sourceMaps: 'inline',
};
const VERSION = rspack.rspackVersion + readFileSync(import.meta.filename, 'utf8');

export default {
  process: (text, filename, { supportsStaticESM }) =>
    rspack.experiments.swc.transformSync(text, {
      ...OPTIONS,
      filename,
      module: { type: supportsStaticESM ? 'es6' : 'commonjs' },
    }),
  getCacheKey: (text, filename, { supportsStaticESM }) =>
    createHash('sha256')
      .update(JSON.stringify([VERSION, filename, supportsStaticESM, text]))
      .digest('hex'),
};
