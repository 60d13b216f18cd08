/**
 * `npm run release -w mfe-chat -- --server URL`: builds a workspace and publishes it as an immutable release.
 * A remote in its own repository uses `desk-release` instead, see contract-package/.
 */
import { fileURLToPath } from 'node:url';
import { enableCompileCache } from '../config/enable-compile-cache.ts';
import { handleEpipe } from './handle-epipe.ts';

enableCompileCache();
handleEpipe();
const { runRelease } = await import('./release/run-release.ts');

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

process.exitCode = await runRelease({
  argv: process.argv.slice(2),
  env: process.env,
  root: fileURLToPath(new URL('../../../', import.meta.url)),
  cwd: process.cwd(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  signal: stopping.signal,
});
