import { createRequire } from 'node:module';
import path from 'node:path';
import { jest } from '../jest-globals.ts';
import { openNextPage } from './open-page.ts';

const require = createRequire(import.meta.url);
const packages = path.join(import.meta.dirname, '../../../node_modules/');
/** Its queries belong to the page that was open when they were loaded, its hooks to the test file. */
const testingLibrary = path.join(packages, '@testing-library/');

/**
 * Runs a test file in an empty page and with its own instances of the project's modules. Only packages stay loaded,
 * which take most of the time of a start.
 */
export function runFile(file: string): void {
  for (const name of Object.keys(require.cache))
    if (!name.startsWith(packages) || name.startsWith(testingLibrary)) delete require.cache[name];
  jest.useRealTimers();
  jest.restoreAllMocks();
  openNextPage();
  require('../../setup-web.ts');
  require('../../../host/src/testing/load-texts.ts');
  require(file);
}
