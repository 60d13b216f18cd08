/**
 * `npm run test:long [part …]`: slow tests, and the suites on a real MongoDB. Without names every part runs;
 * `--list` lists them. A slow test that is in no part is an error. The last line is `N passed, N failed`.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findBadPlans } from './mongod/query-plans.ts';
import { withMongod } from './mongod/with-mongod.ts';
import {
  beginRun,
  type PartResult,
  printSummary,
  root,
  runBrowser,
  runCommand,
  runJest,
} from './run-part.ts';

interface Part {
  what: string;
  /** Prefixes of the paths of its test files. */
  files: string[];
  /** Runs with the variables of a MongoDB started for it. */
  onMongodb?: boolean;
  /** Every query of the desk in it must use an index, see mongod/query-plans.ts. */
  checksPlans?: boolean;
  run(env: Record<string, string>): Promise<PartResult>;
}

const LONG = { LONG: '1' };
const jest = (what: string, ...files: string[]): Part => ({
  what,
  files,
  run: (env) => runJest(what, files, { ...LONG, ...env }),
});
const browser = (what: string, ...files: string[]): Part => ({
  what,
  files,
  run: (env) => runBrowser(what, files, { ...LONG, ...env }),
});
const onMongodb = (what: string, run: Part['run']): Part => ({ what, files: [], onMongodb: true, run });

const PARTS: Record<string, Part> = {
  'outside-repository': jest(
    'a remote in a separate repository, proxies, the image, the chart, licences',
    'tests/contract/',
  ),
  kill: jest('kill -9 under load, deletion of 20,000 records', 'tests/chaos/'),
  random: jest(
    'random searches, deletions, files and requests; simulated canaries; all pairs of questions',
    'api/src/',
    'tests/bench/',
  ),
  'dev-servers': browser('dev servers of the remotes', 'tests/e2e/dev-servers'),
  mounts: browser('screens mounted repeatedly', 'tests/e2e/mounts'),
  conversation: browser('a conversation of 2,000 messages', 'tests/e2e/long-conversation'),
  'third-language': browser('every screen in a further language', 'tests/e2e/third-language'),
  screens: browser('axe in every theme, width and language', 'tests/e2e/screens', 'tests/e2e/catalogue'),
  'broken-releases': browser(
    'every way to break a release, and each late file',
    'tests/e2e/broken-releases',
    'tests/e2e/late-files',
  ),
  compositions: browser(
    'compositions, overrides, integrity and tokens, journey by journey',
    ...['compos', 'integrity', 'new-version', 'override', 'tokens'].map((name) => `tests/e2e/${name}`),
  ),
  'standard-remotes': browser(
    'remotes built by webpack and Vite without our build',
    'tests/e2e/standard-remotes',
  ),
  journeys: browser(
    'longer journeys through accounts, chat, contacts, history, the keyboard, work offline, routes, sources, streams and open tabs',
    ...[
      'accounts',
      'base-path',
      'chat',
      'contacts',
      'history',
      'keyboard',
      'offline',
      'releases-open-tabs',
      'routes',
      'source-pdf',
      'streaming',
    ].map((name) => `tests/e2e/${name}`),
  ),
  'mongodb-api': onMongodb('unit, HTTP and store tests on MongoDB', (env) =>
    runJest('unit, HTTP and store tests on MongoDB', ['api/', 'tests/contract/', 'tests/chaos/'], env),
  ),
  'mongodb-kill': onMongodb('kill -9 under load on MongoDB', (env) =>
    runJest('kill -9 under load on MongoDB', ['tests/chaos/'], { ...LONG, ...env }),
  ),
  'mongodb-browser': {
    ...onMongodb('browser tests on MongoDB, and the plans of their queries', (env) =>
      runBrowser('browser tests on MongoDB', [], env),
    ),
    checksPlans: true,
  },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => name !== '--list' && !(name in PARTS));
if (unknown.length) {
  console.error(`Unknown part: ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
const isTagged = (file: string) => readFileSync(path.join(root, file), 'utf8').includes('@long');
const orphans = [
  ...globSync('{api,host,mfe-*,tests}/**/*.long.{test,spec}.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  }),
  ...globSync('tests/e2e/*.spec.ts', { cwd: root }).filter(isTagged),
].filter((file) => !Object.values(PARTS).some(({ files }) => files.some((start) => file.startsWith(start))));
if (orphans.length) throw new Error(`these long tests are in no part of run-long.ts: ${orphans.join(', ')}`);

if (asked.includes('--list')) {
  for (const [name, { what }] of Object.entries(PARTS)) console.log(`${name.padEnd(20)} ${what}`);
  process.exit(0);
}

/** Counts as one test. */
function planResult(faults: string[]): PartResult {
  for (const fault of faults) console.log(fault);
  const failures = faults.length > 0 ? ['plans of queries on MongoDB'] : [];
  return {
    passed: faults.length > 0 ? 0 : 1,
    failed: failures.length,
    skipped: 0,
    files: [],
    failures,
    retried: [],
  };
}

beginRun();
const results: PartResult[] = [await runCommand('build', 'node', ['api/src/cli/build.ts'])];
const notes: string[] = [];
for (const [name, part] of Object.entries(PARTS)) {
  if (asked.length && !asked.includes(name)) continue;
  if (!part.onMongodb || process.env.MONGODB_URI_TEST) results.push(await part.run({}));
  else {
    const skipped = await withMongod(
      async (env, { logFile }) => {
        results.push(await part.run(env));
        if (part.checksPlans) results.push(planResult(await findBadPlans(logFile)));
      },
      { logsQueries: part.checksPlans },
    );
    if (skipped) notes.push(`Skipped: ${name}. ${skipped}`);
  }
}
printSummary(results, notes);
