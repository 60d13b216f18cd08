import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ChildSpec {
  /** Prefix of each output line. */
  name: string;
  args: string[];
  cwd: string;
  env: Record<string, string | undefined>;
}

const GRACE_MS = 8000;

/** Runs several programs concurrently, prefixing each line of their output with a name. */
export function startChildren(specs: readonly ChildSpec[], print: (line: string) => void) {
  let isStopping = false;
  const { promise: firstEnd, resolve } = Promise.withResolvers<{ name: string; code: number | null }>();
  const children = specs.map(({ name, args, cwd, env }) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => line.trim() && print(`${name.padEnd(11)} ${line}`));
    child.once('exit', (code) => {
      if (!isStopping) resolve({ name, code });
    });
    return child;
  });

  return {
    /** Resolves with the name and exit code of the first program that ends by itself; never if `stop` ended it. */
    firstEnd,
    /** Asks all programs to end, kills the remaining ones after `GRACE_MS`, and resolves when all have ended. */
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(children.map(end));
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(late);
}
