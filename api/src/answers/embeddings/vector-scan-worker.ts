import { parentPort } from 'node:worker_threads';
import { createVectorTable, numbersOf } from './vector-table.ts';

export type ToScanner =
  | { kind: 'put'; dimensions: number; ids: string[]; vectors: Uint8Array[] }
  | { kind: 'scan'; id: number; vector: Float32Array; most: number }
  | { kind: 'rate'; id: number; vector: Float32Array; ids: readonly string[] };

/** `cosines` are in the order of `ids`; of a passage without a vector NaN. */
export type FromScanner = { id: number; ids: readonly string[]; cosines: number[] };

const port = parentPort;
if (!port) throw new Error('vector-scan-worker.ts runs as a worker thread');

let table = createVectorTable(0);

port.on('message', (message: ToScanner) => {
  if (message.kind === 'put') {
    if (message.dimensions !== table.dimensions) table = createVectorTable(message.dimensions);
    for (const [at, id] of message.ids.entries()) table.put(id, message.vectors[at]!);
    return;
  }
  const { id, vector } = message;
  const asked = numbersOf(vector);
  const ids = message.kind === 'rate' ? message.ids : table.nearest(asked, message.most);
  const cosines = ids.map((one) => table.cosine(asked, one));
  port.postMessage({ id, ids, cosines } satisfies FromScanner);
});
