import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

test('every slow test belongs to a part of npm run test:long', async () => {
  const root = path.join(import.meta.dirname, '../..');
  const programs = ['api/src/cli/run.mjs', 'tests/run-long.ts', '--list'];
  const { stdout } = await promisify(execFile)(process.execPath, programs, { cwd: root });
  expect(stdout).toContain('journeys');
});
