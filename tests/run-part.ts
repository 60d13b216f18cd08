import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

export const root = path.join(import.meta.dirname, '..');
const results = path.join(root, 'test-results');

/** Result of one part of a run. */
export interface PartResult {
  passed: number;
  failed: number;
  skipped: number;
  /** Its test files with their durations in s, excluding the setup of the runner. */
  files: { file: string; seconds: number }[];
  /** Failed tests with their files. */
  failures: string[];
  /** Browser tests that failed at first and passed at the second attempt. */
  retried: string[];
}

/**
 * Removes the reports and traces of earlier runs, and creates a folder for all temporary files of this one,
 * removed at its end. Node's compile cache is enabled, as in production: every store starts threads.
 */
export function beginRun(): void {
  process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules/.cache/desk-compiled');
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const folder = mkdtempSync(path.join(temporaryParent(), 'desk-tests-'));
  process.env.TMPDIR = folder;
  process.once('exit', () => remove(folder));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}

/** Ignores files that an ending process still writes. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (cause) {
    console.warn(cause);
  }
}

const MEMORY = '/dev/shm';
/** Bytes that a run may need in MEMORY, with a margin. */
const ROOM = 4 * 1024 ** 3;

/**
 * In memory if there is enough space: stores sync every write, which is slow on a disk that `npm ci` has just
 * filled. TMPDIR overrides it.
 */
function temporaryParent(): string {
  if (process.env.TMPDIR) return process.env.TMPDIR;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= ROOM && process.availableMemory() >= 2 * ROOM) return MEMORY;
  } catch {
    // Only Linux has it.
  }
  return os.tmpdir();
}

/**
 * Runs a command that counts as one test. Its output is shown at its end, so that others can run
 * concurrently.
 */
export async function runCommand(title: string, command: string, args: string[]): Promise<PartResult> {
  const start = performance.now();
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), endOf(child)]);
  const isGood = status === 0;
  console.log(`\n── ${title}\n${printed}${errors}`.trimEnd());
  const result = {
    ...nothing(),
    passed: isGood ? 1 : 0,
    failed: isGood ? 0 : 1,
    failures: isGood ? [] : [title],
  };
  formatEnd(title, result, start);
  return result;
}

/** Runs Jest; `args` select files. Default: 3 workers, for a part that runs alone: its tests also wait. */
export function runJest(
  title: string,
  args: string[],
  env: Record<string, string> = {},
  workers = 3,
): Promise<PartResult> {
  const report = reportOf(title);
  const options = { NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning', ...env };
  return run(
    title,
    'jest',
    [`--maxWorkers=${workers}`, '--forceExit', '--json', `--outputFile=${report}`, ...args],
    options,
    () => readJest(report),
  );
}

/** Runs the browser tests; `args` select files. */
export function runBrowser(
  title: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<PartResult> {
  const report = reportOf(title);
  const command = ['test', '--config', 'tests/e2e/playwright.config.ts', ...args];
  return run(title, 'playwright', command, { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }, () =>
    readPlaywright(report),
  );
}

async function run(
  title: string,
  command: string,
  args: string[],
  env: Record<string, string>,
  read: () => PartResult,
): Promise<PartResult> {
  console.log(`\n── ${title}`);
  const start = performance.now();
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  const status = await endOf(child);
  const result = failedUnless(title, status === 0, read);
  formatEnd(title, result, start);
  return result;
}

/** Its exit code; null if it was ended by a signal or could not be started. */
async function endOf(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'close').catch(() => [null]);
  return code;
}

function formatEnd(title: string, { failed }: PartResult, start: number): void {
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`── ${title}: ${failed === 0 ? 'passed' : `${failed} FAILED`} in ${seconds} s`);
}

/** A run that aborts without a failed test, or without a report, counts as one failure. */
function failedUnless(title: string, isGood: boolean, read: () => PartResult): PartResult {
  try {
    const result = read();
    return isGood || result.failed > 0
      ? result
      : { ...result, failed: 1, failures: [`${title}: ended with an error, though no test failed`] };
  } catch {
    return { ...nothing(), failed: 1, failures: [`${title}: ended without a report`] };
  }
}

interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: {
    name: string;
    startTime: number;
    endTime: number;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

function readJest(report: string): PartResult {
  const read: JestReport = JSON.parse(readFileSync(report, 'utf8'));
  return {
    passed: read.numPassedTests,
    failed: read.numFailedTests + read.numRuntimeErrorTestSuites,
    skipped: read.numPendingTests,
    files: read.testResults.map(({ name, startTime, endTime }) => ({
      file: path.relative(root, name),
      seconds: (endTime - startTime) / 1000,
    })),
    failures: read.testResults.flatMap(({ name, status, assertionResults }) => {
      const file = path.relative(root, name);
      const failed = assertionResults.filter((test) => test.status === 'failed');
      if (failed.length === 0 && status === 'failed') return [`${file}: could not be run`];
      return failed.map(({ fullName }) => `${file}: ${fullName}`);
    }),
    retried: [],
  };
}

interface PlaywrightSuite {
  file: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; line: number; tests: { status: string; results: { duration: number }[] }[] }[];
}

function readPlaywright(report: string): PartResult {
  const { stats, suites } = JSON.parse(readFileSync(report, 'utf8'));
  const files = new Map<string, number>();
  const retried: string[] = [];
  const failures: string[] = [];
  const visit = (suite: PlaywrightSuite) => {
    const file = `tests/e2e/${suite.file}`;
    for (const { title, line, tests } of suite.specs)
      for (const { status, results } of tests) {
        const ms = results.reduce((sum, { duration }) => sum + duration, 0);
        files.set(file, (files.get(file) ?? 0) + ms / 1000);
        if (status === 'flaky') retried.push(`${file}:${line} ${title}`);
        if (status === 'unexpected') failures.push(`${file}:${line} ${title}`);
      }
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of suites) visit(suite);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    files: [...files].map(([file, seconds]) => ({ file, seconds })),
    failures,
    retried,
  };
}

function nothing(): PartResult {
  return { passed: 0, failed: 0, skipped: 0, files: [], failures: [], retried: [] };
}

function reportOf(title: string): string {
  return path.join(results, `${title.replaceAll(/\W+/g, '-')}.json`);
}

/**
 * Prints the ten slowest files, retried tests, failures, and as the last line `N passed, N failed`; sets the
 * exit code.
 */
export function printSummary(parts: PartResult[], notes: string[]): void {
  const slowest = parts.flatMap(({ files }) => files).sort((one, other) => other.seconds - one.seconds);
  console.log('\nThe ten slowest files:');
  for (const { file, seconds } of slowest.slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`);
  const retried = parts.flatMap((part) => part.retried);
  if (retried.length) console.log(`\nPassed only at the second attempt:\n  ${retried.join('\n  ')}`);
  const failures = parts.flatMap((part) => part.failures);
  if (failures.length) console.log(`\nFailed:\n  ${failures.join('\n  ')}`);
  const sum = (of: (part: PartResult) => number) => parts.reduce((total, part) => total + of(part), 0);
  const skipped = sum((part) => part.skipped);
  const all = [...notes, ...(skipped ? [`${skipped} tests were skipped where they do not apply.`] : [])];
  if (all.length) console.log(`\n${all.join('\n')}`);
  const failed = sum((part) => part.failed);
  console.log(`\n${sum((part) => part.passed)} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
