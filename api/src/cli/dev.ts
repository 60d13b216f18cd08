/**
 * `npm run dev`: the host and every remote on their own dev server with hot reload, and the API, restarted
 * when its sources change. PORT (8080) is the API's, DEV_PORT (3000) the host's; the remotes use the
 * following ports.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../config/config.ts';
import { webWorkspaces } from './build-stale.ts';
import { rspackIn } from './compile-with-rspack.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { host, port } = readConfig(process.env);
const api = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
const page = `http://127.0.0.1:${process.env.DEV_PORT || 3000}/chatbot/`;

const devServers = (await webWorkspaces(root)).map(
  (workspace): ChildSpec => ({
    name: workspace,
    args: [rspackIn(root), 'dev'],
    cwd: `${root}${workspace}`,
    env: { ...process.env, NODE_ENV: 'development', API_URL: api },
  }),
);
const children = startChildren(
  [
    {
      name: 'api',
      args: ['--watch', '--watch-preserve-output', 'api/src/main.ts'],
      cwd: root,
      // The watcher and `startChildren` end it with SIGTERM.
      env: { ...process.env, DRAIN_SECONDS: '0' },
    },
    ...devServers,
  ],
  console.log,
);

let stopping: Promise<never> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
void children.firstEnd.then(({ name, code }) => {
  console.error(`${name} ended with ${code}, so all are stopped`);
  return stop(1);
});

await answers(page);
console.log(`咨询台 · development: ${page}`);

function stop(code: number): Promise<never> {
  stopping ??= children.stop().then(() => process.exit(code));
  return stopping;
}

async function answers(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await wait(300);
  }
}

interface ChildSpec {
  /** Prefix of each output line. */
  name: string;
  args: string[];
  cwd: string;
  env: Record<string, string | undefined>;
}

const GRACE_MS = 8000;

/** Runs several programs concurrently, prefixing each line of their output with a name. */
function startChildren(specs: readonly ChildSpec[], print: (line: string) => void) {
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
