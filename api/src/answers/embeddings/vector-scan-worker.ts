import { parentPort } from 'node:worker_threads';
import { createVectorTable } from './vector-table.ts';

export type ToScanner =
  | { kind: 'put'; dimensions: number; ids: string[]; owners: string[]; vectors: Uint8Array[] }
  | { kind: 'scan'; id: number; vector: Float32Array; owner: string; most: number };

export type FromScanner = { id: number; ids: string[] };

const port = parentPort;
if (!port) throw new Error('vector-scan-worker.ts runs as a worker thread');

let table = createVectorTable(0);

port.on('message', (message: ToScanner) => {
  if (message.kind === 'put') {
    if (message.dimensions !== table.dimensions) table = createVectorTable(message.dimensions);
    for (const [at, id] of message.ids.entries()) table.put(id, message.owners[at]!, message.vectors[at]!);
    return;
  }
  const { id, vector, owner, most } = message;
  port.postMessage({ id, ids: table.nearest(vector, owner, most) } satisfies FromScanner);
});
