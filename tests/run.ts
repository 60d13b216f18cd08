/**
 * `npm test`: format, lint, types and import rules; unit, HTTP and store tests; the core of them again on a
 * real MongoDB; the browser. Every part runs even if an earlier one failed. The last line is `N passed, N
 * failed`.
 */
import { findFirefox, NO_FIREFOX } from './find-firefox.ts';
import { CORE_ON_MONGODB } from './mongod/core-tests.ts';
import { withMongod } from './mongod/with-mongod.ts';
import { beginRun, type PartResult, printSummary, runBrowser, runCommand, runJest } from './run-part.ts';

/** Workers of each Jest that runs beside other parts: a third one would load and compile the whole API again, 10 % of the CPU time. */
const WORKERS = 2;

beginRun();
const notes: string[] = [];
if (!findFirefox()) notes.push(`Skipped: browser tests in Firefox. ${NO_FIREFOX}`);
// Most tests wait more than they compute, so parts that do not depend on each other run at the same time.
const build = runCommand('build', 'node', ['api/src/cli/build.ts']);
const browser = build.then(() => runBrowser('browser tests', []));
const inNode = build.then(() => runJest('unit, HTTP and store tests', [], {}, WORKERS));
const parts = await Promise.all([
  runCommand('format and lint', 'npm', ['run', '--silent', 'lint']),
  runCommand('types', 'npm', ['run', '--silent', 'types']),
  runCommand('import rules', 'npm', ['run', '--silent', 'imports']),
  build,
  browser,
  inNode,
  // Only then, as three parts with tests would need more memory than they save time.
  Promise.race([browser, inNode]).then(runOnMongod),
]);
printSummary(parts.flat(), notes);

async function runOnMongod(): Promise<PartResult[]> {
  if (process.env.MONGODB_URI_TEST) {
    notes.push('All tests ran on the server named in MONGODB_URI_TEST.');
    return [];
  }
  const results: PartResult[] = [];
  const title = 'store contract and HTTP tests on MongoDB';
  const skipped = await withMongod(async (env) =>
    results.push(await runJest(title, CORE_ON_MONGODB, env, WORKERS)),
  );
  if (skipped) notes.push(`Skipped: ${title}. ${skipped}`);
  return results;
}
