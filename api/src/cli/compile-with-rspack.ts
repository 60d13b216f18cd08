import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Compiles a workspace for production in a process of its own. Rejects with the compiler's own words. `signal` ends the compiler.
 */
export function compileWithRspack(root: string, signal?: AbortSignal) {
  return async (workspace: string): Promise<void> => {
    const compiler = spawn(process.execPath, [rspackIn(root), 'build'], {
      cwd: join(root, workspace),
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal ? { signal } : {}),
    });
    let words = '';
    for (const stream of [compiler.stdout, compiler.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        words += chunk;
      });
    const [code] = (await once(compiler, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${workspace} does not build:\n${words.trim()}`);
  };
}

/** The bundler's program, to be run by the same Node as this. */
export function rspackIn(root: string): string {
  return join(root, 'node_modules', '@rspack', 'cli', 'bin', 'rspack.js');
}
