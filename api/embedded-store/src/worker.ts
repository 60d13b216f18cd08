import { parentPort } from 'node:worker_threads';
import { openEngine } from './open-engine.ts';
import { startCheckpointer } from './storage/start-checkpointer.ts';
import { type Address, serve } from './wire/serve.ts';

/** Each message is answered by one reply. A thread serves one store at a time: `open`, `close`, and so on. */
export type ToWorker =
  | { kind: 'open'; dataDir: string; address: Address }
  | { kind: 'read-counts' }
  | { kind: 'close' };
export type FromWorker =
  | { kind: 'ready'; port: number | undefined }
  | { kind: 'failed'; message: string }
  | { kind: 'read-counts'; entries: number; rows: number }
  | { kind: 'closed' };

const port = parentPort;
if (!port) throw new Error('worker.ts runs as a worker thread');

/** Closes what was opened, in this order. */
const closers: (() => Promise<unknown>)[] = [];
let counts = { entries: 0, rows: 0 };

async function open(dataDir: string, address: Address): Promise<FromWorker> {
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
    counts = engine.store.db.counts;
    return { kind: 'ready', port: server.port };
  } catch (error) {
    await close();
    return { kind: 'failed', message: (error as Error).message };
  }
}

async function close(): Promise<FromWorker> {
  for (const end of closers.splice(0)) await end();
  return { kind: 'closed' };
}

port.on('message', async (message: ToWorker) => {
  if (message.kind === 'open') port.postMessage(await open(message.dataDir, message.address));
  else if (message.kind === 'close') port.postMessage(await close());
  else port.postMessage({ kind: 'read-counts', ...counts } satisfies FromWorker);
});
