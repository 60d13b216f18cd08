import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Compiles a workspace for production in a process of its own. Rejects with the compiler's own words. `signal` ends the compiler.
 */
export function compileWithRspack(root: string, signal?: AbortSignal) {
  return (workspace: string): Promise<void> =>
    runRspack({ root, folder: join(root, workspace), name: workspace, signal });
}

/** Compiles what stands in `folder` for production, see `compileWithRspack`. `args` and `env` are the bundler's, besides. */
export async function runRspack(build: {
  /** Of the project whose bundler it is. */
  root: string;
  folder: string;
  /** What it is called when it fails. */
  name: string;
  args?: readonly string[];
  env?: Record<string, string>;
  signal?: AbortSignal | undefined;
}): Promise<void> {
  const { root, folder, name, args = [], env = {}, signal } = build;
  const compiler = spawn(process.execPath, [rspackIn(root), 'build', ...args], {
    cwd: folder,
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal } : {}),
  });
  let words = '';
  for (const stream of [compiler.stdout, compiler.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      words += chunk;
    });
  const [code] = (await once(compiler, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${name} does not build:\n${words.trim()}`);
}

/** The bundler's program, to be run by the same Node as this. */
export function rspackIn(root: string): string {
  return join(root, 'node_modules', '@rspack', 'cli', 'bin', 'rspack.js');
}
