/**
 * Jest's project for the host or a remote: `name` and the absolute folder `dir`. In this project, or in a
 * remote's repository from the contract package; in both cases it uses the files next to this one, and the
 * contract and stand-ins of the package above.
 */
import { createRequire } from 'node:module';
import path from 'node:path';

const here = import.meta.dirname;
const root = path.join(here, '..');

export function webProject({ name, dir }) {
  const require = createRequire(path.join(dir, 'package.json'));
  return {
    displayName: name,
    rootDir: dir,
    // Tests walk through whole screens: a busy machine needs more than the default of 5 s.
    testTimeout: 30_000,
    testEnvironment: 'jsdom',
    testEnvironmentOptions: { customExportConditions: ['browser', 'default'] },
    testMatch: ['<rootDir>/src/**/*.test.{ts,tsx}'],
    transform: {
      '\\.tsx?$': path.join(here, 'compile-for-jest.js'),
      // After `?raw` has been removed, see below.
      '(\\.md|rspack\\.config\\.js)$': path.join(here, 'text-of-file.cjs'),
    },
    // The contract package is TypeScript, unlike all other installed packages.
    transformIgnorePatterns: ['/node_modules/(?!consultation-desk-contract/)'],
    moduleNameMapper: {
      '\\.module\\.css$': path.join(here, 'class-names.cjs'),
      '\\.(css|svg)$': path.join(here, 'empty.cjs'),
      '^(\\..*)\\?raw$': '$1',
      '^router-real$': 'react-router-dom',
      // One file instead of 200, which every test file would load again.
      '^rxjs(-real)?$': path.join(require.resolve('rxjs/package.json'), '../dist/bundles/rxjs.umd.js'),
      '^host/ui/(.*)$': path.join(root, 'host/ui/src/$1'),
      '^host/contract$': path.join(root, 'host/src/contract.ts'),
      '^host/stand-ins$': path.join(root, 'host/src/testing/stand-in-services.ts'),
      '^host/stand-ins/page$': path.join(root, 'host/src/testing/stand-in-page.tsx'),
      '^host/stand-ins/contract$': path.join(root, 'host/src/testing/test-remote-contract.tsx'),
      '^api/contract/(.*)$': path.join(root, 'api/src/contract/$1.ts'),
    },
    setupFilesAfterEnv: [path.join(here, 'setup-web.ts'), path.join(root, 'host/src/testing/load-texts.ts')],
  };
}
