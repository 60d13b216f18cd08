import { parentPort } from 'node:worker_threads';
import { createVectorTable, numbersOf } from './vector-table.ts';

export type ToScanner =
  | { kind: 'put'; dimensions: number; owner: string; ids: string[]; vectors: Uint8Array[] }
  | { kind: 'scan'; id: number; vector: Float32Array; owners: readonly string[]; most: number }
  | { kind: 'rate'; id: number; vector: Float32Array; ids: readonly string[] };

/** `cosines` are in the order of `ids`, NaN for passages without a vector. */
export type FromScanner = { id: number; ids: readonly string[]; cosines: number[] };

const port = parentPort;
if (!port) throw new Error('vector-scan-worker.ts runs as a worker thread');

/** Tables by owner, so that passages that the asker may not read are not compared. */
const tables = new Map<string, ReturnType<typeof createVectorTable>>();

port.on('message', (message: ToScanner) => {
  if (message.kind === 'put') {
    const { owner, dimensions } = message;
    let table = tables.get(owner);
    if (table?.dimensions !== dimensions) {
      table = createVectorTable(dimensions);
      tables.set(owner, table);
    }
    for (const [at, id] of message.ids.entries()) table.put(id, message.vectors[at]!);
    return;
  }
  const { id, vector } = message;
  const asked = numbersOf(vector);
  const rate = (one: string) => {
    const cosines = [...tables.values()].map((table) => table.cosine(asked, one));
    return [one, cosines.find((cosine) => !Number.isNaN(cosine)) ?? Number.NaN] as const;
  };
  let rated: (readonly [string, number])[];
  if (message.kind === 'rate') rated = message.ids.map(rate);
  else {
    const { owners, most } = message;
    const found = new Set(owners.flatMap((owner) => tables.get(owner)?.nearest(asked, most) ?? []));
    rated = [...found].map(rate).sort(([, one], [, other]) => other - one);
    rated.splice(most);
  }
  port.postMessage({
    id,
    ids: rated.map(([one]) => one),
    cosines: rated.map(([, cosine]) => cosine),
  } satisfies FromScanner);
});
