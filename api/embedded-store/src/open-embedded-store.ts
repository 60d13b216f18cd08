import { on } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { makeFolder } from './make-folder.ts';
import { createThreadPool } from './thread-pool.ts';
import type { Address } from './wire/serve.ts';
import type { FromWorker, ToWorker } from './worker.ts';

interface EmbeddedStoreOptions {
  /** The folder of the data file; created if it does not exist. */
  dataDir: string;
  /** Listens on this port of the loopback interface; 0 for any free port. Default: a socket file that only this user can open. */
  port?: number;
}

const threads = createThreadPool(new URL('./worker.ts', import.meta.url));

export type EmbeddedStore = Awaited<ReturnType<typeof openEmbeddedStore>>;

/** Runs the store in a worker thread. @throws Error when another process uses the folder */
export async function openEmbeddedStore({ dataDir, port }: EmbeddedStoreOptions) {
  await makeFolder(dataDir);
  const socketDir = port === undefined ? await mkdtemp(SOCKET_DIRS) : undefined;
  const address: Address = socketDir
    ? { path: join(socketDir, 's.sock') }
    : { host: '127.0.0.1', port: port as number };
  const worker = threads.take();
  const call = (message: ToWorker) => {
    worker.postMessage(message);
    return replyOf(worker);
  };
  const end = async () => {
    threads.putBack(worker);
    if (socketDir) await rm(socketDir, { recursive: true, force: true });
  };
  const close = async () => {
    await call({ kind: 'close' });
    await end();
  };
  let closed: Promise<void> | undefined;

  const answer = await call({ kind: 'open', dataDir, address });
  if (answer.kind !== 'ready') {
    await end();
    throw new Error(answer.kind === 'failed' ? answer.message : 'the store did not start');
  }
  if (socketDir) await replaceSocketDir(dataDir, socketDir);
  return {
    /** A connection string for any MongoDB driver; the database it names is `desk`. */
    uri: uriOf(address, answer.port),

    /** How many index entries and documents all commands have read so far. Tests check by it that a query uses its index. */
    async readCounts(): Promise<{ entries: number; rows: number }> {
      const { entries, rows } = (await call({ kind: 'read-counts' })) as { entries: number; rows: number };
      return { entries, rows };
    },

    /** Waits for running commands, then closes the data file and the socket. Later calls do nothing more: the thread may serve another store. */
    close(): Promise<void> {
      closed ??= close();
      return closed;
    },
  };
}

const SOCKET_DIRS = join(tmpdir(), 'desk-socket-');
const SOCKET_FILE = 'store.socket';

/** Removes the socket folder of a killed process: this process has the lock of the data now. */
async function replaceSocketDir(dataDir: string, socketDir: string): Promise<void> {
  const file = join(dataDir, SOCKET_FILE);
  const previous = await readFile(file, 'utf8').catch(() => '');
  if (previous.startsWith(SOCKET_DIRS)) await rm(previous, { recursive: true, force: true });
  await writeFile(file, socketDir, { mode: 0o600 });
}

/** The next message of the worker. Under `node --watch` the runtime sends messages about imports over the same channel. */
async function replyOf(worker: Worker): Promise<FromWorker> {
  for await (const [message] of on(worker, 'message') as AsyncIterable<[FromWorker | { kind?: undefined }]>)
    if (message.kind !== undefined) return message;
  throw new Error('the thread of the store has ended');
}

function uriOf(address: Address, port: number | undefined): string {
  const host = 'path' in address ? encodeURIComponent(address.path) : `127.0.0.1:${port}`;
  return `mongodb://${host}/desk?directConnection=true`;
}
