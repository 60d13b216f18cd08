import { readFileSync } from 'node:fs';
import path from 'node:path';
import { webProject } from './tests/web-project.js';

// Packages such as React have no test functions in production.
process.env.NODE_ENV = 'test';

const { workspaces } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8'));

// On a machine whose time zone is UTC, days of the wrong time zone would look right.
process.env.TZ = 'Asia/Shanghai';

/** LONG=1 runs only the slow tests, `*.long.test.ts`. */
const isLong = process.env.LONG === '1';
const kind = isLong ? '.long' : '';
const ignored = ['/node_modules/', ...(isLong ? [] : ['\\.long\\.test\\.'])];

const web = (name) => ({
  ...webProject({ name, dir: path.join(import.meta.dirname, name) }),
  testMatch: [`<rootDir>/src/**/*${kind}.test.{ts,tsx}`],
  testPathIgnorePatterns: ignored,
});

/**
 * Tests that need no browser run in plain Node, which loads TypeScript natively. In Jest's own module system
 * every file would load the API again, which takes three times as long.
 */
const inNode = {
  runner: 'jest-light-runner',
  setupFiles: [path.join(import.meta.dirname, 'tests/native-runner/replace-globals.ts')],
  transform: {},
};

/** Web workspaces whose tests run in plain Node as well, with pages of jsdom, see tests/README.md. */
const WEB_IN_NODE = ['host/ui', 'mfe-chat', 'mfe-records'];
const isInJest = (name) => !name.startsWith('api') && !WEB_IN_NODE.includes(name);

/** Kept between runs, unlike temporary files. */
const cacheDirectory = path.join(import.meta.dirname, 'node_modules/.cache/jest');

export default {
  // A limit for what hangs: a busy machine may take ten times as long as an idle one.
  testTimeout: 120_000,
  projects: [
    ...workspaces.filter(isInJest).map(web),
    {
      ...inNode,
      displayName: 'web in node',
      setupFiles: [path.join(import.meta.dirname, 'tests/native-runner/web/load-web.js')],
      testMatch: WEB_IN_NODE.map((name) => `<rootDir>/${name}/src/**/*${kind}.test.{ts,tsx}`),
      testPathIgnorePatterns: ignored,
    },
    {
      displayName: 'api',
      rootDir: 'api',
      ...inNode,
      globalSetup: '<rootDir>/src/testing/template-data.ts',
      globalTeardown: '<rootDir>/src/testing/remove-template-data.ts',
      testMatch: [`<rootDir>/{src,embedded-store}/**/*${kind}.test.ts`],
      testPathIgnorePatterns: ignored,
    },
    {
      displayName: 'contract',
      rootDir: 'tests',
      ...inNode,
      testMatch: [`<rootDir>/{contract,chaos,bench}/**/*${kind}.test.ts`],
      testPathIgnorePatterns: ignored,
    },
  ].map((project) => ({ ...project, cacheDirectory })),
};
