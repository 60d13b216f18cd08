import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { rspackIn } from '../../api/src/cli/compile-with-rspack.ts';
import { freePort } from '../start-desk.ts';

const root = path.join(import.meta.dirname, '../..');

export interface RemoteDevServer {
  /** http://127.0.0.1:<port>. */
  origin: string;
  /** Changes a source file. */
  edit(file: string, change: (text: string) => string): Promise<void>;
  close(): Promise<void>;
}

/** Runs `npm run dev -w <remote>` on a copy of its sources, with overrides allowed for the desk at `deskUrl`. */
export async function startDevServerOf(remote: string, deskUrl: string): Promise<RemoteDevServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'dev-server-'));
  const workspace = path.join(folder, remote);
  await cp(path.join(root, remote), workspace, {
    recursive: true,
    filter: (from) => !/[\\/](dist|node_modules|\.types)$/.test(from),
  });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  for (const file of ['rspack.shared.js', 'host', 'api', 'tsconfig.web.json', 'tsconfig.base.json'])
    await symlink(path.join(root, file), path.join(folder, file));

  const port = await freePort();
  const ports = { 'mfe-auth': 1, 'mfe-chat': 2, 'mfe-records': 3 };
  const server = spawn(process.execPath, [rspackIn(root), 'dev'], {
    cwd: workspace,
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DEV_PORT: String(port - ports[remote as keyof typeof ports]),
      API_URL: deskUrl,
      DESK_URL: deskUrl,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const origin = `http://127.0.0.1:${port}`;
  const close = async () => {
    server.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await answers(`${origin}/remoteEntry.js`, () => server.exitCode === null);
  } catch (cause) {
    await close();
    throw new Error(`${remote} cannot be developed:\n${printed}`, { cause });
  }
  return {
    origin,
    async edit(file, change) {
      const source = path.join(workspace, file);
      await writeFile(source, change(await readFile(source, 'utf8')));
    },
    close,
  };
}

async function answers(url: string, isAlive: () => boolean): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline && isAlive()) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${url} did not answer`);
}
