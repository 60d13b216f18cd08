/**
 * `npm test`: format, lint and types; unit, HTTP and store tests; the browser. Runs every part even when an earlier one failed,
 * and ends with one line, `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const results = path.join(root, 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

interface Count {
  passed: number;
  failed: number;
}

const counts: Count[] = [
  step('format, lint and types', 'npm', ['run', '--silent', 'check'], {}, asOne),
  step('build', 'node', ['api/src/cli/build.ts'], {}, asOne),
  step(
    'unit, HTTP and store tests',
    'jest',
    ['--maxWorkers=2', '--json', `--outputFile=${path.join(results, 'unit.json')}`],
    { NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' },
    (ok) => orFailure(ok, countOfJest),
  ),
  step('browser tests', 'playwright', ['test', '--config', 'tests/e2e/playwright.config.ts'], {}, (ok) =>
    orFailure(ok, countOfPlaywright),
  ),
];

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function step(
  title: string,
  command: string,
  args: string[],
  env: Record<string, string>,
  count: (ok: boolean) => Count,
): Count {
  const start = Date.now();
  console.log(`\n── ${title}`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const result = count(status === 0);
  const seconds = Math.round((Date.now() - start) / 1000);
  console.log(`── ${title}: ${result.failed === 0 ? 'passed' : `${result.failed} FAILED`} in ${seconds} s`);
  return result;
}

function asOne(ok: boolean): Count {
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A run that broke down without a failed test (or without a report) still is one failure. */
function orFailure(ok: boolean, read: () => Count): Count {
  try {
    const count = read();
    return ok || count.failed > 0 ? count : { ...count, failed: 1 };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

function countOfJest(): Count {
  const report = JSON.parse(readFileSync(path.join(results, 'unit.json'), 'utf8'));
  const broken = report.numRuntimeErrorTestSuites ?? 0;
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken };
}

function countOfPlaywright(): Count {
  const { stats } = JSON.parse(readFileSync(path.join(results, 'e2e.json'), 'utf8'));
  if (stats.flaky > 0) console.log(`${stats.flaky} passed only at the second go: see «flaky» above`);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
}
