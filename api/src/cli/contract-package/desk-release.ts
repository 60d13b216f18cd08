/**
 * `desk-release`: in a remote's own repository the equivalent of `npm run release -w` in this project. Builds
 * the remote in the working folder and publishes it. Bundled into the contract package, see
 * write-contract-package.ts.
 */
import { runRelease } from '../release/run-release.ts';
import { handleEpipe } from '../run-deps.ts';

handleEpipe();

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

process.exitCode = await runRelease({
  argv: process.argv.slice(2),
  command: 'desk-release',
  env: process.env,
  // Uses the bundler that is installed in that repository.
  root: process.cwd(),
  cwd: process.cwd(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  signal: stopping.signal,
});
