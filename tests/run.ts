/**
 * `npm test`: format, lint, types and import rules; unit, HTTP and store tests; the core of them again on a
 * real MongoDB; the browser. Every part runs even if an earlier one failed. The last line is `N passed, N
 * failed`.
 */
import { CORE_ON_MONGODB } from './mongod/core-tests.ts';
import { withMongod } from './mongod/with-mongod.ts';
import { beginRun, type PartResult, printSummary, runBrowser, runCommand, runJest } from './run-part.ts';

beginRun();
const parts: PartResult[] = await Promise.all([
  // Each of them uses little more than one processor.
  runCommand('format and lint', 'npm', ['run', '--silent', 'lint']),
  runCommand('types', 'npm', ['run', '--silent', 'types']),
  runCommand('import rules', 'npm', ['run', '--silent', 'imports']),
  runCommand('build', 'node', ['api/src/cli/build.ts']),
]);
parts.push(await runJest('unit, HTTP and store tests', []));
const notes: string[] = [];
if (process.env.MONGODB_URI_TEST) notes.push('All tests ran on the server named in MONGODB_URI_TEST.');
else {
  const skipped = await withMongod(async (env) =>
    parts.push(await runJest('store contract and HTTP tests on MongoDB', CORE_ON_MONGODB, env)),
  );
  if (skipped) notes.push(`Skipped: store contract and HTTP tests on MongoDB. ${skipped}`);
}
parts.push(await runBrowser('browser tests', []));
printSummary(parts, notes);
