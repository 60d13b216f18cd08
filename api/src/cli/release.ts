/**
 * `npm run release -w mfe-chat -- --server URL`: builds a workspace and publishes it as an immutable release.
 * A remote in its own repository uses `desk-release` instead, see contract-package/.
 */
import { fileURLToPath } from 'node:url';
import { startProgram } from './start-program.ts';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

await startProgram(async () => {
  const { runRelease } = await import('./release/run-release.ts');
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  return (deps) => runRelease({ ...deps, root, cwd: process.cwd(), signal: stopping.signal });
});
