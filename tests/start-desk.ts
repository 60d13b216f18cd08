import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { removeTestData, testStoreConfig } from '../api/src/testing/test-database.ts';

const root = path.join(import.meta.dirname, '..');

/** Node's flags in `npm start` of a checkout. */
function startFlags(folder: string): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.match(/--\S+/g) ?? [];
}

/** Variable with a data folder created by a first start; set while the browser tests run. */
export const FIRST_START = 'FIRST_START';
/** What is copied from it: the published and compressed builds, and the indexed handbook. */
const COPIED = ['files', 'store.sqlite'];

export interface Desk {
  /** http://127.0.0.1:<port>, without a trailing slash. */
  url: string;
  dataDir: string;
  pid: number;
  /** Its output so far. */
  output(): string;
  /** Sends SIGINT, like Ctrl-C; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGTERM, like a supervisor; resolves to the exit code. */
  terminate(): Promise<number | null>;
  /** Sends SIGKILL, without a shutdown. */
  kill(): Promise<void>;
}

export interface DeskOptions {
  dataDir: string;
  port?: number;
  env?: Record<string, string>;
  /** Without the screens: nothing is built. */
  isApiAlone?: boolean;
  /** Built folders to publish, with `isApiAlone`. */
  publish?: string[];
  /** Another checkout of the product, with its own packages. */
  folder?: string;
}

/**
 * Starts the product like `npm start`, as a separate process on a free port, and resolves once it is ready.
 */
export async function startDesk(options: DeskOptions): Promise<Desk> {
  const { dataDir, port, env = {}, isApiAlone = false, publish = [], folder = root } = options;
  const { mongodbUri } = testStoreConfig(dataDir);
  const listenOn = port ?? (await freePort());
  const program = isApiAlone ? 'api/src/main.ts' : 'api/src/cli/start.ts';
  const args = publish.flatMap((built) => ['--publish', built]);
  const child = spawn(process.execPath, [...startFlags(folder), program, ...args], {
    cwd: folder,
    env: {
      ...process.env,
      LIMIT_CHAT: '0',
      LIMIT_SIGN_IN: '0',
      LIMIT_PDF: '0',
      LIMIT_GUEST_MB: '0',
      LIMIT_ADDRESS_MB: '0',
      LIMIT_OWNER_MB: '0',
      ...(mongodbUri ? { MONGODB_URI: mongodbUri } : {}),
      ...env,
      PORT: String(listenOn),
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  const url = `http://127.0.0.1:${listenOn}`;
  const end = new Promise<number | null>((resolve) => child.on('exit', resolve));
  await ready(url, child, () => printed);
  return {
    url,
    dataDir,
    pid: child.pid!,
    output: () => printed,
    stop: () => signal(child, 'SIGINT', end),
    terminate: () => signal(child, 'SIGTERM', end),
    kill: async () => {
      await signal(child, 'SIGKILL', end);
    },
  };
}

/**
 * A new data folder for a test, containing only what a first start would always create; and a function that
 * removes it.
 */
export async function temporaryDataDir(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'desk-'));
  const first = process.env[FIRST_START];
  for (const name of first ? COPIED : [])
    await cp(path.join(first!, name), path.join(dataDir, name), { recursive: true });
  return { dataDir, remove: () => removeTestData(dataDir) };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function ready(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  const deadline = Date.now() + 180_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${printed()}`);
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGKILL');
  throw new Error(`the server was not ready within 180 s:\n${printed()}`);
}

async function signal(
  child: ChildProcess,
  name: 'SIGINT' | 'SIGTERM' | 'SIGKILL',
  end: Promise<number | null>,
) {
  if (child.exitCode === null && child.signalCode === null) child.kill(name);
  return end;
}
