import { on, once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeFolder } from './make-folder.ts';
import type { Address } from './wire/serve.ts';
import type { FromWorker, ToWorker, WorkerData } from './worker.ts';

/** A running store. */
export interface EmbeddedStore {
  /** A connection string for any MongoDB driver; the database it names is `desk`. */
  uri: string;
  /** How many index entries and documents all commands have read so far: for tests that hold a query to its index. */
  readCounts(): Promise<{ entries: number; rows: number }>;
  /** Answers what is running, then closes data file and socket. */
  close(): Promise<void>;
}

export interface EmbeddedStoreOptions {
  /** The folder of the data file; made where it is not there. */
  dataDir: string;
  /** Serves on this port of the loopback, instead of a socket that only this user can reach. 0 takes a free one. */
  port?: number;
}

/**
 * Starts the store in a thread of its own. Fails where the folder is in use by another process.
 */
export async function openEmbeddedStore({ dataDir, port }: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  await makeFolder(dataDir);
  const socketDir = port === undefined ? await mkdtemp(SOCKET_DIRS) : undefined;
  const address: Address = socketDir
    ? { path: join(socketDir, 's.sock') }
    : { host: '127.0.0.1', port: port as number };
  const workerData: WorkerData = { dataDir, address };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData });
  const tell = (message: ToWorker) => worker.postMessage(message);
  const cleanUp = async () => {
    if (socketDir) await rm(socketDir, { recursive: true, force: true });
  };

  const ended = once(worker, 'exit');
  const answer = await started(worker);
  if (answer.kind !== 'ready') {
    // It ends by itself: to be ended from outside, while it closes its file, is more than a thread with SQLite should be asked.
    await ended;
    await cleanUp();
    throw new Error(answer.kind === 'failed' ? answer.message : 'the store did not start');
  }
  if (socketDir) await replaceSocketDir(dataDir, socketDir);
  return {
    uri: uriOf(address, answer.port),

    async readCounts() {
      tell({ kind: 'read-counts' });
      const [{ entries, rows }] = (await once(worker, 'message')) as [{ entries: number; rows: number }];
      return { entries, rows };
    },

    async close() {
      tell({ kind: 'close' });
      await ended;
      await cleanUp();
    },
  };
}

const SOCKET_DIRS = join(tmpdir(), 'desk-socket-');
const SOCKET_FILE = 'store.socket';

/** A killed process leaves its socket's folder behind: the next one on the same data, which holds the lock now, removes it. */
async function replaceSocketDir(dataDir: string, socketDir: string): Promise<void> {
  const file = join(dataDir, SOCKET_FILE);
  const previous = await readFile(file, 'utf8').catch(() => '');
  if (previous.startsWith(SOCKET_DIRS)) await rm(previous, { recursive: true, force: true });
  await writeFile(file, socketDir, { mode: 0o600 });
}

/** The first word of the worker's own. Under `node --watch` the runtime sends words over the same channel: what was imported. */
async function started(worker: Worker): Promise<FromWorker> {
  for await (const [message] of on(worker, 'message') as AsyncIterable<[FromWorker | { kind?: undefined }]>)
    if (message.kind !== undefined) return message;
  throw new Error('the store ended before it was ready');
}

function uriOf(address: Address, port: number | undefined): string {
  const host = 'path' in address ? encodeURIComponent(address.path) : `127.0.0.1:${port}`;
  return `mongodb://${host}/desk?directConnection=true`;
}
