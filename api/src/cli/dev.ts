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

/** Time in which a program must end after SIGTERM, in ms. */
const GRACE_MS = 8000;

/** `name` is the prefix of each output line. */
const programs = [
  {
    name: 'api',
    args: ['--watch', '--watch-preserve-output', 'api/src/main.ts'],
    cwd: root,
    // The watcher and `stop` end it with SIGTERM.
    env: { ...process.env, DRAIN_SECONDS: '0' },
  },
  ...(await webWorkspaces(root)).map((workspace) => ({
    name: workspace,
    args: [rspackIn(root), 'dev'],
    cwd: `${root}${workspace}`,
    env: { ...process.env, NODE_ENV: 'development', API_URL: api },
  })),
];

let stopping: Promise<never> | undefined;
const children = programs.map(({ name, args, cwd, env }) => {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => line.trim() && console.log(`${name.padEnd(11)} ${line}`));
  child.once('exit', (code) => {
    if (stopping) return;
    console.error(`${name} ended with ${code}, so all are stopped`);
    void stop(1);
  });
  return child;
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));

await answers(page);
console.log(`咨询台 · development: ${page}`);

/** Asks all programs to end, kills the remaining ones after `GRACE_MS`, and exits when all have ended. */
function stop(code: number): Promise<never> {
  stopping ??= Promise.all(children.map(end)).then(() => process.exit(code));
  return stopping;
}

async function answers(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await wait(300);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(late);
}
