/**
 * `desk-release` in a remote's own repository: what `npm run release -w` is in this project. Builds the remote in the working folder
 * and publishes it. It is bundled into the contract package, see bundle-release.ts.
 */
import { readerMayLeave } from '../reader-may-leave.ts';
import { runRelease } from '../release/run-release.ts';

readerMayLeave();

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

process.exitCode = await runRelease({
  argv: process.argv.slice(2),
  command: 'desk-release',
  env: process.env,
  // The bundler that builds is the one installed there.
  root: process.cwd(),
  cwd: process.cwd(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  signal: stopping.signal,
});
