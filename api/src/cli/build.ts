/** `npm run build`: builds the web workspaces whose sources changed since their last build. */
import { fileURLToPath } from 'node:url';
import { buildStale } from './build-stale.ts';
import { compileWithRspack } from './compile-with-rspack.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const start = performance.now();

try {
  const folders = await buildStale({ root, compile: compileWithRspack(root), log: console.log });
  console.log(
    `${folders.length} workspaces are built (${((performance.now() - start) / 1000).toFixed(1)} s)`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
