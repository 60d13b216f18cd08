import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test.each([
  [['--data', 'x'], /--data/],
  [['elsewhere'], /elsewhere/],
  [['--port', '70000'], /--port must be 0–65535, got "70000"/],
])('with wrong arguments %j it prints a short message', (args, expected) => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'serve-alone.ts'), ...args],
    {
      encoding: 'utf8',
    },
  );
  expect(status).toBe(2);
  expect(stderr).toMatch(expected);
  expect(stderr).toContain('npm run store -- --port 27018 --data-dir data');
  expect(stderr).not.toMatch(/^ +at /m);
});
