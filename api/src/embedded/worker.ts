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

try {
  const { dataDir, address } = workerData as WorkerData;
  const engine = openEngine(dataDir);
  const checkpointer = startCheckpointer(engine.file);
  const server = await serve(engine, address);
  port.on('message', async (message: ToWorker) => {
    if (message.kind === 'read-counts') {
      say({ kind: 'read-counts', ...engine.store.db.counts });
      return;
    }
    engine.stopTaking();
    await server.close();
    await checkpointer.stop();
    await engine.close();
    port.close();
  });
  say({ kind: 'ready', port: server.port });
} catch (error) {
  say({ kind: 'failed', message: (error as Error).message });
  port.close();
}
