import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Builds for production in a separate process. Rejects with the compiler's output. */
export const compileWithRspack = (root: string) => (workspace: string) =>
  runRspack({ root, folder: join(root, workspace), name: workspace });

/** Builds `folder` for production; `args` and `env` go to the bundler as well. */
export async function runRspack(build: {
  root: string;
  folder: string;
  /** Name used in error messages. */
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

/** Path of the bundler's script, to be run with this Node. */
export function rspackIn(root: string): string {
  return join(root, 'node_modules', '@rspack', 'cli', 'bin', 'rspack.js');
}
