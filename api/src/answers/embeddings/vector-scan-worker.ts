import { parentPort } from 'node:worker_threads';
import { createVectorTable, numbersOf } from './vector-table.ts';

export type ToScanner =
  | { kind: 'put'; dimensions: number; owner: string; ids: string[]; vectors: Uint8Array[] }
  | { kind: 'scan'; id: number; vector: Float32Array; owners: readonly string[]; most: number }
  | { kind: 'rate'; id: number; vector: Float32Array; ids: readonly string[] };

/** `cosines` are in the order of `ids`; of a passage without a vector NaN. */
export type FromScanner = { id: number; ids: readonly string[]; cosines: number[] };

const port = parentPort;
if (!port) throw new Error('vector-scan-worker.ts runs as a worker thread');

/** Tables by owner, so that passages which the asker may not read are not compared. */
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
  const cosineOf = (one: string) => {
    for (const table of tables.values()) {
      const cosine = table.cosine(asked, one);
      if (!Number.isNaN(cosine)) return cosine;
    }
    return Number.NaN;
  };
  const ids =
    message.kind === 'rate'
      ? message.ids
      : [
          ...new Set(
            message.owners.flatMap((owner) => tables.get(owner)?.nearest(asked, message.most) ?? []),
          ),
        ];
  const rated = ids.map((one) => [one, cosineOf(one)] as const);
  const sorted =
    message.kind === 'rate' ? rated : rated.sort(([, one], [, other]) => other - one).slice(0, message.most);
  port.postMessage({
    id,
    ids: sorted.map(([one]) => one),
    cosines: sorted.map(([, cosine]) => cosine),
  } satisfies FromScanner);
});
