import { enableCompileCache } from '../config/enable-compile-cache.ts';
import { handleEpipe, type RunDeps } from './run-deps.ts';

/** Runs a program, which resolves to its exit code. `load` imports it: most of its run time is compiling its own sources. */
export async function startProgram(load: () => Promise<(deps: RunDeps) => Promise<number>>): Promise<void> {
  handleEpipe();
  enableCompileCache();
  const run = await load();
  process.exitCode = await run({
    argv: process.argv.slice(2),
    env: process.env,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
}
