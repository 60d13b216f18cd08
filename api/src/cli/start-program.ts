import { enableCompileCache } from '../config/enable-compile-cache.ts';

export interface RunDeps {
  /** Arguments without the program's name. */
  argv: readonly string[];
  env: Record<string, string | undefined>;
  out(text: string): void;
  err(text: string): void;
}

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

/** Output is discarded once its reader has closed the pipe (`| head -1`); the exit code still counts. */
export function handleEpipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EPIPE') throw cause;
    });
}
