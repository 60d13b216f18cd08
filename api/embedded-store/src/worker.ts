import { parentPort, workerData } from 'node:worker_threads';
import { openEngine } from './open-engine.ts';
import { startCheckpointer } from './storage/start-checkpointer.ts';
import { type Address, serve } from './wire/serve.ts';

/** The parameters of the thread. */
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
const send = (message: FromWorker) => port.postMessage(message);

const { dataDir, address } = workerData as WorkerData;
/** Closes what was opened, in this order. */
const closers: (() => Promise<unknown>)[] = [];

try {
  const engine = openEngine(dataDir);
  closers.unshift(() => engine.close());
  const checkpointer = startCheckpointer(engine.file, engine.store.db.fd);
  engine.store.db.useCheckpointer(checkpointer);
  closers.unshift(() => checkpointer.stop());
  const server = await serve(engine, address);
  closers.unshift(() => {
    engine.refuseCommands();
    return server.close();
  });
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'close') return end();
    send({ kind: 'read-counts', ...engine.store.db.counts });
  });
  send({ kind: 'ready', port: server.port });
} catch (error) {
  send({ kind: 'failed', message: (error as Error).message });
  await end();
}

/** Closes everything; the thread ends when its channel is closed, too. */
async function end(): Promise<void> {
  for (const close of closers) await close();
  port?.close();
}
