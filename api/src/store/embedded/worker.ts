import { parentPort, workerData } from 'node:worker_threads';
import { openEngine } from './open-engine.ts';
import { startCheckpointer } from './storage/start-checkpointer.ts';
import { type Address, serve } from './wire/serve.ts';

/** What the thread is started with. */
export interface WorkerData {
  dataDir: string;
  address: Address;
}

export type ToWorker = { kind: 'close' } | { kind: 'read-counts' };
export type FromWorker =
  | { kind: 'ready'; port: number | undefined }
  | { kind: 'failed'; message: string }
  | { kind: 'read-counts'; entries: number; rows: number };

const port = parentPort;
if (!port) throw new Error('worker.ts runs as a worker thread');
const say = (message: FromWorker) => port.postMessage(message);

const { dataDir, address } = workerData as WorkerData;
/** What is open, in the order of closing. */
const open: (() => Promise<unknown>)[] = [];

try {
  const engine = openEngine(dataDir);
  open.unshift(() => engine.close());
  const checkpointer = startCheckpointer(engine.file, engine.store.db.fd);
  engine.store.db.leaveCheckpoints(checkpointer);
  open.unshift(() => checkpointer.stop());
  const server = await serve(engine, address);
  open.unshift(() => {
    engine.stopTaking();
    return server.close();
  });
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'close') return end();
    say({ kind: 'read-counts', ...engine.store.db.counts });
  });
  say({ kind: 'ready', port: server.port });
} catch (error) {
  say({ kind: 'failed', message: (error as Error).message });
  await end();
}

/** Closes what is open; with its channel closed as well, the thread ends. */
async function end(): Promise<void> {
  for (const close of open) await close();
  port?.close();
}
