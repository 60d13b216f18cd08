/**
 * `npm run dev`: the host and every remote on their own dev server with hot reload, and the API, restarted
 * when its sources change. PORT (8080) is the API's, DEV_PORT (3000) the host's; the remotes use the
 * following ports.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../config/config.ts';
import { webWorkspaces } from './build-stale.ts';
import { type ChildSpec, startChildren } from './child-group.ts';
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
      // The watcher and child-group.ts end it with SIGTERM.
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
